/// The central directory in memory: its bytes as they are in the archive, and where each header begins.
///
/// A header is read out of the bytes each time it is asked for, which is quicker than it sounds and takes
/// four bytes an entry beyond the directory itself.
final class CentralDirectory: Sendable {
  /// The directory's bytes.
  let bytes: [UInt8]
  /// Where the headers begin in ``bytes``; a directory of more than 4 GiB is refused.
  let positions: [UInt32]
  /// Whether no name has a byte beyond ASCII.
  let hasOnlyASCIINames: Bool
  /// The directory's first byte in the source.
  let start: UInt64
  /// What is to be added to offsets of local headers.
  let base: Int64
  /// What the locator and the walk found odd.
  let problems: [ZipError]
  /// The archive's comment.
  let comment: [UInt8]
  /// The first byte behind the directory's last header.
  let end: UInt64
  /// Where the end records begin.
  let recordsStart: UInt64
  /// What the end record said; nil where the directory was put together elsewhere.
  let claim: DirectoryClaim?
  /// The parts, where offsets count from them.
  let split: SplitSource?
  /// Where the archive's own file is, for messages about others beside it.
  private let path: String?
  /// The part's number, where this is the last part of a set and the others are not there.
  private let lonelyDisk: UInt32?
  /// Whether sizes are known modulo 4 GiB only, where compression hides the rest.
  let isModulo: Bool

  /// Reads the directory of a source.
  convenience init(_ source: any ArchiveSource) throws(ZipError) {
    let location = try DirectoryLocator(source).locate()
    try self.init(source, location)
  }

  private init(_ source: any ArchiveSource, _ location: DirectoryLocation) throws(ZipError) {
    var problems = location.problems
    guard location.size <= UInt64(UInt32.max) else { throw .directoryTooLarge(location.size) }
    var bytes = try Self.read(source, at: location.start, count: Int(location.size))
    var positions = Self.walk(unsafe bytes.span.bytes, expecting: location.entries)
    let space = location.recordsStart > location.start ? location.recordsStart - location.start : 0
    if UInt64(positions.count) < location.entries, space > location.size,
      space <= UInt64(UInt32.max)
    {
      // The declared size falls short of the declared count: the space up to the records may hold more.
      let wider = try Self.read(source, at: location.start, count: Int(space))
      let more = Self.walk(unsafe wider.span.bytes, expecting: location.entries)
      if more.count > positions.count { (bytes, positions) = (wider, more) }
    }
    let end = Self.end(of: unsafe bytes.span.bytes, positions)
    let found = UInt64(positions.count)
    // Writers without Zip64 count modulo 65,536.
    let agrees =
      location.isZip64
      ? found == location.entries : found & 0xffff == location.entries & 0xffff
    if !agrees {
      problems.append(
        .directoryCount(location.entries, found: found, at: location.start + UInt64(end)))
    }
    if found == 0, location.entries == 0 { problems.append(.emptyArchive(at: location.start)) }
    let split = (source as? SplitSource).flatMap { $0.hasDisks ? $0 : nil }
    var base = location.base
    if !location.isZip64, split == nil, source.size > UInt64(UInt32.max), base >= 0,
      base % (1 << 32) == 0,
      let repaired = try Self.repaired(source, bytes, positions, at: location.start)
    {
      (bytes, base) = (repaired, 0)
      positions = Self.walk(unsafe bytes.span.bytes, expecting: 0)
      problems.removeAll { $0.code == .prefixBytes }
      problems.append(.moduloRepaired())
      isModulo = true
    } else {
      isModulo = false
    }
    hasOnlyASCIINames = Self.areASCII(unsafe bytes.span.bytes, positions)
    self.bytes = bytes
    self.positions = positions
    self.end = location.start + UInt64(end)
    start = location.start
    self.base = base
    recordsStart = location.recordsStart
    claim = location.claim
    comment = location.comment
    self.problems = problems
    self.split = split
    path = (source as? FileSource)?.path
    // Some archives claim parts that never were; in those no entry knows of any.
    let hasDisks =
      location.disk > 0
      && positions.contains {
        CentralHeader(unsafe bytes.span.bytes, at: Int($0)).map { $0.diskStart > 0 } ?? false
      }
    lonelyDisk =
      split == nil && hasDisks ? UInt32(exactly: location.disk) : nil
  }

  /// Makes a directory of headers put together elsewhere, such as by salvage.
  init(bytes: [UInt8], start: UInt64, comment: [UInt8], problems: [ZipError]) {
    self.bytes = bytes
    positions = Self.walk(unsafe bytes.span.bytes, expecting: 0)
    hasOnlyASCIINames = Self.areASCII(unsafe bytes.span.bytes, positions)
    self.start = start
    base = 0
    self.comment = comment
    self.problems = problems
    end = start
    recordsStart = start
    claim = nil
    split = nil
    path = nil
    lonelyDisk = nil
    isModulo = false
  }

  /// Entries in the directory.
  var count: Int { positions.count }

  /// The header with a number, from 0.
  func header(_ index: Int) -> CentralHeader? {
    let bytes = bytes
    return CentralHeader(unsafe bytes.span.bytes, at: Int(positions[index]))
  }

  /// Where in ``bytes`` name and extra fields of a header stand, read without the rest of it.
  func nameAndExtra(_ index: Int) -> (name: Range<Int>, extra: Range<Int>) {
    let bytes = bytes
    let start = Int(positions[index])
    let span = unsafe bytes.span.bytes
    let end = start + CentralHeader.fixedSize + Int(span.uint16(at: start + 28) ?? 0)
    return (
      (start + CentralHeader.fixedSize)..<end, end..<(end + Int(span.uint16(at: start + 30) ?? 0))
    )
  }

