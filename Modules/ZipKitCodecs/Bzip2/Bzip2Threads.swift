internal import Synchronization
internal import SystemIO

/// Threads that turn blocks into text, which come out in the order in which they went in.
final class Bzip2Threads: Sendable {
  private struct State {
    var waiting: [(number: Int, block: Bzip2Block)] = []
    var done: [Int: Bzip2Block] = [:]
    var given = 0
    var taken = 0
    var isStopped = false
  }

  private let state = Mutex(State())
  private let signal = ThreadSignal()
  private let threads = Mutex<[OwnedThread]>([])

  /// Starts threads; nil when the system has none left.
  init?(count: Int) {
    for number in 0..<count {
      guard let thread = try? OwnedThread(named: "zip-bzip2-\(number)", { [self] in work() }) else {
        break
      }
      threads.withLock { $0.append(thread) }
    }
    if threads.withLock({ $0.isEmpty }) { return nil }
  }

  /// Hands a block in.
  func give(_ block: Bzip2Block) {
    state.withLock { state in
      state.waiting.append((state.given, block))
      state.given += 1
    }
    signal.notify()
  }

  /// Waits for the text of the block that was handed in first of those still there.
  func take() -> Bzip2Block {
    signal.wait(until: {
      state.withLock { state in
        guard let block = state.done.removeValue(forKey: state.taken) else { return nil }
        state.taken += 1
        return block
      }
    })
  }

  /// Ends the threads; what they still had to do is lost.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting = []
    }
    signal.notify()
    for thread in threads.withLock({ $0 }) { thread.join() }
  }

  private func work() {
    var transform = Bzip2Transform()
    while let (number, block) = next() {
      transform.invert(block)
      state.withLock { $0.done[number] = block }
      signal.notify()
    }
  }

  private func next() -> (number: Int, block: Bzip2Block)? {
    signal.wait(until: {
      state.withLock { state -> (number: Int, block: Bzip2Block)?? in
        if state.isStopped { return .some(nil) }
        return state.waiting.isEmpty ? nil : .some(state.waiting.removeFirst())
      }
    })
  }
}
