import ProgressReporting
import SystemIO
import Testing

@Suite struct WorkMeterTests {
  @Test func `counts exactly under eight threads`() throws {
    let meter = WorkMeter("all", total: 8 * 100_000)
    let threads = try (0..<8).map { _ in
      try OwnedThread(named: "count") {
        for _ in 0..<100_000 { meter.advance(by: 1) }
      }
    }
    var last = meter.snapshot()
    while last.completed < 800_000 {
      let next = meter.snapshot()
      #expect(next.completed >= last.completed)
      #expect((next.fraction ?? 0) >= (last.fraction ?? 0))
      last = next
    }
    for thread in threads { thread.join() }
    #expect(meter.snapshot().completed == 800_000)
    #expect(meter.snapshot().fraction == 1)
  }

  @Test func `adds up children exactly under eight threads`() throws {
    let meter = WorkMeter("all", total: 8)
    let threads = try (0..<8).map { _ in
      let child = meter.share(1).begin("part", total: 1000)
      return try OwnedThread(named: "count") {
        for _ in 0..<1000 { child.advance(by: 1) }
        child.finish()
      }
    }
    var fraction = 0.0
    while fraction < 1 {
      let next = meter.snapshot().fraction ?? 0
      #expect(next >= fraction)
      fraction = next
    }
    for thread in threads { thread.join() }
    #expect(meter.snapshot().children.map(\.completed) == [UInt64](repeating: 1000, count: 8))
  }

  @Test func `ends a half and half parent at exactly 1`() {
    let parent = WorkMeter("deliver")
    let download = parent.share(1).begin("download", total: 3)
    let extract = parent.share(1).begin("extract", total: 7)
    #expect(parent.snapshot().total == 2)
    for _ in 0..<3 { download.advance(by: 1) }
    #expect(parent.snapshot().fraction == 0.5)
    for _ in 0..<6 { extract.advance(by: 1) }
    #expect(parent.snapshot().fraction.map { $0 < 1 } == true)
    extract.advance(by: 1)
    #expect(parent.snapshot().fraction == 1)
    #expect(!parent.snapshot().isFinished)
  }

  @Test func `never says 1 while something is missing`() {
    let parent = WorkMeter(total: 3)
    for _ in 0..<2 {
      let child = parent.share(1).begin("part", total: 1)
      child.finish()
    }
    let last = parent.share(1).begin("part", total: .max)
    last.advance(by: .max - 1)
    #expect(parent.snapshot().fraction.map { $0 < 1 } == true)
    last.finish()
    #expect(parent.snapshot().fraction == 1)
  }

  @Test func `credits a share that nobody used`() {
    let parent = WorkMeter("all", total: 4)
    drop(parent.share(3))
    #expect(parent.snapshot().fraction == 0.75)
    #expect(parent.snapshot().children.isEmpty)
  }

  private func drop(_ share: consuming WorkShare) {}

  @Test func `knows no fraction without a total`() {
    let meter = WorkMeter("open")
    meter.advance(by: 5)
    #expect(meter.snapshot().fraction == nil)
    #expect(meter.snapshot().completed == 5)
    meter.finish()
    #expect(meter.snapshot().fraction == 1)
  }

  @Test func `is done with a total of nothing only when finished`() {
    let meter = WorkMeter("nothing", total: 0)
    #expect(meter.snapshot().fraction == 0)
    meter.finish()
    #expect(meter.snapshot().fraction == 1)
  }

  @Test func `falls back only with a new attempt`() {
    let meter = WorkMeter("again", total: 10)
    meter.advance(by: 8)
    #expect(meter.snapshot().fraction == 0.8)
    meter.setTotal(20)
    #expect(meter.snapshot().fraction == 0.8, "a total that grows does not take back")
    meter.restart(completed: 2)
    #expect(meter.snapshot().fraction == 0.1)
    #expect(meter.snapshot().attempt == 2)
  }

  @Test func `keeps its count when the total was too small`() {
    let meter = WorkMeter("more", total: 10)
    meter.advance(by: 12)
    #expect(meter.snapshot().completed == 12)
    #expect(meter.snapshot().total == 12)
    meter.setTotal(5)
    #expect(meter.snapshot().completed == 12)
  }

