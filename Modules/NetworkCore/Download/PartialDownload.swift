import SystemIO

/// A download that is not whole: what it left on the disk, or is writing there now.
///
/// Nothing removes such a file unasked, as its bytes may be all that a slow link could bring.
///
/// ```swift
/// for part in try await PartialDownload.list(in: "Downloads") where !part.isInUse {
///   try await part.remove()
/// }
/// ```
public struct PartialDownload: Hashable, Sendable {
  /// `NAME.part`; its journal is beside it as `NAME.part.journal`.
  public let path: String
  /// The file that it is to become.
  ///
  /// A name that was too long for the endings stands here as it was cut.
  public let target: String
  /// The URL that was asked for, without secrets; `nil` when the journal does not tell.
  public let url: String?
  /// Bytes that a download of the same URL would not fetch again.
  public let storedBytes: UInt64
  /// The size of the whole file, where the server told.
  public let totalBytes: UInt64?
  /// What part and journal take on the disk, in bytes.
  public let allocatedBytes: UInt64
  /// The time since anything was written to part or journal.
  public let age: Duration
  /// Whether a process works on it.
  public let isInUse: Bool
  /// The process that wrote last, as it was numbered then.
  public let processID: Int32?
  /// The version of the file that the bytes belong to.
  let version: FileVersion
  /// What the part's inode was.
  private let identity: FileIdentity?

  private struct FileIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64

    init(_ status: FileStatus) { (device, inode) = (status.device, status.inode) }
  }

  /// What it takes to go on with it; `nil` when nothing is stored.
  ///
  /// Where the URL held secrets it has to be given again.
  public var resumeData: ResumeData? { ResumeData(partOf: target) }

  /// Finds the downloads in a directory that are not whole; names below it are not looked at.
  ///
  /// Only a part with a journal counts, or a journal without its part: other files of such a name may be
  /// somebody else's. (A part of less than 256 KiB has no journal before its download was interrupted.)
  /// - Returns: What was found, by name.
  /// - Throws: ``NetworkErrorCode/cannotOpenFile`` when the directory cannot be read.
  public static func list(in directory: String) async throws -> [PartialDownload] {
    try await OwnedThread.run(named: "fetch-parts") { try scan(directory) }
  }

  private static func scan(_ directory: String) throws -> [PartialDownload] {
    let names: [String]
    do {
      names = try FileSystem.names(in: directory)
    } catch {
      throw NetworkError(.file(.open, path: directory, SystemCode(rawValue: error.errno)))
    }
    return names.filter { $0.hasSuffix(PartName.suffix + PartName.journalSuffix) }.sorted()
      .compactMap {
        PartialDownload(Path.join(directory, String($0.dropLast(PartName.journalSuffix.count))))
      }
  }

  /// The download behind a part, or `nil` when its journal is none or cannot be read.
  init?(_ path: String) {
    let journalPath = PartName.journal(of: path)
    guard let journal = try? FileSystem.status(journalPath, followLinks: false),
      journal.kind == .regular, let state = try? JournalFile.load(journalPath)
    else { return nil }
    let part = try? FileSystem.status(path, followLinks: false)
    if let part, part.kind != .regular { return nil }
    self.path = path
    target = String(path.dropLast(PartName.suffix.count))
    url = state.origin.first
    storedBytes = state.proven(bootID: currentBootID(), partSize: part?.size ?? 0).count
    totalBytes = state.version.total
    version = state.version
    allocatedBytes = journal.allocated + (part?.allocated ?? 0)
    let last = max(journal.modified, part?.modified ?? journal.modified)
    let now = FileTime.now
    age = max(
      .zero, .seconds(now.seconds - last.seconds) + .nanoseconds(now.nanoseconds - last.nanoseconds)
    )
    isInUse = Self.isLocked(path)
    processID = state.processID
    identity = part.map(FileIdentity.init)
  }

  private static func isLocked(_ path: String) -> Bool {
    guard let file = try? FileDescriptor.open(path, [.noFollow, .nonBlocking]) else { return false }
    // Free again at once, as the descriptor ends here.
    return (try? file.tryLock()) == false
  }

  /// Removes part and journal.
  ///
  /// - Throws: ``NetworkErrorCode/cannotRemoveFile`` when a process works on the part, when another file
  ///   has its name by now, or when the system refuses.
  public func remove() async throws {
    let part = self
    try await OwnedThread.run(named: "fetch-sweep") { try part.sweep() }
  }

  private func sweep() throws {
    do {
      guard FileSystem.exists(path) else { return try removeJournal() }
      let file = try FileDescriptor.open(path, [.noFollow, .nonBlocking])
      // Under the lock, so that no download takes the part up between the look and the removal.
      guard try file.tryLock(), FileIdentity(try file.status()) == identity else {
        throw NetworkError(.partInUse(path: path, processID: processID, removing: true))
      }
      // The part first: a journal alone does no harm, a part alone counts as somebody else's.
      try FileSystem.unlink(path)
      try removeJournal()
      file.unlock()
    } catch let error as SystemError {
      throw NetworkError(.file(.remove, path: path, SystemCode(rawValue: error.errno)))
    }
  }

  private func removeJournal() throws(SystemError) {
    do {
      try FileSystem.unlink(PartName.journal(of: path))
    } catch  where error.isMissing {
      return
    }
  }
}
