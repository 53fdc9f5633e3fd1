import Synchronization
import SystemIO

/// `NAME.part` with its journal: a file that is not whole yet.
///
/// Data goes to the kernel first and then to the journal's `written` records, so that a killed
/// process loses only what was not yet noted; a checkpoint syncs the data before the journal's
/// `synced` record says so, so that a machine that stops loses only what came after it. Checkpoints
/// are made while bytes arrive, on a thread of their own, and so the disk works all along: the sync at
/// the end, which gives the file its name, has little left to do.
final class PartFile: DownloadStore {
  fileprivate struct State {
    var ranges = ByteRanges()
    var version = FileVersion()
    var origin: [String] = []
    var journal: JournalFile?
    var generation = 0
    /// Bytes noted since the disk was last told to write.
    var unsettled: UInt64 = 0
    var isSettling = false
    var lastCheckpoint = Environment.monotonicNow
    /// Goes up when ranges stop being true, so that a checkpoint under way does not claim them.
    var forgotten = 0
    /// Whether the part may belong to another download now.
    var isReleased = false
    /// Why earlier bytes are not on the disk; the kernel tells it once.
    var lost: SystemError?
  }

  /// A part shorter than this has no journal unless its download was interrupted.
  static let journalThreshold: UInt64 = 256 << 10
  /// So much may be in memory only before the disk is told to write.
  private static let settleStep: UInt64 = 8 << 20
  /// What a machine that stops may cost, in time; each checkpoint is a wait for the disk.
  static let checkpointPeriod: Duration = .seconds(1)

