import Synchronization
import SystemIO

/// `NAME.part` with its journal: a file that is not whole yet.
///
/// Data goes to the kernel first and then to the journal's `written` records, so that a killed
/// process loses only what was not yet noted; a checkpoint syncs the data before the journal's
/// `synced` record says so, so that a machine that stops loses only what came after it.
final class PartFile: DownloadStore {
  private struct State {
    var ranges = ByteRanges()
    var version = FileVersion()
    var origin: [String] = []
    var journal: JournalFile?
    var generation = 0
  }

  /// A part shorter than this has no journal unless its download was interrupted.
  static let journalThreshold: UInt64 = 256 << 10

  let path: String
  var journalPath: String { PartName.journal(of: path) }
  private let file: FileDescriptor
  private let state: Mutex<State>
  private let bootID = currentBootID()

  /// Opens a part and takes its lock.
  ///
  /// - Parameters:
  ///   - path: Where it stands; the directory must exist.
  ///   - known: What its journal proves, or `nil` to begin anew.
  /// - Throws: That another process writes it, or what the system said.
  init(_ path: String, resuming known: JournalState?) throws(PartFailure) {
    self.path = path
    do {
      file = try FileDescriptor.open(path, [.readWrite, .create, .noFollow], mode: 0o666)
    } catch {
      throw .open(error)
    }
    state = Mutex(State())
    do {
      // Whoever had the lock before may have given the file its name, and with it the bytes.
      guard try lock(), try hasItsName() else { throw PartFailure.inUse }
      try restore(known)
    } catch let error as SystemError {
      throw .open(error)
    } catch {
      throw .inUse
    }
  }

  /// Waits a moment, as somebody may only be looking, or end just now.
  private func lock() throws(SystemError) -> Bool {
    for _ in 0..<10 {
      if try file.tryLock() { return true }
      OwnedThread.sleep(.milliseconds(20))
    }
    return false
  }

  private func hasItsName() throws(SystemError) -> Bool {
    let (mine, named) = (try file.status(), try FileSystem.status(path, followLinks: false))
    return mine.device == named.device && mine.inode == named.inode
  }

  private func restore(_ known: JournalState?) throws(SystemError) {
    guard let known else { return try file.truncate(to: 0) }
    let size = try file.status().size
    let journal = try JournalFile(continuing: journalPath, after: known)
    var state = State(version: known.version, origin: known.origin, journal: journal)
    state.ranges = known.proven(bootID: bootID, partSize: size)
    try begin(journal)
    if known.claims(beyond: size) {
      // The part was cut: what is written behind its end from now on must not revive the old claim.
      try journal.append([.reset, .synced(known.synced.intersection(0..<size))])
      try journal.append(state.ranges.ranges.map { .written($0) })
    }
    let restored = state
    self.state.withLock { $0 = restored }
  }

  private func begin(_ journal: JournalFile) throws(SystemError) {
    try journal.append([
      .session(bootID: bootID ?? "", processID: Environment.processID)
    ])
  }

  // MARK: DownloadStore

  var isSeekable: Bool { true }

  var ranges: ByteRanges { state.withLock { $0.ranges } }

  /// Goes up each time all bytes are forgotten.
  var generation: Int { state.withLock { $0.generation } }

