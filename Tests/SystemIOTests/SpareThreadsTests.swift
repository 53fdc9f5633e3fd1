import Glibc
import Synchronization
import SystemIO
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Spare threads` {
  /// None ends while a slow machine is about to look.
  let threads = SpareThreads(patience: .seconds(600))

  @Test func `one thread does piece after piece`() async throws {
    var numbers: Set<pthread_t> = []
    for _ in 0..<50 {
      numbers.insert(try await threads.run { pthread_self() })
      while threads.idleCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
    #expect(numbers.count == 1)
    #expect(!numbers.contains(pthread_self()))
  }

  /// Holds everybody until a number of them is there.
  private final class Meeting: Sendable {
    private let signal = ThreadSignal()
    private let arrived = Mutex(0)

    func wait(for count: Int) {
      arrived.withLock { $0 += 1 }
      signal.notify()
      _ = signal.wait { arrived.withLock { $0 == count ? true : nil } }
    }
  }

  @Test func `work never waits for other work`() async throws {
    let meeting = Meeting()
    let threads = threads
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { try await threads.run { meeting.wait(for: 20) } }
      }
      try await group.waitForAll()
    }
  }

  @Test func `what the work throws is thrown`() async {
    await #expect(throws: SystemError(errno: ENOENT, call: "open", path: "/absent")) {
      try await threads.run { try FileDescriptor.open("/absent").release() }
    }
  }

  @Test func `a wait ends when its time is over`() {
    let signal = ThreadSignal()
    let value: Int? = signal.wait(atMost: .milliseconds(5)) { nil }
    #expect(value == nil)
    #expect(signal.wait(atMost: .seconds(600)) { 7 } == 7)
  }
}