  let path: String
  var journalPath: String { PartName.journal(of: path) }
  /// The file system that it is on.
  let device: UInt64
  private let file: FileDescriptor
  private let state: Mutex<State>
  private let hasJournal = Atomic<Bool>(false)
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
      device = try file.status().device
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
    let size = try file.status().size
    guard let known else { return size > 0 ? try file.truncate(to: 0) : () }
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
    hasJournal.store(true, ordering: .relaxed)
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
    if offset + UInt64(bytes.count) > Self.journalThreshold, !hasJournal.load(ordering: .relaxed) {
      // Before the part is so long: a long one without a journal counts as somebody else's.
      try state.withLock { (state) throws(SystemError) in
        if state.journal == nil { try openJournal(&state) }
      }
    }
    try unsafe file.write(bytes, at: offset)
  }

  func note(_ range: Range<UInt64>) throws(SystemError) {
    let settles = try state.withLock { (state) throws(SystemError) in
      if let lost = state.lost { throw lost }
      state.ranges.insert(range)
      try state.journal?.append([.written(range)])
      state.unsettled += UInt64(range.count)
      return state.unsettled >= Self.settleStep && state.beginsSettling()
    }
    if settles { startSettling() }
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
      state.forgotten += 1
      if try file.status().size > 0 { try file.truncate(to: 0) }
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
    try state.withLock { (state) throws(SystemError) in
      if state.journal == nil, state.ranges.count > 0 { try openJournal(&state) }
    }
    try sync()
  }

  /// Syncs the data, then has the journal say so, then syncs the journal.
  private func sync() throws(SystemError) {
    let (ranges, forgotten) = state.withLock { state in
      state.lastCheckpoint = Environment.monotonicNow
      state.unsettled = 0
      return (state.ranges, state.forgotten)
    }
    try syncData()
    let journal = try state.withLock { (state) throws(SystemError) -> JournalFile? in
      guard state.forgotten == forgotten, !state.isReleased else { return nil }
      try state.journal?.append([.synced(ranges)])
      return state.journal
    }
    try journal?.sync()
  }

  private func syncData() throws(SystemError) {
    do {
      try file.syncData()
    } catch {
      state.withLock { $0.lost = error }
      throw error
    }
  }

  /// Forgets bytes that are stored.
  ///
  /// The journal does, durably, before others are written in their place.
  func forget(_ ranges: [Range<UInt64>]) throws(SystemError) {
    try state.withLock { (state) throws(SystemError) in
      for range in ranges { state.ranges.remove(range) }
      state.generation += 1
      state.forgotten += 1
      if state.journal == nil { try openJournal(&state) }
      try state.journal?.append([.reset, .version(state.version)])
      try state.journal?.append(state.ranges.ranges.map { .written($0) })
    }
    try checkpoint()
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
      state.forgotten += 1
      try state.journal?.append([.reset, .synced(ByteRanges())])
      try state.journal?.append(state.ranges.ranges.map { .written($0) })
    }
  }

  /// More than a journal takes at first.
  private static let journalRoom: UInt64 = 64 << 10

  // MARK: While bytes arrive

  /// Makes a checkpoint in the background when the last one is a while ago; never waits.
  func settle(now: Duration) {
    let settles = state.withLock { state in
      state.unsettled > 0 && state.journal != nil
        && now - state.lastCheckpoint >= Self.checkpointPeriod && state.beginsSettling()
    }
    if settles { startSettling() }
  }

  private func startSettling() {
    do throws(SystemError) {
      try SpareThreads.shared.start { [self] in
        // What goes wrong with the journal costs a resume, not the download; a loss of data is kept.
        try? settleNow()
        state.withLock { $0.isSettling = false }
      }
    } catch {
      // Without a thread the bytes are synced at the end.
      state.withLock { $0.isSettling = false }
    }
  }

  private func settleNow() throws(SystemError) {
    try file.startWriteBack()
    let isDue = state.withLock {
      $0.journal != nil
        && Environment.monotonicNow - $0.lastCheckpoint >= Self.checkpointPeriod
    }
    if isDue { try sync() }
  }

  private func openJournal(_ state: inout State) throws(SystemError) {
    let journal = try JournalFile(creating: journalPath)
    try journal.append([.origin(state.origin), .version(state.version)])
    try begin(journal)
    try journal.append(state.ranges.ranges.map { .written($0) })
    state.journal = journal
    hasJournal.store(true, ordering: .relaxed)
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

  /// Cuts to the final length and sets times.
  func seal(length: UInt64, modified: FileTime?) throws(SystemError) {
    if let lost = state.withLock({ $0.lost }) { throw lost }
    if try file.status().size != length { try file.truncate(to: length) }
    if let modified { try file.setTimes(access: .unchanged, modification: modified) }
  }

  /// Brings everything to stable storage.
  func syncAll() throws(SystemError) { try file.sync() }

  /// Brings everything on its file system to stable storage.
  func syncFileSystem() throws(SystemError) { try file.syncFileSystem() }

  /// Lets another download have the part: this one writes no more.
  ///
  /// Said aloud, as the loop thread may hold on to this object a moment longer.
  func release() {
    state.withLock { $0.isReleased = true }
    file.unlock()
  }

  /// A file that could not be removed.
  typealias Leftover = (path: String, error: SystemError)

  /// Removes the part and its journal.
  ///
  /// - Returns: What the system did not remove; a later run starts over from it.
  func discard() -> [Leftover] { [remove(path), removeJournal()].compactMap { $0 } }

  /// Removes the journal, if one was begun.
  ///
  /// - Returns: The journal, where the system did not remove it.
  func removeJournal() -> Leftover? {
    state.withLock({ $0.journal != nil }) ? remove(journalPath) : nil
  }

  private func remove(_ path: String) -> Leftover? {
    do {
      try FileSystem.unlink(path)
      return nil
    } catch {
      return error.isMissing ? nil : (path, error)
    }
  }
}

extension PartFile.State {
  /// Whether a settling may begin, of which there is one at a time; it has begun then.
  fileprivate mutating func beginsSettling() -> Bool {
    guard !isSettling, !isReleased else { return false }
    (isSettling, unsettled) = (true, 0)
    return true
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