  /// Calls with the extra fields of a header.
  func withExtra<Result>(
    _ index: Int, _ header: CentralHeader, _ body: (RawSpan) -> Result
  ) -> Result {
    let bytes = bytes
    return body(unsafe bytes.span.bytes.extracting(extraRange(index, header)))
  }

  /// Where in ``bytes`` the name of a header stands.
  func nameRange(_ index: Int, _ header: CentralHeader) -> Range<Int> {
    let start = Int(positions[index]) + CentralHeader.fixedSize
    return start..<(start + Int(header.nameLength))
  }

  /// Where in ``bytes`` the extra fields of a header stand.
  func extraRange(_ index: Int, _ header: CentralHeader) -> Range<Int> {
    let start = header.extraOffset(Int(positions[index]))
    return start..<(start + Int(header.extraLength))
  }

  /// Where in ``bytes`` the comment of a header stands.
  func commentRange(_ index: Int, _ header: CentralHeader) -> Range<Int> {
    let start = header.commentOffset(Int(positions[index]))
    return start..<(start + Int(header.commentLength))
  }

  /// Where in the source the local header of an entry should stand; nil when that is before its
  /// beginning or past all numbers.
  func localOffset(_ header: CentralHeader) -> UInt64? {
    if let split {
      return split.start(ofDisk: UInt64(header.diskStart)).flatMap {
        $0.adding(header.localOffset)
      }
    }
    if let lonelyDisk, header.diskStart != lonelyDisk { return nil }
    return base >= 0
      ? header.localOffset.adding(UInt64(base))
      : header.localOffset >= base.magnitude ? header.localOffset - base.magnitude : nil
  }

  /// What keeps an entry from being read that lies in another file; nil where that is not the reason.
  func partMissing(_ header: CentralHeader, at start: UInt64 = 0) -> ZipError? {
    if let split {
      let end = start.adding(UInt64(LocalHeader.fixedSize))?.adding(header.compressedSize) ?? .max
      return split.missing(in: start..<max(start, end)).map { .partMissing($0, offset: start) }
    }
    guard let lonelyDisk, header.diskStart != lonelyDisk else { return nil }
    return .partMissing(PartName.numbered(path ?? "a.zip", Int(header.diskStart)))
  }

  private static func repaired(
    _ source: any ArchiveSource, _ bytes: [UInt8], _ positions: [UInt32], at start: UInt64
  ) throws(ZipError) -> [UInt8]? {
    let span = unsafe bytes.span.bytes
    let headers = positions.compactMap { CentralHeader(span, at: Int($0)) }
    guard headers.count == positions.count,
      let repaired = try ModuloRepair(source, directoryAt: start).repair(headers)
    else { return nil }
    var writer = DirectoryWriter()
    for (position, header) in zip(positions, repaired) {
      let name = Int(position) + CentralHeader.fixedSize
      let extra = header.extraOffset(Int(position))
      let comment = header.commentOffset(Int(position))
      writer.append(
        header, name: Array(bytes[name..<extra]), extra: Array(bytes[extra..<comment]),
        comment: Array(bytes[comment..<(comment + Int(header.commentLength))]))
    }
    return writer.bytes
  }

  /// The directory's bytes, or as many as have headers in them.
  ///
  /// A size is a claim, also where the source is as large: of a large directory a piece is read first, and more only
  /// where headers go on to the piece's end.
  private static func read(
    _ source: any ArchiveSource, at start: UInt64, count: Int
  ) throws(ZipError) -> [UInt8] {
    let longest = CentralHeader.fixedSize + 3 * 0xffff
    var size = 4 << 20
    while size < count {
      let bytes = try source.bytes(at: start, count: size)
      let span = unsafe bytes.span.bytes
      guard end(of: span, walk(span, expecting: 0)) > size - longest else { return bytes }
      size *= 32
    }
    return try source.bytes(at: start, count: count)
  }

  /// Where headers that follow each other begin.
  static func walk(_ bytes: RawSpan, expecting entries: UInt64) -> [UInt32] {
    var positions: [UInt32] = []
    // A declared count is a claim; what the bytes can hold is the bound.
    positions.reserveCapacity(
      Int(min(entries, UInt64(bytes.byteCount / CentralHeader.fixedSize))))
    var offset = 0
    while bytes.uint32(at: offset) == CentralHeader.signature,
      let name = bytes.uint16(at: offset + 28), let extra = bytes.uint16(at: offset + 30),
      let comment = bytes.uint16(at: offset + 32)
    {
      let next = offset + CentralHeader.fixedSize + Int(name) + Int(extra) + Int(comment)
      guard next <= bytes.byteCount else { break }
      positions.append(UInt32(truncatingIfNeeded: offset))
      offset = next
    }
    return positions
  }

  // Eight bytes of a name at a time; most archives are spared all questions of character sets by this.
  private static func areASCII(_ bytes: RawSpan, _ positions: [UInt32]) -> Bool {
    for position in positions {
      var place = Int(position) + CentralHeader.fixedSize
      let end = place + Int(bytes.uint16(at: Int(position) + 28) ?? 0)
      while place + 8 <= end, let word = bytes.uint64(at: place) {
        guard word & 0x8080_8080_8080_8080 == 0 else { return false }
        place += 8
      }
      while place < end {
        guard let byte = bytes.byte(at: place), byte < 0x80 else { return false }
        place += 1
      }
    }
    return true
  }

  private static func end(of bytes: RawSpan, _ positions: [UInt32]) -> Int {
    guard let last = positions.last, let header = CentralHeader(bytes, at: Int(last)) else {
      return 0
    }
    return Int(last) + header.headerSize
  }
}
