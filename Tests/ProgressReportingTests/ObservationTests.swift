import ProgressReporting
import Synchronization
import Testing

@Suite struct ObservationTests {
  @Test func `tells the whole tree's events to an observer anywhere in it`() {
    let root = WorkMeter("deliver")
    let events = Mutex<[WorkEvent]>([])
    let observation = root.onEvent { event in events.withLock { $0.append(event) } }
    let child = root.share().begin("Downloading…", total: 4)
    child.setLabel("Extracting…")
    child.setLabel("Extracting…")
    child.report("connection reset, again in 2 s")
    child.restart()
    child.finish()
    child.finish()
    #expect(
      events.withLock { $0 } == [
        WorkEvent(.began, label: "Downloading…"), WorkEvent(.labelled, label: "Extracting…"),
        WorkEvent(.message("connection reset, again in 2 s"), label: "Extracting…"),
        WorkEvent(.restarted(attempt: 2), label: "Extracting…"),
        WorkEvent(.finished, label: "Extracting…"),
      ])
    observation.cancel()
    root.finish()
    #expect(events.withLock { $0.count } == 5)
  }

  @Test func `drops an observer with its handle`() {
    let meter = WorkMeter()
    let box = Counter()
    do {
      let observation = meter.onEvent { _ in box.count() }
      meter.setLabel("a")
      withExtendedLifetime(observation) {}
    }
    meter.setLabel("b")
    #expect(box.value == 1)
  }

  @Test func `gives snapshots until the work is finished`() async throws {
    let meter = WorkMeter("work", total: 3)
    let clock = StepClock()
    var fractions: [Double?] = []
    for await snapshot in meter.snapshots(every: .seconds(1), clock: clock) {
      fractions.append(snapshot.fraction)
      meter.advance(by: 1)
      if fractions.count == 3 { meter.finish() }
    }
    #expect(fractions == [0, 1.0 / 3, 2.0 / 3, 1])
    #expect(clock.now.offset == .seconds(3), "a tick a snapshot, none before the first")
  }

  @Test func `skips what a slow reader has missed`() async {
    let meter = WorkMeter("work", total: 100)
    let clock = StepClock()
    var iterator = meter.snapshots(every: .seconds(1), clock: clock).makeAsyncIterator()
    _ = await iterator.next()
    clock.advance(by: .seconds(50))
    meter.advance(by: 50)
    #expect(await iterator.next()?.completed == 50)
    meter.advance(by: 1)
    #expect(await iterator.next()?.completed == 51)
    #expect(clock.now.offset == .seconds(51))
  }

  @Test func `ends when the switch is thrown, after a last snapshot`() async {
    let meter = WorkMeter("work", total: 100)
    var count = 0
    for await _ in meter.snapshots(every: .seconds(1), clock: StepClock()) {
      count += 1
      if count == 2 { meter.cancellation.cancel() }
    }
    #expect(count == 3)
  }

  @Test(.timeLimit(.minutes(1))) func `ends with the task that reads`() async {
    let meter = WorkMeter("endless")
    let task = Task {
      for await _ in meter.snapshots(every: .seconds(3600)) {}
    }
    task.cancel()
    await task.value
  }

  @Test(.timeLimit(.minutes(1))) @MainActor func `calls back on the main actor`() async {
    let meter = WorkMeter("work", total: 1)
    var seen: [WorkSnapshot] = []
    let observation = meter.observeOnMainActor(every: .milliseconds(1)) { snapshot in
      MainActor.assertIsolated()
      seen.append(snapshot)
    }
    meter.advance(by: 1)
    meter.finish()
    while seen.last?.isFinished != true { try? await Task.sleep(for: .milliseconds(1)) }
    observation.cancel()
    #expect(seen.last?.fraction == 1)
  }

  @Test(.timeLimit(.minutes(1))) func `calls back on any actor`() async {
    actor Collector {
      var last: WorkSnapshot?
      func take(_ snapshot: WorkSnapshot) { last = snapshot }
    }
    let collector = Collector()
    let meter = WorkMeter("work", total: 1)
    let observation = meter.observe(every: .milliseconds(1), on: collector) { collector, snapshot in
      collector.take(snapshot)
    }
    meter.finish()
    while await collector.last?.isFinished != true { try? await Task.sleep(for: .milliseconds(1)) }
    observation.cancel()
  }
}

/// A clock whose time passes when somebody sleeps.
final class StepClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private let time = Mutex<Duration>(.zero)

  var now: Instant { Instant(offset: time.withLock { $0 }) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline.offset) }
  }
}
