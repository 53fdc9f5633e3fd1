import PdfThumbCore
import TestSupport
import Testing

@Suite struct `The schedule of a strip` {
  /// A schedule over pages whose pictures take 100 bytes.
  private struct Run {
    var schedule: StripSchedule
    var now = Duration.seconds(100)
    var running: [StripRequest] = []
    var log: [StripSchedule.Action] = []

    init(pages: Int = 1000, budget: UInt64 = 1 << 20, places: Int = 2, embedded: Bool = false) {
      schedule = StripSchedule(
        pageCount: pages,
        settings: StripScheduleSettings(
          budget: budget, coalescing: .milliseconds(100), places: places, drawsEmbedded: embedded))
    }

    mutating func note(_ actions: [StripSchedule.Action]) {
      log += actions
      for action in actions {
        switch action {
        case .draw(let request): running.append(request)
        case .cancel(let request): running.removeAll { $0 == request }
        default: break
        }
      }
    }

    mutating func show(_ pages: Range<Int>) { note(schedule.show(pages, now: now)) }

    /// Finishes the oldest request and tells which page it was.
    mutating func finishOne(count: UInt64 = 100) -> Int? {
      guard !running.isEmpty else { return nil }
      let request = running.removeFirst()
      note(schedule.finish(request, count: count, now: now).actions)
      return request.page
    }

    mutating func finishAll() -> [Int] {
      var pages: [Int] = []
      while let page = finishOne() { pages.append(page) }
      return pages
    }

    mutating func pass(_ milliseconds: Int) {
      now += .milliseconds(milliseconds)
      note(schedule.wake(now: now))
    }
  }

  @Test func `what is shown is drawn first, then one range ahead, no more at once than places`() {
    var run = Run()
    run.show(10..<14)
    #expect(run.running.map(\.page) == [10, 11])
    #expect(run.finishAll() == [10, 11, 12, 13, 14, 15, 16, 17])
    #expect(run.schedule.keptBytes == 800)
  }

  @Test func `going back draws backwards`() {
    var run = Run()
    run.show(100..<104)
    _ = run.finishAll()
    run.pass(200)
    run.show(90..<94)
    #expect(run.finishAll() == [93, 92, 91, 90, 89, 88, 87, 86])
  }

  @Test func `movements in a tenth of a second become one`() {
    var run = Run(places: 100)
    run.show(0..<2)
    #expect(run.running.map(\.page) == [0, 1, 2, 3])
    run.log = []
    for step in 1...9 {
      run.now += .milliseconds(10)
      run.show(step * 10..<step * 10 + 2)
    }
    #expect(
      run.log == (1...9).map { .wake(after: .milliseconds(100 - 10 * $0)) })
    run.log = []
    run.pass(10)
    #expect(run.running.map(\.page) == [90, 91, 92, 93])
    run.pass(100)
    #expect(run.log.filter { if case .wake = $0 { true } else { false } }.isEmpty)
  }

  @Test func `what the view has left is cancelled, and dropped if it comes all the same`() {
    var run = Run(places: 4)
    run.show(0..<2)
    let stale = run.running
    run.pass(200)
    run.show(50..<52)
    #expect(run.log.filter { if case .cancel = $0 { true } else { false } }.count == 4)
    for request in stale {
      let answer = run.schedule.finish(request, count: 100, now: run.now)
      #expect(!answer.isWanted)
      #expect(answer.actions.isEmpty)
    }
    #expect(run.schedule.keptPages.isEmpty)
  }

  @Test func `a page asked for again belongs to the new plan only`() {
    var run = Run(places: 4)
    run.show(0..<2)
    let first = run.running
    run.pass(200)
    run.show(50..<52)
    run.pass(200)
    run.show(0..<2)
    #expect(run.running.map(\.page) == [1, 0])
    #expect(!run.schedule.finish(first[0], count: 100, now: run.now).isWanted)
    #expect(run.schedule.finish(run.running[1], count: 100, now: run.now).isWanted)
  }

  @Test func `what is still wanted goes on when the view moves a little`() {
    var run = Run(places: 4)
    run.show(0..<2)
    let under = run.running
    run.pass(200)
    run.show(1..<3)
    #expect(run.running.filter(under.contains).map(\.page) == [1, 2, 3])
  }

  @Test func `the farthest pictures go when the budget is spent, never what is shown`() {
    var run = Run(budget: 1000)
    run.show(0..<5)
    _ = run.finishAll()
    run.pass(200)
    run.show(5..<10)
    _ = run.finishAll()
    #expect(run.schedule.keptPages == Set(5..<15))
    #expect(run.schedule.keptBytes == 1000)
    var tight = Run(budget: 10)
    tight.show(0..<5)
    #expect(tight.finishAll().prefix(5) == [0, 1, 2, 3, 4])
    #expect(tight.schedule.keptPages == Set(0..<5))
  }

  @Test func `what was let go of for the budget is not drawn again until the view moves`() {
    var run = Run(budget: 500)
    run.show(0..<5)
    #expect(run.finishAll().count == 10)
    #expect(run.finishAll().isEmpty)
    run.pass(1000)
    #expect(run.running.isEmpty)
  }

  @Test func `a page that cannot be drawn is not asked for again`() {
    var run = Run(places: 1)
    run.show(0..<1)
    run.note(run.schedule.fail(run.running.removeFirst(), now: run.now))
    #expect(run.finishAll() == [1])
    run.pass(200)
    run.show(0..<2)
    #expect(!run.finishAll().contains(0))
  }

  @Test func `short memory leaves what is shown, and plenty brings the rest back`() {
    var run = Run()
    run.show(0..<2)
    _ = run.finishAll()
    run.pass(200)
    run.show(2..<4)
    _ = run.finishAll()
    run.note(run.schedule.noteMemory(isLow: true, now: run.now))
    #expect(run.schedule.keptPages == [2, 3])
    #expect(run.log.contains(.discard([0, 1, 4, 5])))
    #expect(run.running.isEmpty)
    run.pass(200)
    run.show(10..<12)
    #expect(run.finishAll() == [10, 11])
    run.note(run.schedule.noteMemory(isLow: false, now: run.now))
    #expect(run.finishAll() == [12, 13])
  }

  @Test func `the document's own picture comes before the drawn one where asked`() {
    var run = Run(places: 1, embedded: true)
    run.show(0..<1)
    var stages: [ThumbnailStage] = []
    while let request = run.running.first {
      stages.append(request.stage)
      if request.page == 1, request.stage == .embedded {
        run.running.removeFirst()
        run.note(run.schedule.fail(request, now: run.now))
      } else {
        _ = run.finishOne()
      }
    }
    #expect(stages == [.embedded, .embedded, .final, .final])
    #expect(run.schedule.keptPages == [0, 1])
  }

  @Test func `memory is flat over a way to and fro through ten thousand pages`() {
    var run = Run(pages: 10_000, budget: 20_000, places: 4)
    var most: UInt64 = 0
    let way = Array(stride(from: 0, to: 9_990, by: 7))
    for start in way + way.reversed() {
      run.show(start..<start + 10)
      run.pass(30)
      for _ in 0..<3 { _ = run.finishOne() }
      most = max(most, run.schedule.keptBytes)
      run.log = []
    }
    #expect(most <= 20_100)
    #expect(run.running.count <= 4)
    run.pass(200)
    _ = run.finishAll()
    #expect(Set(0..<10).isSubset(of: run.schedule.keptPages))
  }
}
