import ProgressReporting
import Synchronization
import SystemIO

/// What a download knows of its file, shared by the loop thread (heads arrive there) and its task.
final class DownloadBook: Sendable {
  private struct State {
    var place: OpenPlace?
    var version = FileVersion()
    var origin: [String]
    var skipped: (path: String, size: UInt64)?
    var takesOver = true
    /// Whether the server would not go on in the middle of the file.
    var lacksRanges = false
    var currentURL: String?
    /// Of the answer that the first stream takes its bytes from.
    var head: ResponseHead?
    var isCoded = false
    var isMultiplexed = false
    /// Whether the server said or showed that it serves ranges.
    var servesRanges = false
    var expected = ExpectedDigests()
    var hasher: PartHasher?
    var pieces: PieceChecksums?
    /// What the last check found to be others' bytes, where pieces tell.
    var badRanges: [Range<UInt64>] = []
    var referrals = Referrals()
    /// Whether the bytes come from another place than the one asked for.
    var isElsewhere = false
  }

  private let place: DownloadPlace
  private let options: DownloadOptions
  private let meter: WorkMeter
  private let state: Mutex<State>

  init(_ place: DownloadPlace, options: DownloadOptions, meter: WorkMeter) {
    self.place = place
    self.options = options
    self.meter = meter
    var state = State(origin: [URLRedaction.redact(place.url)])
    state.expected.add(options.checksums, from: Self.caller)
    state.pieces = options.pieces
    self.state = Mutex(state)
  }

  // MARK: Facts

  var openPlace: OpenPlace? { state.withLock { $0.place } }
  var version: FileVersion { state.withLock { $0.version } }
  var head: ResponseHead? { state.withLock { $0.head } }
  var skipped: (path: String, size: UInt64)? { state.withLock { $0.skipped } }
  var stored: ByteRanges { openPlace?.store.ranges ?? ByteRanges() }
  /// Whether a range can be asked for: nothing speaks against it so far.
  var mayAskRanges: Bool { state.withLock { !$0.lacksRanges && !$0.isCoded } }

  /// Whether several connections can work on the file at once.
  ///
  /// Over HTTP/2 all ranges would share one connection, which gains nothing.
  var mayUseSegments: Bool {
    state.withLock { state in
      !state.lacksRanges && !state.isCoded && !state.isMultiplexed && state.place?.part != nil
    }
  }

  /// Whether there is no doubt that ranges are served.
  var isSureOfRanges: Bool { state.withLock { $0.servesRanges && !$0.lacksRanges } }
  /// Whether ``verify(total:)`` has nothing to wait for.
  var verifiesAtOnce: Bool {
    state.withLock { $0.expected.items.isEmpty && $0.pieces == nil && $0.hasher == nil }
  }

  /// Finds the place before the first request; call it on a thread that may block.
  func prepare() throws(TransferProblem) { adopt(try place.find()) }

  private func adopt(_ finding: DownloadPlace.Finding) {
    state.withLock { adopt(finding, &$0) }
  }

  private func adopt(_ finding: DownloadPlace.Finding, _ state: inout State) {
    switch finding {
    case .unnamed: break
    case .skip(let path, let size): state.skipped = (path, size)
    case .open(let place):
      state.place = place
      if let part = place.part, part.ranges.count > 0 { state.version = part.version }
    }
  }

  /// Remembers the redirects that led here.
  func follow(chain: [String]) {
    state.withLock { state in
      state.origin = chain.map(URLRedaction.redact)
      state.currentURL = chain.last
    }
  }

  /// Other places of the file that the server named; none where nothing tells whether they have the same.
  var referredMirrors: [String] {
    state.withLock { $0.expected.items.isEmpty ? [] : $0.referrals.mirrors }
  }

  /// A Metalink about the file that the server named.
  var referredMetalink: String? { state.withLock { $0.referrals.metalink } }

  /// Takes what a Metalink says about the file.
  func learn(_ file: Metalink.File) {
    state.withLock { state in
      state.expected.add(file.checksums, from: "the Metalink")
      state.pieces = state.pieces ?? file.pieces
    }
  }

  /// What was found not to be what it should be, by the pieces' checksums.
  var badRanges: [Range<UInt64>] { state.withLock { $0.badRanges } }

