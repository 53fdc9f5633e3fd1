/// Where the central directory of an archive stands, worked out from its end records.
struct DirectoryLocation {
  /// The directory's first byte in the source.
  var start: UInt64
  /// Its length in bytes as declared, cut to what the source has.
  var size: UInt64
  /// Entries as declared.
  var entries: UInt64
  /// Whether the count is of 64 bits, rather than modulo 65,536.
  var isZip64: Bool
  /// What is to be added to offsets in the archive; positive for bytes in front of it.
  var base: Int64
  /// Where the first of the end records stands: the directory ends here at the latest.
  var recordsStart: UInt64
  /// The archive's comment, as far as it is there.
  var comment: [UInt8]
  /// The number of the part that the end record says it stands in.
  var disk: UInt64
  /// Oddities that do not keep the archive from being read.
  var problems: [ZipError]
  /// What the end record said.
  var claim: DirectoryClaim
}

/// Finds the end records, backwards from the end of the source.
struct DirectoryLocator {
  /// The longest comment and its end record.
  static let reach = EndRecord.fixedSize + 0xffff

  private let source: any ArchiveSource
  private let tail: [UInt8]
  private let tailStart: UInt64

  init(_ source: any ArchiveSource) throws(ZipError) {
    self.source = source
    // The Zip64 records before the longest comment are fetched with the same read.
    let reach = UInt64(Self.reach + Zip64Locator.size + Zip64EndRecord.fixedSize)
    let first = (source as? SplitSource)?.lastRun ?? 0
    tailStart = max(first, source.size > reach ? source.size - reach : 0)
    tail = try source.bytes(at: tailStart, count: Int(source.size - tailStart))
  }

  /// The location that the best end record gives.
  ///
  /// The signature may also stand in a comment or in stored data, so a candidate counts only when a
  /// directory is where it says, and one whose comment ends with the source is asked before others. When
  /// none does, the last one is taken for the error.
  func locate() throws(ZipError) -> DirectoryLocation {
    guard source.size > 0 else { throw .emptySource() }
    var exact: [(position: Int, record: EndRecord)] = []
    var others: [(position: Int, record: EndRecord)] = []
    for candidate in candidates() {
      let end = candidate.position + EndRecord.fixedSize + Int(candidate.record.commentLength)
      if end == tail.count { exact.append(candidate) } else { others.append(candidate) }
    }
    var failure: ZipError?
    for candidate in exact + others {
      do {
        return try location(candidate.record, at: candidate.position)
      } catch  where failure == nil {
        failure = error
      } catch {}
    }
    throw failure ?? .noEndRecord(size: source.size)
  }

  /// The number of the part that the last end record says it stands in, from 0; nil without a record.
  var lastDisk: UInt32? {
    get throws(ZipError) {
      // Most archives have no comment, and no need of a search.
      let end = tail.count - EndRecord.fixedSize
      let atEnd = EndRecord(unsafe tail.span.bytes, at: end).map { (position: end, record: $0) }
      guard let (position, record) = atEnd ?? candidates().first else { return nil }
      guard record.disk == 0xffff else { return UInt32(record.disk) }
      var ignored: [ZipError] = []
      return try zip64Record(before: position, isNeeded: true, problems: &ignored)?.record.disk ?? 0
    }
  }

  /// Records within reach, the last one first.
  private func candidates() -> [(position: Int, record: EndRecord)] {
    let tail = tail
    let bytes = unsafe tail.span.bytes
    var result: [(position: Int, record: EndRecord)] = []
    var position = tail.count - EndRecord.fixedSize
    while position >= max(0, tail.count - Self.reach) {
      if let record = EndRecord(bytes, at: position) { result.append((position, record)) }
      position -= 1
    }
    return result
  }

  private func location(_ record: EndRecord, at position: Int) throws(ZipError) -> DirectoryLocation
  {
    let recordOffset = tailStart + UInt64(position)
    let commentStart = position + EndRecord.fixedSize
    let commentEnd = min(commentStart + Int(record.commentLength), tail.count)
    var problems: [ZipError] = []
    if commentEnd - commentStart < Int(record.commentLength) {
      problems.append(.commentTruncated(record.commentLength, found: commentEnd - commentStart))
    } else if commentEnd < tail.count {
      problems.append(.trailingBytes(tail.count - commentEnd, at: tailStart + UInt64(commentEnd)))
    }
    let zip64 = try zip64Record(
      before: position, isNeeded: record.needsZip64, problems: &problems)
    let comment = Array(tail[commentStart..<commentEnd])
    var candidates: [DirectoryClaim] = []
    if let zip64 { candidates.append(DirectoryClaim(zip64.record, at: zip64.offset)) }
    candidates.append(DirectoryClaim(record, at: recordOffset, zip64Start: zip64?.offset))
    let declared = candidates
    let split = (source as? SplitSource).flatMap { $0.hasDisks ? $0 : nil }
    if let split {
      for number in candidates.indices {
        let start = split.start(ofDisk: candidates[number].disk)
        candidates[number].offset = start.flatMap { $0.adding(candidates[number].offset) } ?? .max
      }
    }
    if zip64 == nil, record.needsZip64 { problems.append(.zip64Missing(at: recordOffset)) }
    if split == nil, record.disk != 0 || record.directoryDisk != 0, record.disk != 0xffff {
      problems.append(.multiDisk(record.disk, at: recordOffset))
    }
    for (claim, declared) in zip(candidates, declared) {
      guard let (start, base) = try settle(claim) else { continue }
      if base > 0 { problems.append(.prefixBytes(base)) }
      if base < 0 { problems.append(.missingBytes(base.magnitude)) }
      let room = claim.recordsStart > start ? claim.recordsStart - start : source.size - start
      return DirectoryLocation(
        start: start, size: min(claim.size, room), entries: claim.entries, isZip64: claim.isZip64,
        base: base, recordsStart: claim.recordsStart, comment: comment,
        disk: zip64.map { UInt64($0.record.disk) } ?? UInt64(record.disk), problems: problems,
        claim: declared)
    }
    if let cipher = zip64?.record.directoryCipher {
      throw .directoryEncrypted(cipher, at: candidates[0].offset)
    }
    throw .noDirectory(at: candidates[0].offset)
  }

