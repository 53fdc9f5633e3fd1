import NetworkCore
import Testing

@Suite("The planner of connections")
struct SegmentPlannerTests {
  /// Feeds a planner with a server model: the rate in MB/s for a number of connections.
  func run(
    _ planner: inout SegmentPlanner, megabytes: Double, ticks: Int, rate: (Int) -> Double
  ) -> [Int] {
    var counts: [Int] = []
    var done = 0.0
    for tick in 0..<ticks {
      let missing = UInt64(max(0, megabytes - done) * 1e6)
      planner.observe(
        .init(
          now: SegmentPlanner.period * tick, bytes: UInt64(done * 1e6), missing: missing,
          isConnecting: false))
      let count = planner.target(missing: missing)
      counts.append(count)
      done += rate(count) * (SegmentPlanner.period / .seconds(1))
    }
    return counts
  }

  @Test func `opens up quickly where each connection is capped`() {
    var planner = SegmentPlanner(.automatic)
    let counts = run(&planner, megabytes: 160, ticks: 8) { 4 * Double($0) }
    #expect(counts.prefix(4) == [1, 4, 16, 16])
    #expect(counts.last == 16)
  }

  @Test func `keeps one where the link is full`() {
    var planner = SegmentPlanner(.automatic)
    let counts = run(&planner, megabytes: 1000, ticks: 600) { _ in 10 }
    // Three short trials in a minute, then never again.
    #expect(counts.filter { $0 > 1 }.count <= 3)
    #expect(counts.last == 1)
  }

  @Test func `stays with four when sixteen do no better`() {
    var planner = SegmentPlanner(.automatic)
    let counts = run(&planner, megabytes: 10_000, ticks: 100) { 5 * Double(min($0, 4)) }
    #expect(counts.last == 4)
  }

  @Test func `does not bother for what is nearly done`() {
    var planner = SegmentPlanner(.automatic)
    let counts = run(&planner, megabytes: 500, ticks: 5) { _ in 600 }
    #expect(counts.allSatisfy { $0 == 1 })
  }

  @Test func `takes as many as told, and fewer when they are refused`() {
    var planner = SegmentPlanner(.fixed(8))
    #expect(planner.target(missing: 1 << 30) == 8)
    #expect(planner.target(missing: 600 << 10) == 2)
    planner.connectionFailed(active: 2)
    #expect(planner.target(missing: 1 << 30) == 2)
    planner.stayAlone()
    #expect(planner.target(missing: 1 << 30) == 1)
    #expect(SegmentPlanner(.fixed(8), hasRateLimit: true).target(missing: 1 << 30) == 1)
  }

  @Test func `takes a trial back that brings nothing at all`() {
    var planner = SegmentPlanner(.automatic)
    let counts = run(&planner, megabytes: 100, ticks: 200) { _ in 0 }
    #expect(counts.max() == 4)
    #expect(counts.filter { $0 > 1 }.count <= 3)
    #expect(counts.last == 1)
  }

  @Test func `has less patience with the last, as far as the server's distance allows`() {
    var planner = SegmentPlanner(.fixed(4))
    #expect(planner.patience(active: 4) == SegmentPlanner.standstill)
    #expect(planner.patience(active: 3) == SegmentPlanner.leastTailPatience)
    planner.answered(after: .milliseconds(300))
    planner.answered(after: .milliseconds(10))
    #expect(planner.patience(active: 1) == .milliseconds(1200))
    planner.answered(after: .seconds(2))
    #expect(planner.patience(active: 1) == SegmentPlanner.standstill)
  }
}
