import Synchronization

/// Threads for work that blocks, kept for a while after it, so that many short pieces of work do not
/// each pay for a thread of their own.
///
/// Nothing ever waits for a thread: where none is spare, one is made. A spare one ends after a while without work,
/// two seconds unless it is told otherwise.
package final class SpareThreads: Sendable {
  /// The threads of the process.
  package static let shared = SpareThreads()

  private struct State {
    var work: [@Sendable () -> Void] = []
    /// Threads that wait and that no work in the list is meant for.
    var idle = 0
  }

  private let state = Mutex(State())
  private let signal = ThreadSignal()
  private let patience: Duration

  /// Makes threads that end after so long without work.
  package init(patience: Duration = .seconds(2)) { self.patience = patience }

  /// How many threads wait for work.
  package var idleCount: Int { state.withLock { $0.idle } }

  /// Has work done on some thread.
  ///
  /// - Throws: `EAGAIN` when there is no spare thread and the system has none left.
  package func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let isTaken = state.withLock { state in
      guard state.idle > 0 else { return false }
      state.idle -= 1
      state.work.append(body)
      return true
    }
    if isTaken { return signal.notifyOne() }
    _ = try OwnedThread(named: "courier-spare") { [self] in serve(body) }
  }

  private func serve(_ first: @escaping @Sendable () -> Void) {
    var next: (@Sendable () -> Void)? = first
    while let body = next {
      body()
      next = nil
      state.withLock { $0.idle += 1 }
      next =
        signal.wait(atMost: patience) { state.withLock { $0.work.popLast() } }
        ?? state.withLock { state in
          // Work that was given at the last moment counted on this thread.
          if let late = state.work.popLast() { return late }
          state.idle -= 1
          return nil
        }
    }
  }

  /// Runs blocking work and waits for its result without blocking.
  ///
  /// - Throws: What the work throws, or `EAGAIN` when the system has no thread left.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      do throws(SystemError) {
        try start { continuation.resume(with: Result { try body() }) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