  /// From now on the bytes come from another place, of whose validators nothing is known.
  func changePlace() {
    state.withLock { state in
      state.isElsewhere = true
      state.lacksRanges = false
      state.version = FileVersion(total: state.version.total)
    }
  }

  /// Forgets some of the bytes.
  ///
  /// - Returns: Whether that was possible.
  func forget(_ ranges: [Range<UInt64>]) throws(TransferProblem) -> Bool {
    guard let part = openPlace?.part else { return false }
    do throws(SystemError) {
      try part.forget(ranges)
    } catch {
      throw .file(.write, path: part.path, SystemCode(rawValue: error.errno))
    }
    meter.restart(completed: part.ranges.count)
    return true
  }

  /// Sets whether an answer with the whole file may replace what is stored, at once.
  func allowTakeOver(_ allowed: Bool) { state.withLock { $0.takesOver = allowed } }

  /// Forgets all stored bytes, since another version begins; `false` where they have gone out.
  func startOver() throws(TransferProblem) -> Bool {
    try state.withLock { (state) throws(TransferProblem) in
      state.version = FileVersion()
      guard let place = state.place else { return true }
      do throws(SystemError) {
        let done = try place.store.startOver(FileVersion())
        if done { meter.restart() }
        return done
      } catch {
        throw .file(.write, path: place.path, SystemCode(rawValue: error.errno))
      }
    }
  }

  // MARK: Heads

  /// Judges a head and makes ready for its body; runs on the loop thread.
  func plan(_ head: ResponseHead, _ ask: RangeAsk, writesFrom: UInt64)
    -> SegmentReceiver.SegmentPlan
  {
    state.withLock { state in
      let stored = state.place?.store.ranges.count ?? 0
      let verdict = ResponseRule.judge(
        head, ask: ask, known: state.version, stored: stored, decodes: options.decodes)
      note(head, &state)
      guard case .body(let body) = verdict else { return .init(verdict: verdict) }
      do throws(TransferProblem) {
        return try accept(body, head, ask, writesFrom, &state)
      } catch {
        return .init(verdict: .failure(error))
      }
    }
  }

  /// Remembers where else the file is, which answers and redirects tell.
  private func note(_ head: ResponseHead, _ state: inout State) {
    guard options.usesServerMirrors, !state.isElsewhere, state.referrals == Referrals() else {
      return
    }
    state.referrals = Referrals(head, from: state.currentURL ?? place.url, options.transfer)
  }

  private func accept(
    _ body: ResponseVerdict.Body, _ head: ResponseHead, _ ask: RangeAsk, _ writesFrom: UInt64,
    _ state: inout State
  ) throws(TransferProblem) -> SegmentReceiver.SegmentPlan {
    // With If-Range the whole file says only that it has changed.
    if ask.isRanged, !ask.isConditional, head.status == 200 { state.lacksRanges = true }
    let ranges = head["accept-ranges"]?.lowercased()
    if ranges == "none" { state.lacksRanges = true }
    if ranges == "bytes" || head.status == 206 { state.servesRanges = true }
    state.isCoded = body.coding != nil
    state.isMultiplexed = !head.version.hasPrefix("1")
    if body.end == nil, body.coding == nil, options.requiresLength { throw .lengthUnknown }
    try checkSize(body.version.total)
    if body.startsOver { state.expected.keepOnly(source: Self.caller) }
    if options.checksServerDigests, body.coding == nil { state.expected.add(head) }
    if state.place == nil { try openNamed(head, &state) }
    if state.skipped != nil { return .init(verdict: .complete) }
    guard let place = state.place else { throw .targetIsNotAFile(path: "") }
    if body.startsOver || body.start < ask.start, !state.takesOver {
      return .init(verdict: .startOver(.rangeIgnored(offset: ask.start)))
    }
    let version = body.startsOver ? body.version : body.version.completed(by: state.version)
    let isClear: Bool
    do throws(SystemError) {
      isClear = body.startsOver ? try place.store.startOver(version) : true
      // Another place's validators would only mislead a later run, which asks the first place again.
      let lasting = state.isElsewhere ? FileVersion(total: version.total) : version
      if isClear { try place.store.identify(lasting, origin: state.origin) }
    } catch {
      throw .file(.write, path: place.path, SystemCode(rawValue: error.errno))
    }
    guard isClear else { throw .rangeIgnored(offset: ask.start) }
    if body.startsOver { meter.restart() }
    state.version = version
    if let total = body.version.total { try makeRoom(total, place) }
    meter.setTotal(body.version.total)
    try startHashing(&state)
    if state.takesOver {
      state.head = head
      options.onEvent?(
        .response(
          url: state.origin.last ?? "", status: head.status, total: body.version.total,
          resumedAt: body.startsOver ? 0 : writesFrom, path: place.path))
    }
    let overlap = try overlap(body, writesFrom, place)
    return .init(
      verdict: .body(body), store: place.store, overlap: overlap, limit: options.sizeLimit)
  }

