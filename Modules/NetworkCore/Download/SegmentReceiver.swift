import ProgressReporting
import Synchronization
import SystemIO

/// Takes the answer to one request for a part of a file and writes it where it belongs.
///
/// Called on the loop thread; its numbers may be read and its end drawn nearer from any.
final class SegmentReceiver: TransferReceiver {
  private struct State {
    /// Where the next byte goes, those held back included.
    var position: UInt64
    /// What came last and is not written yet.
    var held: [UInt8] = []
    /// The byte after the last one wanted.
    var end: UInt64
    /// Up to where the store knows of this segment's bytes.
    var noted: UInt64
    /// Stored bytes that the answer repeats before the new ones begin.
    var overlap: ArraySlice<UInt8> = []
    var verdict: ResponseVerdict?
    var status = 0
    var problem: TransferProblem?
    var decoder: ContentDecoder?
    var isDone = false
  }

  /// Written but not noted: what a killed process may lose.
  private static let noteStep: UInt64 = 256 << 10
  /// The most that is written in one go.
  ///
  /// libcurl passes on 16 KiB at a time. Copied together and written at once they cost the kernel a
  /// third less than one by one.
  private static let writeStep = 512 << 10

  let ask: RangeAsk
  private let state: Mutex<State>
  private let store: Mutex<(any DownloadStore)?>
  private let judge: @Sendable (ResponseHead) -> SegmentPlan
  private let meter: WorkMeter
  private let completion: @Sendable (TransferOutcome) -> Void
  /// Whether the protocol has no response head (file, FTP).
  let isHeadless: Bool

  /// Whether the head of the answer said no.
  var isRefused: Bool {
    if case .failure? = verdict { true } else { false }
  }

  /// What to do with an answer, decided when its head is there.
  struct SegmentPlan: Sendable {
    var verdict: ResponseVerdict
    /// Where a wanted body goes.
    var store: (any DownloadStore)?
    /// Stored bytes to compare the beginning of the body with.
    var overlap: [UInt8] = []
    /// No more than this may come, decoded or not.
    var limit: UInt64?

    /// Whether it may take long enough for a look now and then to be of use.
    var isWorthWatching: Bool {
      guard case .body(let body) = verdict else { return false }
      return body.end.map { $0 - min($0, body.start) >= PartFile.journalThreshold } ?? true
    }
  }

  private let limit = Mutex<UInt64>(.max)
  /// The size of the whole file, as a protocol without heads tells it.
  private let announced = Mutex<UInt64?>(nil)

  init(
    ask: RangeAsk, writesFrom position: UInt64, isHeadless: Bool, meter: WorkMeter,
    judge: @escaping @Sendable (ResponseHead) -> SegmentPlan,
    completion: @escaping @Sendable (TransferOutcome) -> Void
  ) {
    self.ask = ask
    self.isHeadless = isHeadless
    self.meter = meter
    self.judge = judge
    self.completion = completion
    store = Mutex(nil)
    state = Mutex(State(position: position, end: ask.end ?? .max, noted: position))
  }

  // MARK: TransferReceiver

