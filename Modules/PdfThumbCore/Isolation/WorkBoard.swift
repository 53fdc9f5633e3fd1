internal import Synchronization
internal import SystemIO

/// The jobs of all open documents, and the lanes that take them.
///
/// A lane stays with a document as long as that has work, for opening one is the dearest step.
final class WorkBoard: Sendable {
  /// Wakes a lane that waits.
  final class Wake: Sendable {
    let signal: WakeSignal
    init() throws(SystemError) { signal = try WakeSignal() }
  }

  private struct Queue {
    let file: DocumentFile
    var pending: [WorkJob] = []
    var failure: PDFError?
    var lanes = 0
    /// Those of its lanes that wait for work.
    var idle = 0
  }

  private struct State {
    var queues: [ObjectIdentifier: Queue] = [:]
    var wakes: [Wake] = []
    var idle = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  // MARK: - Callers

  /// Adds a job at the end of its document's queue, or finishes it at once where that cannot be.
  func add(_ job: WorkJob) {
    let refusal = state.withLock { state -> PDFError? in
      let key = ObjectIdentifier(job.file)
      if state.isClosed { return .closed() }
      if case .open = job.order, state.queues[key] == nil {
        state.queues[key] = Queue(file: job.file)
      }
      guard let queue = state.queues[key] else { return .closed() }
      if let failure = queue.failure { return failure }
      state.queues[key]?.pending.append(job)
      return nil
    }
    if let refusal { job.finish(.failure(refusal)) } else { wakeAll() }
  }

  /// Wakes the lanes, for a job of theirs was cancelled.
  func wakeAll() {
    for wake in state.withLock({ $0.wakes }) { wake.signal.raise() }
  }

  /// Takes a document off the board; whoever waits for its pages is told so.
  func remove(_ file: DocumentFile) {
    let pending = state.withLock { state in
      state.queues.removeValue(forKey: ObjectIdentifier(file))?.pending ?? []
    }
    for job in pending { job.finish(.failure(.closed())) }
    wakeAll()
  }

  /// Ends all lanes.
  func close() {
    let queues = state.withLock { state -> [Queue] in
      state.isClosed = true
      defer { state.queues = [:] }
      return Array(state.queues.values)
    }
    for job in queues.flatMap(\.pending) { job.finish(.failure(.closed())) }
    wakeAll()
  }

  // MARK: - Lanes

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Whether a document has not been closed.
  func isOpen(_ file: DocumentFile) -> Bool {
    state.withLock { $0.queues[ObjectIdentifier(file)] != nil }
  }

  func register(_ wake: Wake) {
    state.withLock {
      $0.wakes.append(wake)
      $0.idle += 1
    }
  }

  /// A lane begins or ends to have work.
  ///
  /// - Parameters:
  ///   - isIdle: Whether it waits for work from now on.
  ///   - file: The document it has open.
  func noteIdle(_ isIdle: Bool, at file: DocumentFile?) {
    let change = isIdle ? 1 : -1
    state.withLock { state in
      state.idle += change
      if let file { state.queues[ObjectIdentifier(file)]?.idle += change }
    }
  }

  /// The next job for a lane.
  ///
  /// - Parameters:
  ///   - file: The document the lane has open.
  ///   - isExtra: Whether the lane has a job under way; then it gets one of the same document only,
  ///     and only where that leaves every idle lane one.
  /// - Returns: A job that somebody waits for, or `nil` when there is none to do now.
  func take(for file: DocumentFile?, isExtra: Bool) -> WorkJob? {
    state.withLock { state in
      for key in state.queues.keys { state.queues[key]?.pending.removeAll(where: \.isFinished) }
      if let file, let job = take(ObjectIdentifier(file), leaving: isExtra ? state.idle : 0, &state)
      {
        return job
      }
      guard !isExtra else { return nil }
      // What lanes that have the document open can do at once is not worth opening it again.
      let others = state.queues.filter { $0.value.pending.count > $0.value.idle }
      guard let (key, _) = others.min(by: { $0.value.lanes < $1.value.lanes }) else { return nil }
      return take(key, leaving: 0, &state)
    }
  }

  private func take(_ key: ObjectIdentifier, leaving: Int, _ state: inout State) -> WorkJob? {
    guard let count = state.queues[key]?.pending.count, count > leaving else { return nil }
    return state.queues[key]?.pending.removeFirst()
  }

  /// Puts jobs back to be taken next.
  func putBack(_ jobs: [WorkJob]) {
    guard let file = jobs.first?.file else { return }
    let isThere = state.withLock { state in
      state.queues[ObjectIdentifier(file)]?.pending.insert(contentsOf: jobs, at: 0) != nil
    }
    if !isThere { for job in jobs { job.finish(.failure(.closed())) } }
    wakeAll()
  }

  /// A lane opens a document or leaves it.
  func note(lanes change: Int, for file: DocumentFile) {
    state.withLock { $0.queues[ObjectIdentifier(file)]?.lanes += change }
  }

  /// A document that cannot be opened: all that wait for it are told, and all that will ask.
  func fail(_ file: DocumentFile, _ error: PDFError) {
    let pending = state.withLock { state -> [WorkJob] in
      let key = ObjectIdentifier(file)
      defer { state.queues[key]?.pending = [] }
      state.queues[key]?.failure = error
      return state.queues[key]?.pending ?? []
    }
    for job in pending { job.finish(.failure(error)) }
  }
}