  private func zip64Record(
    before position: Int, isNeeded: Bool, problems: inout [ZipError]
  ) throws(ZipError) -> (record: Zip64EndRecord, offset: UInt64)? {
    let place = position - Zip64Locator.size
    guard place >= 0, let locator = Zip64Locator(unsafe tail.span.bytes, at: place) else {
      return nil
    }
    let locatorOffset = tailStart + UInt64(place)
    // Right before the locator is where every writer puts the record; the locator's own word is needed
    // for longer (version 2) records, and is off by the prefix where there is one.
    var offsets = [locator.recordOffset]
    if locatorOffset >= UInt64(Zip64EndRecord.fixedSize) {
      offsets.insert(locatorOffset - UInt64(Zip64EndRecord.fixedSize), at: 0)
    }
    for offset in offsets where offset < locatorOffset {
      let bytes = try source.bytes(at: offset, count: Zip64EndRecord.readSize)
      guard let record = Zip64EndRecord(unsafe bytes.span.bytes, at: 0) else { continue }
      if offset != locator.recordOffset {
        problems.append(.zip64LocatorOff(locator.recordOffset, found: offset))
      }
      // The size that the record gives leaves out its first twelve bytes.
      let end = offset.adding(12)?.adding(record.recordSize)
      if end != locatorOffset {
        problems.append(.zip64RecordSize(record.recordSize, locator: locatorOffset))
      }
      return (record, offset)
    }
    // A signature may end a name, and where the classic record has all values nothing is missing.
    problems.append(
      isNeeded ? .zip64Missing(at: locatorOffset) : .zip64Unneeded(at: locatorOffset))
    return nil
  }

  /// Finds a directory for a claim: before the records, or at the offset taken literally.
  private func settle(_ claim: DirectoryClaim) throws(ZipError) -> (start: UInt64, base: Int64)? {
    guard let offset = Int64(exactly: claim.offset), claim.size <= source.size else { return nil }
    if claim.entries == 0, claim.size == 0 {
      // Nothing to be found; a prefix shows itself in the offset only.
      guard claim.recordsStart >= claim.offset else { return (claim.recordsStart, 0) }
      return (claim.offset, 0)
    }
    if claim.recordsStart >= claim.size {
      let start = claim.recordsStart - claim.size
      if try hasHeader(at: start) {
        // A wrong size may lead to a later header; the offset itself is right when all entries follow it.
        if claim.offset < start, try hasHeader(at: claim.offset), try holdsAll(claim) {
          return (claim.offset, 0)
        }
        return (start, Int64(start) - offset)
      }
    }
    return try hasHeader(at: claim.offset) ? (claim.offset, 0) : nil
  }

  private func holdsAll(_ claim: DirectoryClaim) throws(ZipError) -> Bool {
    let space = claim.recordsStart - claim.offset
    guard space <= UInt64(UInt32.max) else { return false }
    let bytes = try source.bytes(at: claim.offset, count: Int(space))
    return UInt64(DirectoryWalk(unsafe bytes.span.bytes).positions.count)
      == claim.entries
  }

  private func hasHeader(at offset: UInt64) throws(ZipError) -> Bool {
    let bytes = try source.bytes(at: offset, count: 4)
    return (unsafe bytes.span.bytes).uint32(at: 0) == CentralHeader.signature
  }
}

/// What one of the end records says about the directory.
package struct DirectoryClaim: Sendable {
  /// The directory's offset, without the base of a prefix.
  package var offset: UInt64
  /// The part that the offset counts from, from 0.
  package var disk: UInt64
  /// The part that the record stands in, from 0.
  package var recordDisk: UInt64
  /// Bytes of the directory.
  package var size: UInt64
  /// Entries of all parts.
  package var entries: UInt64
  /// Entries of this part.
  package var entriesOnDisk: UInt64
  var isZip64: Bool
  /// Where in the source the first of the end records stands.
  package var recordsStart: UInt64

  init(_ record: Zip64EndRecord, at position: UInt64) {
    offset = record.directoryOffset
    disk = UInt64(record.directoryDisk)
    recordDisk = UInt64(record.disk)
    size = record.directorySize
    entries = record.entries
    entriesOnDisk = record.entriesOnDisk
    isZip64 = true
    recordsStart = position
  }

  init(_ record: EndRecord, at position: UInt64, zip64Start: UInt64?) {
    offset = UInt64(record.directoryOffset)
    disk = UInt64(record.directoryDisk)
    recordDisk = UInt64(record.disk)
    size = UInt64(record.directorySize)
    entries = UInt64(record.entries)
    entriesOnDisk = UInt64(record.entriesOnDisk)
    isZip64 = false
    recordsStart = zip64Start ?? position
  }
}

extension EndRecord {
  var needsZip64: Bool {
    entries == 0xffff || directorySize == 0xffff_ffff || directoryOffset == 0xffff_ffff
  }
}
