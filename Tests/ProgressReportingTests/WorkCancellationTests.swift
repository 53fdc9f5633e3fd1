import ProgressReporting
import Synchronization
import SystemIO
import Testing

@Suite struct WorkCancellationTests {
  @Test func `runs actions once, in order, and at once when it is too late`() {
    let cancellation = WorkCancellation()
    let calls = Mutex<[Int]>([])
    for number in 0..<3 { cancellation.onCancel { calls.withLock { $0.append(number) } } }
    let dropped = cancellation.onCancel { calls.withLock { $0.append(99) } }
    dropped.cancel()
    #expect(!cancellation.isCancelled)
    cancellation.cancel()
    cancellation.cancel()
    #expect(calls.withLock { $0 } == [0, 1, 2])
    cancellation.onCancel { calls.withLock { $0.append(3) } }
    #expect(calls.withLock { $0 } == [0, 1, 2, 3])
    #expect(throws: CancellationError.self) { try cancellation.check() }
  }

  @Test func `runs every action exactly once under eight threads`() throws {
    for _ in 0..<20 {
      let cancellation = WorkCancellation()
      let box = Counter()
      let threads = try (0..<8).map { index in
        try OwnedThread(named: "switch") {
          for _ in 0..<50 { cancellation.onCancel { box.count() } }
          if index == 0 { cancellation.cancel() }
        }
      }
      for thread in threads { thread.join() }
      cancellation.cancel()
      #expect(box.value == 400)
    }
  }

  @Test func `lets an action throw the switch again and register more`() {
    let cancellation = WorkCancellation()
    let box = Counter()
    cancellation.onCancel {
      cancellation.cancel()
      cancellation.onCancel { box.count() }
    }
    cancellation.cancel()
    #expect(box.value == 1)
  }
}

/// A count that several threads raise.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)
  func count() { number.wrappingAdd(1, ordering: .relaxed) }
  var value: Int { number.load(ordering: .relaxed) }
}
