import Synchronization

/// Passes a body on in chunks, holding the server back while the reader is behind.
final class StreamReceiver: TransferReceiver {
  private struct State {
    var chunks: [[UInt8]] = []
    var buffered = 0
    var isPaused = false
    /// libcurl reads local files in one go.
    var mayPause = true
    var transfer: TransferLoop.ID?
    var head: ResponseHead?
    var outcome: TransferOutcome?
    var received: UInt64 = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// Bytes kept for the reader before the transfer pauses.
  static let highWater = 1 << 20

  private let loop: TransferLoop
  private let wantsBody: @Sendable (ResponseHead) -> Bool
  private let state = Mutex(State())

  init(_ loop: TransferLoop, wantsBody: @escaping @Sendable (ResponseHead) -> Bool) {
    self.loop = loop
    self.wantsBody = wantsBody
  }

  /// Starts the transfer that this receiver is for.
  func start(_ request: TransferRequest) {
    state.withLock { $0.mayPause = !request.url.lowercased().hasPrefix("file:") }
    let id = loop.start(request, self)
    state.withLock { $0.transfer = id }
  }

  // MARK: TransferReceiver

  func receive(head: ResponseHead) -> Bool {
    wake { $0.head = head }
    return wantsBody(head)
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> ReceiverAnswer {
    let isFull = state.withLock { state in
      if state.buffered >= Self.highWater, state.mayPause { state.isPaused = true }
      return state.isPaused
    }
    if isFull { return .later }
    let chunk = unsafe Array(bytes)
    wake { state in
      state.chunks.append(chunk)
      state.buffered += chunk.count
      state.received += UInt64(chunk.count)
    }
    return .taken
  }

  func ended(_ outcome: TransferOutcome) {
    wake { $0.outcome = outcome }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state in
      change(&state)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  // MARK: The reader's side

  /// What the reader finds when it looks.
  enum Find {
    case chunk([UInt8])
    case ended(TransferOutcome)
  }

  /// Waits for the head; `nil` when the body or the end came without one.
  func head() async -> ResponseHead? {
    while true {
      let (head, isOver) = state.withLock { state in
        (state.head, state.outcome != nil || !state.chunks.isEmpty)
      }
      if head != nil || isOver { return head }
      await change()
    }
  }

  /// The next chunk, or the end.
  func next() async -> Find {
    while true {
      if let found = take() { return found }
      await change()
    }
  }

  private func take() -> Find? {
    let (found, resumes) = state.withLock { state -> (Find?, TransferLoop.ID?) in
      guard !state.chunks.isEmpty else { return (state.outcome.map { .ended($0) }, nil) }
      let chunk = state.chunks.removeFirst()
      state.buffered -= chunk.count
      guard state.isPaused, state.buffered <= Self.highWater / 2 else {
        return (.chunk(chunk), nil)
      }
      state.isPaused = false
      return (.chunk(chunk), state.transfer)
    }
    if let resumes { loop.resume(resumes) }
    return found
  }

  /// Body bytes that came so far.
  var received: UInt64 { state.withLock { $0.received } }

  /// Ends the transfer; the reader finds out by its outcome.
  func cancel() {
    let id = state.withLock { $0.transfer }
    if let id { loop.cancel(id) }
  }

  private func change() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLate = state.withLock { state in
          guard state.chunks.isEmpty, state.outcome == nil, state.waiter == nil else { return true }
          state.waiter = continuation
          return false
        }
        if isLate { continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
  }
}
