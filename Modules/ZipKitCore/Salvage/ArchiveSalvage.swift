public import ProgressReporting

/// What is left of a damaged or truncated archive.
///
/// The source is walked from its first byte to its last. Entries are found by their local headers; a
/// central directory, or what is left of one, gives names, modes and sizes where it agrees with them. The
/// entries are those of an ``archive`` like any other: what is damaged in them shows when they are read,
/// and no file gets its name before its checksum holds.
///
/// ```swift
/// let salvage = try await ArchiveSalvage.open(path: "broken.zip")
/// let report = try await salvage.archive.extract(to: "saved")
/// ```
public struct ArchiveSalvage: Sendable {
  /// Who says how far an entry's data go.
  public enum Origin: String, Sendable {
    /// The central directory.
    case directory = "directory"
    /// The entry's local header.
    case localHeader = "local-header"
    /// The data descriptor behind the data.
    case descriptor = "descriptor"
    /// Nobody: the data end where the decoder or the source does, and no checksum is known.
    case inferred = "inferred"
  }

  /// An entry that only the central directory tells of.
  public struct Lost: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// Bytes of its content, as declared.
    public var size: UInt64
  }

  /// The archive as put together anew; its ``ZipArchive/problems`` begin with what was wrong.
  public let archive: ZipArchive
  /// For each entry, in the order of ``archive``, who says how far its data go.
  public let origins: [Origin]
  /// Entries without a trace of data.
  public let lost: [Lost]
  /// Bytes of the source that belong to no entry and no record.
  public let gaps: [Range<UInt64>]
  /// Why the archive could not be opened as it is; nil where it could.
  public let reason: ZipError?

  /// Salvages from a file; blocking work is done on a thread of its own.
  ///
  /// - Parameters:
  ///   - path: The file, or one part of a set.
  ///   - options: As for opening an archive.
  ///   - progress: Counts bytes of the source looked at.
  /// - Returns: What was found, which may be no entry at all.
  /// - Throws: ``ZipError``: `source-open`, `source-read`, `part-missing`; `cancelled`.
  public static func open(
    path: String, options: ZipArchive.Options = ZipArchive.Options(),
    progress: consuming WorkShare = .detached()
  ) async throws -> ArchiveSalvage {
    let source = try await ZipThread.run(named: "zip-open") { try SplitSource.open(path: path) }
    return try await open(source: source, options: options, progress: progress)
  }

  /// Salvages from anything with positioned reads; blocking work is done on a thread of its own.
  ///
  /// - Parameters:
  ///   - source: The bytes.
  ///   - options: As for opening an archive.
  ///   - progress: Counts bytes of the source looked at.
  /// - Returns: What was found, which may be no entry at all.
  /// - Throws: ``ZipError``: what the source throws; `cancelled`.
  public static func open(
    source: any ArchiveSource, options: ZipArchive.Options = ZipArchive.Options(),
    progress: consuming WorkShare = .detached()
  ) async throws -> ArchiveSalvage {
    let meter = progress.begin("Searching…")
    meter.setTotal(source.size)
    let result = try await withTaskCancellationHandler {
      try await ZipThread.run(named: "zip-salvage") {
        try ArchiveSalvage(source, options, meter)
      }
    } onCancel: {
      meter.cancellation.cancel()
    }
    meter.finish()
    return result
  }

  init(
    _ source: any ArchiveSource, _ options: ZipArchive.Options, _ meter: WorkMeter
  ) throws(ZipError) {
    var directory: CentralDirectory?
    var reason: ZipError?
    do throws(ZipError) {
      directory = try CentralDirectory(source)
    } catch {
      guard error.code != .sourceRead else { throw error }
      reason = error
    }
    var pieces = directory?.pieces ?? []
    var scan = try Self.scan(source, options, pieces, meter)
    if let start = directory?.start, scan.found.contains(where: { $0.holds(start) }) {
      // The directory of an archive in the archive, whose own end is missing.
      (directory, pieces, reason) = (nil, [], .noEndRecord(size: source.size))
    }
    if pieces.isEmpty, !scan.centrals.isEmpty {
      // The directory stands behind the entries; what it says about them takes a second walk.
      pieces = scan.centrals
      scan = try Self.scan(source, options, pieces, meter)
    }
    let matcher = SalvageMatcher(scan.found, pieces, sourceSize: source.size)
    var problems = directory?.problems ?? []
    if let reason { problems.insert(reason, at: 0) }
    let rebuilt = CentralDirectory(
      bytes: matcher.writer.bytes, start: source.size, comment: directory?.comment ?? [],
      problems: problems)
    archive = ZipArchive(source: source, directory: rebuilt, options: options)
    origins = matcher.origins
    let core = archive.core
    lost = matcher.lost.map {
      Lost(name: core.text($0.name, flags: $0.header.flags).text, size: $0.header.size)
    }
    gaps = scan.gaps
    self.reason = reason
  }

  private static func scan(
    _ source: any ArchiveSource, _ options: ZipArchive.Options,
    _ pieces: [SalvageScan.Central], _ meter: WorkMeter
  ) throws(ZipError) -> SalvageScan {
    let check = { () throws(ZipError) in
      if meter.cancellation.isCancelled { throw ZipError.cancelled() }
    }
    let finder = SalvageExtentFinder(
      source, options.registry, memoryLimit: ExtractionLimits().decoderMemory, check: check)
    var scan = SalvageScan(source, finder) { (count) throws(ZipError) in
      meter.advance(by: count)
      try check()
    }
    var known: [UInt64: CentralHeader] = [:]
    for piece in pieces { known[piece.header.localOffset] = piece.header }
    try scan.run(known: known)
    return scan
  }
}