  @Test func `saturates instead of overflowing`() {
    let meter = WorkMeter(total: .max)
    meter.advance(by: .max)
    meter.advance(by: 5)
    #expect(meter.snapshot().completed == .max)
    let parent = WorkMeter()
    let parts = [parent.share(.max).begin("a"), parent.share(.max).begin("b")]
    #expect(parent.snapshot().total == .max)
    for part in parts { part.finish() }
    #expect(parent.snapshot().fraction == 1)
  }

  @Test func `weighs a part anew`() {
    let parent = WorkMeter("deliver", total: 100)
    let share = parent.share(50)
    let part = share.part
    let child = share.begin("download", total: 10)
    child.advance(by: 5)
    #expect(parent.snapshot().fraction == 0.25)
    parent.reweigh(part, 80)
    #expect(parent.snapshot().fraction == 0.4)
    let other = WorkMeter()
    parent.reweigh(other.share().part, 1000)
    #expect(parent.snapshot().fraction == 0.4)
  }

  @Test(arguments: [WorkUnit.items, .files, .pages, .bytes])
  func `counts parts that are done, by their weights`(unit: WorkUnit) {
    let parent = WorkMeter("all", total: 10, unit: unit)
    let first = parent.share(1).begin("first", total: 4)
    let second = parent.share(6).begin("second", total: 3)
    first.advance(by: 3)
    #expect(parent.snapshot().completed == 0, "a part of one unit is not done before its end")
    first.finish()
    #expect(parent.snapshot().completed == 1)
    second.advance(by: 1)
    #expect(parent.snapshot().completed == 3)
    drop(parent.share(2))
    #expect(parent.snapshot().completed == 5)
    parent.advance(by: 1)
    #expect(parent.snapshot().counted == 1)
    second.finish()
    #expect(parent.snapshot().completed == 10)
    #expect(parent.snapshot().fraction == 1)
  }

  @Test func `never takes back what parts have done`() {
    let root = WorkMeter("all", total: 3, unit: .items)
    let list = root.share(2).begin("list", unit: .files)
    let share = list.share(3)
    let part = share.part
    let file = share.begin("file", total: 3)
    file.finish()
    #expect(list.snapshot().completed == 3)
    #expect(root.snapshot().completed == 2)
    file.restart()
    list.reweigh(part, 1)
    #expect(list.snapshot().completed == 3)
    #expect(list.snapshot().total == 3, "never less than what is done")
    #expect(root.snapshot().completed == 2)
    list.restart()
    #expect(list.snapshot().completed == 0)
  }

  @Test func `saturates what parts add up to`() {
    let parent = WorkMeter()
    for _ in 0..<2 { parent.share(.max).begin("part").finish() }
    let last = parent.share(.max).begin("last", total: .max)
    last.advance(by: .max - 1)
    #expect(parent.snapshot().completed == .max)
  }

  @Test func `forgets the shares of the attempt before`() {
    let parent = WorkMeter("again", total: 2)
    let old = parent.share(1)
    parent.restart()
    let new = parent.share(1)
    drop(old)
    #expect(parent.snapshot().fraction == 0, "the old share must not stand for the new one")
    drop(new)
    #expect(parent.snapshot().fraction == 0.5)
  }

  @Test func `shares one switch in a tree`() {
    let parent = WorkMeter()
    let child = parent.share().begin("part").share().begin("piece")
    #expect(throws: Never.self) { try child.checkCancellation() }
    parent.cancellation.cancel()
    #expect(throws: CancellationError.self) { try child.checkCancellation() }
  }

  @Test func `gives a detached share the switch of its caller`() {
    let cancellation = WorkCancellation()
    let meter = WorkShare.detached(cancellation: cancellation).begin("alone", total: 2)
    cancellation.cancel()
    #expect(throws: CancellationError.self) { try meter.checkCancellation() }
  }

  @Test func `stops with the task that does the work`() async {
    let meter = WorkMeter()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try meter.checkCancellation()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