  private func checkSize(_ total: UInt64?) throws(TransferProblem) {
    guard let total else { return }
    if let limit = options.sizeLimit, total > limit { throw .tooLarge(limit: limit, found: total) }
    if let size = options.expectedSize, total != size {
      throw .sizeDiffers(expected: size, found: total)
    }
  }

  private func openNamed(_ head: ResponseHead, _ state: inout State) throws(TransferProblem) {
    guard case .directory(let directory) = place.target else { return }
    let name = DownloadName.choose(head: head, url: state.currentURL ?? place.url)
    adopt(try place.open(inDirectory: directory, name: name), &state)
    // A part found only now was not asked about: its bytes cannot be combined with this answer.
    guard let opened = state.place, opened.store.ranges.count > 0 else { return }
    do {
      _ = try opened.store.startOver(FileVersion())
    } catch {
      throw .file(.write, path: opened.path, SystemCode(rawValue: error.errno))
    }
  }

  private func makeRoom(_ total: UInt64, _ place: OpenPlace) throws(TransferProblem) {
    guard let part = place.part else { return }
    do throws(SystemError) {
      let free = try part.freeSpace()
      // Next to nothing needs no second look.
      let there = total < 1 << 20 && total <= free ? 0 : try part.allocated()
      let needed = total - min(total, there)
      guard needed <= free else {
        throw SystemError(errno: SystemCode.noSpace.rawValue, call: "statvfs")
      }
      if needed >= 1 << 20 { try part.reserve(total) }
    } catch {
      guard SystemCode(rawValue: error.errno).isOutOfSpace else {
        throw .file(.write, path: part.path, SystemCode(rawValue: error.errno))
      }
      throw .noSpace(path: part.path, needed: total, available: (try? part.freeSpace()) ?? 0)
    }
  }

  private func overlap(
    _ body: ResponseVerdict.Body, _ writesFrom: UInt64, _ place: OpenPlace
  ) throws(TransferProblem) -> [UInt8] {
    guard !body.startsOver, body.start < writesFrom else { return [] }
    do {
      return try place.store.read(body.start..<writesFrom) ?? []
    } catch {
      throw .file(.read, path: place.path, SystemCode(rawValue: error.errno))
    }
  }

  /// Who states the checksums in the options.
  static let caller = "the caller"
  /// What is compared where nobody stated a digest.
  static let lengthCheck = "length"

  private func startHashing(_ state: inout State) throws(TransferProblem) {
    let wanted = state.expected.algorithms
    guard !wanted.isEmpty || state.pieces != nil, let place = state.place else { return }
    guard let part = place.part else { return try place.stream?.hash(wanted) ?? () }
    if let hasher = state.hasher {
      // A later answer may state a digest of another kind: then all has to be read once more.
      guard !hasher.algorithms.isSuperset(of: wanted) else { return }
      hasher.cancel()
    }
    do {
      state.hasher = try PartHasher(part, wanted, state.pieces)
    } catch {
      throw .file(.open, path: part.path, SystemCode(rawValue: error.errno))
    }
  }

  // MARK: The end

