import Synchronization

/// Lets so many in at a time, in the order in which they came.
final class Turnstile: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// How many at the front of `waiting` have been let in.
    var served = 0
  }

  private let state: Mutex<State>

  init(_ places: Int) { state = Mutex(State(free: places)) }

  /// Waits for a place; also a cancelled task gets one in the end.
  func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Gives a place back.
  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.served < state.waiting.count else {
        state.free += 1
        return nil
      }
      defer {
        state.served += 1
        if state.served == state.waiting.count { (state.waiting, state.served) = ([], 0) }
      }
      return state.waiting[state.served]
    }
    next?.resume()
  }
}