extension CentralDirectory {
  /// All headers, with offsets from the source's beginning.
  fileprivate var pieces: [SalvageScan.Central] {
    (0..<count).compactMap { index in
      guard var header = header(index) else { return nil }
      header.localOffset = localOffset(header) ?? .max
      return SalvageScan.Central(
        header: header, name: text.bytes(nameRange(index, header)),
        extra: text.bytes(extraRange(index, header)),
        comment: text.bytes(commentRange(index, header)))
    }
  }
}

/// Brings local headers and central ones together.
struct SalvageMatcher {
  private(set) var writer = DirectoryWriter()
  private(set) var origins: [ArchiveSalvage.Origin] = []
  private(set) var lost: [SalvageScan.Central] = []

  init(_ found: [SalvageScan.Found], _ pieces: [SalvageScan.Central], sourceSize: UInt64) {
    var byOffset: [UInt64: Int] = [:]
    var byName: [[UInt8]: [Int]] = [:]
    for (number, piece) in pieces.enumerated() {
      byOffset[piece.header.localOffset] = number
      byName[piece.name, default: []].append(number)
    }
    var isUsed = Array(repeating: false, count: pieces.count)
    // Where bytes were lost or added, offsets are off and names still agree.
    let places = found.map { entry -> Int? in
      if let number = byOffset[entry.offset], pieces[number].name == entry.name { return number }
      return nil
    }
    for case let number? in places { isUsed[number] = true }
    for (place, entry) in found.enumerated() {
      var number = places[place]
      if number == nil {
        number = byName[entry.name]?.first {
          !isUsed[$0] && Self.agree(entry, pieces[$0].header)
        }
      }
      if let number { isUsed[number] = true }
      let limit = place + 1 < found.count ? found[place + 1].offset : sourceSize
      append(entry, number.map { pieces[$0] }, limit: limit)
    }
    for (number, piece) in pieces.enumerated() where !isUsed[number] { lost.append(piece) }
  }

  private static func agree(_ entry: SalvageScan.Found, _ header: CentralHeader) -> Bool {
    entry.local.method == header.method
      && (entry.extent.origin == .inferred || entry.extent.crc32 == header.crc32)
  }

  private mutating func append(
    _ entry: SalvageScan.Found, _ piece: SalvageScan.Central?, limit: UInt64
  ) {
    var header = piece?.header ?? CentralHeader(entry.local, at: entry.offset)
    header.localOffset = entry.offset
    let origin = piece == nil ? entry.extent.origin : .directory
    if let piece {
      (header.crc32, header.compressedSize, header.size) = (
        piece.header.crc32, piece.header.compressedSize, piece.header.size
      )
    } else {
      (header.crc32, header.compressedSize, header.size) = (
        entry.extent.crc32, entry.extent.compressedSize, entry.extent.size
      )
    }
    // Data that are cut off end where the next entry begins.
    let room = limit - min(limit, entry.dataStart)
    header.compressedSize = min(header.compressedSize, room)
    let isWritten = writer.append(
      header, name: piece?.name ?? entry.name, extra: piece?.extra ?? entry.extra,
      comment: piece?.comment ?? [])
    if isWritten { origins.append(origin) }
  }
}