  /// Checks size and digests of the whole file; call it on a thread that may block.
  ///
  /// - Returns: What was checked, for people.
  func verify(total: UInt64) throws -> String {
    if let size = options.expectedSize, total != size {
      throw TransferProblem.sizeDiffers(expected: size, found: total)
    }
    let (expected, pieces, hasher, place) = try state.withLock { state in
      try startHashing(&state)
      defer { (state.hasher, state.badRanges) = (nil, []) }
      return (state.expected, state.pieces, state.hasher, state.place)
    }
    let findings = try hasher?.finish(total: total)
    let found = try findings?.checksums ?? place?.stream?.digests() ?? []
    let bad = pieces?.covers(total) == true ? findings?.badPieces ?? [] : []
    let ranges = bad.compactMap { pieces?.range(of: $0, size: total) }
    if let problem = expected.mismatch(found) {
      state.withLock { $0.badRanges = ranges }
      throw problem
    }
    // The digest of the whole outweighs those of the pieces.
    guard expected.items.isEmpty else { return expected.summary }
    guard let pieces, pieces.covers(total), findings != nil else { return Self.lengthCheck }
    if let first = ranges.first {
      state.withLock { $0.badRanges = ranges }
      throw TransferProblem.pieces(
        count: bad.count, of: pieces.checksums.count, first: first.lowerBound)
    }
    return "\(pieces.checksums.count) pieces"
  }

  /// Makes the finished file ready to be synced; this and what follows may block.
  func seal(total: UInt64) throws(TransferProblem) {
    guard let part = openPlace?.part else { return }
    let modified =
      options.keepsServerTime ? version.lastModified.flatMap { try? HTTPDate($0) } : nil
    if options.recordsOrigin { recordOrigin(on: part) }
    do {
      try part.seal(
        length: total, modified: modified.map { FileTime(seconds: $0.secondsSinceEpoch) })
    } catch {
      throw .file(.sync, path: part.path, SystemCode(rawValue: error.errno))
    }
  }

  /// Brings the finished file to stable storage.
  func sync() throws(TransferProblem) {
    guard let part = openPlace?.part else { return }
    do {
      try part.syncAll()
    } catch {
      throw .file(.sync, path: part.path, SystemCode(rawValue: error.errno))
    }
  }

  /// Gives the synced file its name, and returns it; the directory is the caller's to sync.
  func giveName() throws(TransferProblem) -> String {
    guard let place = openPlace else { throw .targetIsNotAFile(path: "") }
    guard let part = place.part else { return place.path }
    let path = try rename(part.path, to: place.path)
    if let journal = part.removeJournal() { tell(of: journal) }
    part.release()
    return path
  }

  private func tell(of leftover: PartFile.Leftover) {
    options.onEvent?(
      .left(
        url: state.withLock { $0.origin.last ?? "" }, path: leftover.path,
        because: SystemCode(rawValue: leftover.error.errno)))
  }

  /// Notes on the file where it came from, as desktops and curl do.
  private func recordOrigin(on part: PartFile) {
    var attributes = ["user.xdg.origin.url": state.withLock { $0.origin.last }]
    attributes["user.xdg.referrer.url"] = options.transfer.referer.map(URLRedaction.redact)
    for case (let name, let value?) in attributes {
      // Many file systems keep no attributes, and a URL may be longer than their room.
      try? part.setAttribute(name, value)
    }
  }

  private func rename(_ part: String, to path: String) throws(TransferProblem) -> String {
    for wanted in DownloadName.candidates(path) {
      do {
        try FileSystem.rename(
          part, to: wanted, options.existing == .replace ? .replace : .keepExisting)
        return wanted
      } catch {
        let code = SystemCode(rawValue: error.errno)
        guard code == .exists else { throw .file(.move, path: wanted, code) }
        guard options.existing == .rename else { throw .targetExists(path: wanted) }
      }
    }
    throw .targetExists(path: path)
  }

  /// After a failure: keeps what can be resumed, removes what holds nothing.
  ///
  /// - Parameter isWrong: Whether the bytes are known not to be the file.
  /// - Returns: The part that stays, and how much is in it.
  func abandon(isWrong: Bool) -> (part: String, bytes: UInt64)? {
    state.withLock { $0.hasher.take() }?.cancel()
    guard let part = openPlace?.part else { return nil }
    defer { part.release() }
    if isWrong || part.ranges.count == 0 {
      part.discard().forEach(tell)
      return nil
    }
    do {
      try part.keep()
    } catch {
      // What was noted before counts, which may be less: nothing is promised.
      return nil
    }
    return (part.path, part.ranges.count)
  }
}
