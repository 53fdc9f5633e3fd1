import Synchronization

/// Reaches the coordinator of a download from outside its task.
///
/// Unlike an `AsyncStream` it goes on when the task that listens is cancelled: what was begun has to be heard to
/// its end, lest a transfer write into a part that was given back.
final class DownloadControl: Sendable {
  private struct State {
    var signals: [DownloadRun.Signal] = []
    var listener: CheckedContinuation<DownloadRun.Signal, Never>?
  }

  private let state = Mutex(State())

  /// Tells the coordinator something; never waits.
  func yield(_ signal: DownloadRun.Signal) {
    let listener = state.withLock { state in
      let listener = state.listener.take()
      if listener == nil { state.signals.append(signal) }
      return listener
    }
    listener?.resume(returning: signal)
  }

  /// Waits for what is told next; for one listener.
  func next() async -> DownloadRun.Signal {
    await withCheckedContinuation { continuation in
      let signal = state.withLock { state -> DownloadRun.Signal? in
        guard state.signals.isEmpty else { return state.signals.removeFirst() }
        state.listener = continuation
        return nil
      }
      if let signal { continuation.resume(returning: signal) }
    }
  }
}
