/// A zip archive opened for reading.
///
/// Opening reads the end records and the central directory, and nothing else. The value may be used from
/// many tasks and threads at once; reads of the source are positioned and share no lock.
///
/// ```swift
/// let archive = try ZipArchive(path: "a.zip")
/// for entry in archive.entries where entry.kind == .file {
///   print(entry.name, entry.size)
/// }
/// ```
public struct ZipArchive: Sendable {
  /// How an archive is opened.
  public struct Options: Sendable {
    /// Decoders, ciphers and checksum; zlib's alone unless set.
    public var registry: DecoderRegistry = .standard
    /// The character set of names without a Unicode mark; nil to detect it.
    public var encoding: NameEncoding?
    /// Detects the character set from all names of the archive; nil, or no opinion: CP437.
    public var detector: NameEncodingDetector?

    /// Defaults: stored and deflate over zlib, names in UTF-8 where they are valid and CP437 otherwise.
    public init() {}
  }

  let core: ArchiveCore

  /// Opens a file, with the other parts beside it where it is one of a split archive; blocks while it
  /// reads the central directory.
  ///
  /// - Throws: ``ZipError``: `source-open`, `source-read`, `part-missing`, `no-end-record`,
  ///   `directory-damaged`, `directory-encrypted`.
  public init(path: String, options: Options = Options()) throws(ZipError) {
    try self.init(source: SplitSource.open(path: path), options: options)
  }

  /// Opens an archive in memory.
  ///
  /// - Throws: ``ZipError``: `no-end-record`, `directory-damaged`, `directory-encrypted`.
  public init(bytes: [UInt8], options: Options = Options()) throws(ZipError) {
    try self.init(source: BytesSource(bytes), options: options)
  }

  /// Opens an archive on anything with positioned reads.
  ///
  /// - Throws: ``ZipError``: what the source throws, `no-end-record`, `directory-damaged`,
  ///   `directory-encrypted`.
  public init(source: any ArchiveSource, options: Options = Options()) throws(ZipError) {
    try self.init(source: source, options: options, holding: DirectoryText.mostHeld)
  }

  /// Opens an archive whose directory stays in its file where it takes more than so many bytes.
  package init(
    source: any ArchiveSource, options: Options = Options(), holding most: Int
  ) throws(ZipError) {
    let directory = try CentralDirectory(source, holding: most)
    self.init(source: source, directory: directory, options: options)
  }

  init(source: any ArchiveSource, directory: CentralDirectory, options: Options) {
    let encoding =
      options.encoding ?? Self.detect(directory, options.detector) ?? NameEncoding.cp437
    core = ArchiveCore(
      source: source, directory: directory, registry: options.registry, encoding: encoding)
  }

  /// Opens a file without blocking the calling task's thread.
  ///
  /// - Throws: ``ZipError`` as ``init(path:options:)`` does.
  public static func open(path: String, options: Options = Options()) async throws -> ZipArchive {
    try await ZipThread.run(named: "zip-open") { try ZipArchive(path: path, options: options) }
  }

  /// The entries in the order of the central directory.
  public var entries: Entries { Entries(core: core) }

  /// The archive's comment, its bytes.
  public var commentBytes: [UInt8] { core.directory.comment }

  /// The archive's comment as text: UTF-8 where valid, else in the archive's character set.
  public var comment: String {
    String(validating: commentBytes, as: UTF8.self) ?? core.encoding.decode(commentBytes) ?? ""
  }

  /// The character set of names without a Unicode mark that are not valid UTF-8.
  public var encodingName: String { core.encoding.name }

  /// What is odd about the archive as a whole and does not keep it from being read.
  public var problems: [ZipError] { core.directory.problems }

  /// Bytes of the source.
  public var size: UInt64 { core.source.size }

  /// Where in the source the central directory stands.
  public var directoryOffset: UInt64 { core.directory.start }

  /// Bytes of the central directory.
  public var directorySize: UInt64 { core.directory.end - core.directory.start }

  /// Bytes in front of the archive; negative where bytes of its beginning are missing.
  public var base: Int64 { core.directory.base }

  /// What the end record says of the directory; nil where a salvage put it together.
  package var claim: DirectoryClaim? { core.directory.claim }

  // Only names that no rule settles are worth a guess.
  private static func detect(
    _ directory: CentralDirectory, _ detector: NameEncodingDetector?
  ) -> NameEncoding? {
    guard let detector, !directory.hasOnlyASCIINames else { return nil }
    var unsettled: [[UInt8]] = []
    var host = HostSystem.dos
    for index in 0..<directory.count {
      guard let header = directory.header(index), unsettled.count < 10_000 else { break }
      let name = directory.text.bytes(directory.nameRange(index, header))
      guard !name.allSatisfy({ $0 < 0x80 }) else { continue }
      guard String(validating: name, as: UTF8.self) == nil else { continue }
      unsettled.append(name)
      host = HostSystem(rawValue: UInt8(header.versionMadeBy >> 8))
    }
    return unsettled.isEmpty ? nil : detector(unsettled, host)
  }
}

extension ZipArchive {
  /// The entries of an archive, read out of its directory one by one as they are asked for.
  public struct Entries: RandomAccessCollection, Sendable {
    let core: ArchiveCore

    /// The number of the first entry.
    public var startIndex: Int { 0 }
    /// The number of entries.
    public var endIndex: Int { core.directory.count }

    /// The entry with a number.
    public subscript(index: Int) -> ZipEntry {
      precondition(indices.contains(index), "an entry's number must be below the count")
      return ZipEntry(core: core, index: index, header: core.directory.header(index) ?? .lost)
    }
  }

  /// The first entry with a name; compares every name on the way.
  public func entry(named name: String) -> ZipEntry? {
    entries.first { $0.name == name }
  }
}