  /// What identifies the file that the ranges belong to.
  var version: FileVersion { state.withLock { $0.version } }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemError) {
    try unsafe file.write(bytes, at: offset)
  }

  func note(_ range: Range<UInt64>) throws(SystemError) {
    try state.withLock { (state) throws(SystemError) in
      state.ranges.insert(range)
      try state.journal?.append([.written(range)])
      if state.journal == nil, state.ranges.count >= Self.journalThreshold {
        try openJournal(&state)
      }
    }
  }

  func read(_ range: Range<UInt64>) throws(SystemError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = try unsafe bytes.withUnsafeMutableBufferPointer { (buffer) throws(SystemError) in
      try unsafe file.readFully(
        into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
    }
    return count == bytes.count ? bytes : nil
  }

  /// Reads into a buffer, as far as the file reaches.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemError)
    -> Int
  {
    try unsafe file.readFully(into: buffer, at: offset)
  }

  func startOver(_ version: FileVersion) throws(SystemError) -> Bool {
    try state.withLock { (state) throws(SystemError) in
      // The journal forgets, durably, before the first byte of the new version overwrites an old.
      if let journal = state.journal, state.ranges.count > 0 {
        try journal.append([.reset, .version(version)])
        try journal.sync()
      }
      state.ranges = ByteRanges()
      state.version = version
      state.generation += 1
      try file.truncate(to: 0)
    }
    return true
  }

  func identify(_ version: FileVersion, origin: [String]) throws(SystemError) {
    try state.withLock { (state) throws(SystemError) in
      guard state.version != version || state.origin != origin else { return }
      state.version = version
      state.origin = origin
      try state.journal?.append([.origin(origin), .version(version)])
    }
  }

  func checkpoint() throws(SystemError) {
    let (ranges, journal) = try state.withLock {
      (state) throws(SystemError) -> (ByteRanges, JournalFile?) in
      if state.journal == nil, state.ranges.count > 0 { try openJournal(&state) }
      return (state.ranges, state.journal)
    }
    try file.syncData()
    try journal?.append([.synced(ranges)])
    try journal?.sync()
  }

  /// Makes a checkpoint at the end of a run; on a full disk it gives up the last bytes for the journal.
  func keep() throws(SystemError) {
    do {
      try checkpoint()
    } catch  where error.isFull {
      try cutTail()
      try checkpoint()
    }
  }

  private func cutTail() throws(SystemError) {
    try state.withLock { (state) throws(SystemError) in
      guard let last = state.ranges.ranges.last else { return }
      let end = last.upperBound - min(last.upperBound - last.lowerBound, Self.journalRoom)
      try file.truncate(to: end)
      state.ranges.remove(end..<last.upperBound)
      try state.journal?.append([.reset, .synced(ByteRanges())])
      try state.journal?.append(state.ranges.ranges.map { .written($0) })
    }
  }

  /// More than a journal takes at first.
  private static let journalRoom: UInt64 = 64 << 10

  private func openJournal(_ state: inout State) throws(SystemError) {
    let journal = try JournalFile(creating: journalPath)
    try journal.append([.origin(state.origin), .version(state.version)])
    try begin(journal)
    try journal.append(state.ranges.ranges.map { .written($0) })
    state.journal = journal
  }

  // MARK: Ends

  /// Sets space aside; a file system that cannot is no reason to stop.
  func reserve(_ total: UInt64) throws(SystemError) {
    do {
      try file.reserve(total)
    } catch  where error.isNotSupported {
      return
    }
  }

  /// Bytes that may still be stored on this file system.
  func freeSpace() throws(SystemError) -> UInt64 { try file.freeSpace() }

  /// Bytes of the file that have a place on the disk already.
  func allocated() throws(SystemError) -> UInt64 { try file.status().allocated }

  /// Sets an extended attribute.
  func setAttribute(_ name: String, _ value: String) throws(SystemError) {
    try file.setAttribute(name, Array(value.utf8))
  }

  /// Cuts to the final length, sets times, and brings everything to stable storage.
  func seal(length: UInt64, modified: FileTime?) throws(SystemError) {
    try file.truncate(to: length)
    if let modified { try file.setTimes(access: .unchanged, modification: modified) }
    try file.sync()
  }

  /// Lets another download have the part: this one writes no more.
  ///
  /// Said aloud, as the loop thread may hold on to this object a moment longer.
  func release() { file.unlock() }

  /// Removes the part and its journal.
  func discard() {
    // Best effort: both are ours, and a later run starts over from whatever is left of them.
    try? FileSystem.unlink(path)
    removeJournal()
  }

  /// Removes the journal, if one was begun.
  func removeJournal() {
    guard state.withLock({ $0.journal != nil }) else { return }
    try? FileSystem.unlink(journalPath)
  }
}

/// Why a part could not be opened.
enum PartFailure: Error {
  /// Another process writes it.
  case inUse
  /// It belongs to another download, or to nobody known.
  case ofAnother(url: String?)
  case open(SystemError)
}
