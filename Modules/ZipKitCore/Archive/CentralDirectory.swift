/// The central directory: its bytes as they are in the archive, and where each header begins.
///
/// A header is read out of the bytes each time it is asked for, which is quicker than it sounds and takes
/// four bytes an entry beyond what is held of the directory itself.
final class CentralDirectory: Sendable {
  /// The directory's bytes.
  let text: DirectoryText
  /// Where the headers begin in ``text``; a directory of more than 4 GiB is refused.
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

  /// Reads the directory of a source; one in a file that takes more than `held` bytes stays there.
  convenience init(
    _ source: any ArchiveSource, holding held: Int = DirectoryText.mostHeld
  ) throws(ZipError) {
    let location = try DirectoryLocator(source).locate()
    try self.init(source, location, held)
  }

  private init(
    _ source: any ArchiveSource, _ location: DirectoryLocation, _ held: Int
  ) throws(ZipError) {
    var problems = location.problems
    guard location.size <= UInt64(UInt32.max) else { throw .directoryTooLarge(location.size) }
    var (text, walk) = try Self.read(
      source, location, count: Int(location.size), holding: held)
    let space = location.recordsStart > location.start ? location.recordsStart - location.start : 0
    if UInt64(walk.positions.count) < location.entries, space > location.size,
      space <= UInt64(UInt32.max)
    {
      // The declared size falls short of the declared count: the space up to the records may hold more.
      let (wider, more) = try Self.read(source, location, count: Int(space), holding: held)
      if more.positions.count > walk.positions.count { (text, walk) = (wider, more) }
    }
    let found = UInt64(walk.positions.count)
    // Writers without Zip64 count modulo 65,536.
    let agrees =
      location.isZip64
      ? found == location.entries : found & 0xffff == location.entries & 0xffff
    if !agrees {
      problems.append(
        .directoryCount(location.entries, found: found, at: location.start + UInt64(walk.end)))
    }
    if found == 0, location.entries == 0 { problems.append(.emptyArchive(at: location.start)) }
    let split = (source as? SplitSource).flatMap { $0.hasDisks ? $0 : nil }
    var base = location.base
    if !location.isZip64, split == nil, source.size > UInt64(UInt32.max), base >= 0,
      base % (1 << 32) == 0,
      let repaired = try Self.repaired(
        source, source.bytes(at: location.start, count: walk.end), walk.positions,
        at: location.start)
    {
      (text, base) = (DirectoryText(repaired), 0)
      let end = walk.end
      walk = DirectoryWalk(unsafe repaired.span.bytes)
      // What is in the source has not grown by what was added to headers.
      walk.end = end
      problems.removeAll { $0.code == .prefixBytes }
      problems.append(.moduloRepaired())
      isModulo = true
    } else {
      isModulo = false
    }
    hasOnlyASCIINames = walk.isASCII
    self.text = text
    let positions = walk.positions
    self.positions = positions
    end = location.start + UInt64(walk.end)
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
      && positions.indices.contains {
        Self.header($0, positions, text).map { $0.diskStart > 0 } ?? false
      }
    lonelyDisk =
      split == nil && hasDisks ? UInt32(exactly: location.disk) : nil
  }

  /// Makes a directory of headers put together elsewhere, such as by salvage.
  init(bytes: [UInt8], start: UInt64, comment: [UInt8], problems: [ZipError]) {
    text = DirectoryText(bytes)
    let walk = DirectoryWalk(unsafe bytes.span.bytes)
    positions = walk.positions
    hasOnlyASCIINames = walk.isASCII
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

  /// The header with a number, from 0; nil where a source that changes has none any more.
  func header(_ index: Int) -> CentralHeader? { Self.header(index, positions, text) }

  private static func header(
    _ index: Int, _ positions: [UInt32], _ text: DirectoryText
  ) -> CentralHeader? {
    text.withBytes(record(index, positions, text)) { CentralHeader($0, at: 0) }
  }

  /// Where in ``text`` a header with all that follows it stands.
  func record(_ index: Int) -> Range<Int> { Self.record(index, positions, text) }

  private static func record(
    _ index: Int, _ positions: [UInt32], _ text: DirectoryText
  ) -> Range<Int> {
    let start = Int(positions[index])
    // Behind the last one there may be more; it takes no more than it says.
    let next = index + 1 < positions.count ? Int(positions[index + 1]) : text.count
    return start..<min(next, start + CentralHeader.mostSize)
  }

  /// Calls with each header and all that follows it, in order; with nothing for those that cannot be read again.
  ///
  /// The quickest way through a directory that is not held.
  @inline(__always)
  func forEachRecord(_ body: (Int, RawSpan) -> Void) {
    let (text, positions) = (text, positions)
    var index = 0
    try? text.forEachPiece { bytes, base in
      while index < positions.count {
        let record = Self.record(index, positions, text)
        let start = record.lowerBound - base
        let isCut =
          base + bytes.byteCount < text.count && record.upperBound - base > bytes.byteCount
        guard start >= 0, start < bytes.byteCount, !isCut else { return start }
        body(index, bytes.extracting(start..<min(record.upperBound - base, bytes.byteCount)))
        index += 1
      }
      return 0
    }
    while index < positions.count {
      body(index, RawSpan())
      index += 1
    }
  }

  /// Calls with the extra fields of a header.
  func withExtra<Result>(
    _ index: Int, _ header: CentralHeader, _ body: (RawSpan) -> Result
  ) -> Result {
    text.withBytes(extraRange(index, header), body)
  }

  /// Where in ``text`` the name of a header stands.
  func nameRange(_ index: Int, _ header: CentralHeader) -> Range<Int> {
    let start = Int(positions[index]) + CentralHeader.fixedSize
    return start..<(start + Int(header.nameLength))
  }

  /// Where in ``text`` the extra fields of a header stand.
  func extraRange(_ index: Int, _ header: CentralHeader) -> Range<Int> {
    let start = header.extraOffset(Int(positions[index]))
    return start..<(start + Int(header.extraLength))
  }

  /// Where in ``text`` the comment of a header stands.
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

  /// The directory's bytes, as many as have headers in them, and where these begin.
  ///
  /// A size is a claim, also where the source is as large: of a large directory a piece is read first, and more only
  /// where headers go on to the piece's end.
  private static func read(
    _ source: any ArchiveSource, _ location: DirectoryLocation, count: Int, holding held: Int
  ) throws(ZipError) -> (DirectoryText, DirectoryWalk) {
    // What is not held costs nothing.
    let isHeld = count <= held || !DirectoryText.mayStay(source)
    var size = isHeld ? 4 << 20 : count
    while true {
      let text = try DirectoryText(
        source, at: location.start, count: min(size, count), isHeld: isHeld)
      let walk = try DirectoryWalk(text, expecting: location.entries)
      guard size < count, walk.end > size - CentralHeader.mostSize else { return (text, walk) }
      size *= 32
    }
  }
}