  func receive(head: ResponseHead) -> Bool {
    let plan = judge(head)
    store.withLock { $0 = plan.store }
    if let most = plan.limit { limit.withLock { $0 = most } }
    return state.withLock { state in
      state.verdict = plan.verdict
      state.status = head.status
      guard case .body(let body) = plan.verdict else { return false }
      if body.startsOver || body.start + UInt64(plan.overlap.count) != state.position {
        state.position = body.start + UInt64(plan.overlap.count)
        state.noted = state.position
      }
      state.overlap = plan.overlap[...]
      if let end = body.end, body.coding == nil { state.end = min(state.end, end) }
      if let coding = body.coding {
        state.decoder = ContentDecoder(coding)
        if state.decoder == nil { state.problem = .unknownCoding(coding) }
      }
      return state.problem == nil
    }
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> ReceiverAnswer {
    if isHeadless, state.withLock({ $0.verdict == nil }), !receive(head: impliedHead) {
      return .stop
    }
    return state.withLock { state in
      do throws(TransferProblem) {
        return try unsafe take(bytes, &state) ? .taken : .stop
      } catch {
        state.problem = error
        return .stop
      }
    }
  }

  func flush() -> Bool {
    state.withLock { state in
      do throws(TransferProblem) {
        try writeHeld(&state)
      } catch {
        state.problem = state.problem ?? error
      }
      return state.problem == nil
    }
  }

  func ended(_ outcome: TransferOutcome) {
    if outcome.curlCode == .ok, isHeadless, state.withLock({ $0.verdict == nil }) {
      // An empty file: no byte ever came.
      _ = receive(head: impliedHead)
    }
    _ = flush()
    state.withLock { state in
      finishDecoding(&state, outcome)
      noteRest(&state)
    }
    completion(outcome)
  }

  func receive(trailer field: ResponseHead.Field) {
    guard isHeadless, field.name.lowercased() == "content-length" else { return }
    announced.withLock { $0 = UInt64(field.value) }
  }

  /// What a protocol without heads amounts to: all of a file, or the rest from where it was asked for.
  ///
  /// A part whose size is not told names no range, and so begins anew.
  private var impliedHead: ResponseHead {
    var head = ResponseHead(version: "2", status: ask.isRanged ? 206 : 200)
    guard let size = announced.withLock({ $0 }) else { return head }
    let end = min(ask.end ?? size, size)
    if !ask.isRanged {
      head.fields.append(.init(name: "Content-Length", value: "\(size)"))
    } else if ask.start < end {
      head.fields.append(
        .init(name: "Content-Range", value: "bytes \(ask.start)-\(end - 1)/\(size)"))
    }
    return head
  }

  // MARK: Bytes

  /// Returns whether more is wanted.
  private func take(
    _ bytes: UnsafeRawBufferPointer, _ state: inout State
  ) throws(TransferProblem) -> Bool {
    guard let store = store.withLock({ $0 }) else { return false }
    guard state.decoder == nil else { return try unsafe decode(bytes, to: store, &state) }
    var rest = unsafe bytes[...]
    if !state.overlap.isEmpty {
      let count = unsafe min(state.overlap.count, rest.count)
      guard unsafe rest.prefix(count).elementsEqual(state.overlap.prefix(count)) else {
        throw .overlapDiffers(offset: state.position - UInt64(state.overlap.count))
      }
      state.overlap = state.overlap.dropFirst(count)
      unsafe rest = unsafe rest.dropFirst(count)
    }
    let room = state.end - min(state.end, state.position)
    if unsafe UInt64(rest.count) > room { unsafe rest = unsafe rest.prefix(Int(room)) }
    try unsafe put(UnsafeRawBufferPointer(rebasing: rest), to: store, &state)
    state.isDone = state.position >= state.end
    // The last byte announced is left to libcurl to see, so that the connection stays usable.
    return !isPastEnd(state)
  }

  private func isPastEnd(_ state: State) -> Bool {
    guard case .body(let body)? = state.verdict, let announced = body.end else {
      return state.position >= state.end
    }
    return state.position >= state.end && state.end < announced
  }

  private func put(
    _ bytes: UnsafeRawBufferPointer, to store: any DownloadStore, _ state: inout State
  ) throws(TransferProblem) {
    guard unsafe !bytes.isEmpty else { return }
    let count = UInt64(bytes.count)
    let most = limit.withLock { $0 }
    guard count <= most, state.position <= most - count else {
      throw .tooLarge(limit: most, found: state.position + count)
    }
    if state.held.count + bytes.count > Self.writeStep { try writeHeld(&state) }
    unsafe state.held.append(contentsOf: bytes)
    state.position += count
  }

  /// Writes what was held back, and tells the store where much is new.
  private func writeHeld(_ state: inout State) throws(TransferProblem) {
    guard !state.held.isEmpty, let store = store.withLock({ $0 }) else { return }
    let count = UInt64(state.held.count)
    do throws(SystemError) {
      let start = state.position - count
      try unsafe state.held.withUnsafeBufferPointer { (bytes) throws(SystemError) in
        try unsafe store.write(UnsafeRawBufferPointer(bytes), at: start)
      }
      state.held.removeAll(keepingCapacity: true)
      meter.advance(by: count)
      // Coded bodies cannot be taken up in the middle, so nothing of them is remembered.
      if state.decoder == nil, state.position - state.noted >= Self.noteStep {
        try store.note(state.noted..<state.position)
        state.noted = state.position
      }
    } catch {
      // What is not written does not count as there.
      state.position -= UInt64(state.held.count)
      state.held = []
      throw .file(.write, path: store.path, SystemCode(rawValue: error.errno))
    }
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer, to store: any DownloadStore, _ state: inout State
  ) throws(TransferProblem) -> Bool {
    guard let decoder = state.decoder else { return false }
    try unsafe decoder.decode(bytes) { (plain) throws(TransferProblem) in
      try unsafe put(plain, to: store, &state)
    }
    return true
  }

  private func finishDecoding(_ state: inout State, _ outcome: TransferOutcome) {
    guard let decoder = state.decoder, outcome.curlCode == .ok, state.problem == nil else { return }
    if !decoder.isComplete {
      state.problem = .codingDamaged(decoder.coding, atEnd: true, offset: decoder.consumed)
    }
  }

  private func noteRest(_ state: inout State) {
    // Coded bodies cannot be taken up in the middle, so nothing of them is remembered.
    guard state.decoder == nil, state.position > state.noted, let store = store.withLock({ $0 })
    else { return }
    do {
      try store.note(state.noted..<state.position)
      state.noted = state.position
    } catch {
      state.problem =
        state.problem ?? .file(.write, path: store.path, SystemCode(rawValue: error.errno))
    }
  }

  // MARK: Read from outside

  /// Where the next byte goes.
  var position: UInt64 { state.withLock { $0.position } }
  /// The byte after the last one wanted; `.max` when not known.
  var end: UInt64 { state.withLock { $0.end } }
  /// What the head led to; `nil` before it came.
  var verdict: ResponseVerdict? { state.withLock { $0.verdict } }
  /// The status of the answer, or 0 before it.
  var status: Int { state.withLock { $0.status } }
  /// What our own checks found wrong.
  var problem: TransferProblem? { state.withLock { $0.problem } }
  /// Whether every byte wanted is stored.
  var isDone: Bool { state.withLock { $0.isDone || $0.position >= $0.end } }

  /// Whether a body comes in that can be shared.
  var isRunning: Bool {
    state.withLock { state in
      guard case .body? = state.verdict, state.decoder == nil else { return false }
      return state.problem == nil && state.position < state.end
    }
  }

  /// Gives the tail of what is still to come to somebody else.
  ///
  /// - Parameters:
  ///   - shares: Into how many shares it is cut, of which one is given.
  ///   - least: What each share must have.
  ///   - knownEnd: Where the file ends.
  /// - Returns: The range given away, or `nil` when too little is left.
  func giveAway(
    oneOf shares: UInt64, atLeast least: UInt64, knownEnd: UInt64
  ) -> Range<UInt64>? {
    state.withLock { state in
      let end = min(state.end, knownEnd)
      guard case .body? = state.verdict, state.decoder == nil, end > state.position,
        end - state.position >= 2 * least
      else { return nil }
      let share = max(least, (end - state.position) / max(2, shares))
      state.end = end - share
      return state.end..<end
    }
  }

  /// Takes a range back that was given away from behind the end of this one.
  ///
  /// - Parameters:
  ///   - range: What was given away.
  ///   - takesAll: Whether what others have in between is taken, too: a server that ignores one range
  ///     ignores all.
  /// - Returns: Whether this one still runs and its answer reaches so far.
  func takeBack(_ range: Range<UInt64>, takesAll: Bool) -> Bool {
    state.withLock { state in
      let isNext = takesAll ? state.end <= range.lowerBound : state.end == range.lowerBound
      guard !range.isEmpty, isNext, state.position < state.end,
        state.problem == nil, case .body(let body)? = state.verdict,
        range.upperBound <= body.end ?? .max
      else { return false }
      state.end = range.upperBound
      return true
    }
  }
}
