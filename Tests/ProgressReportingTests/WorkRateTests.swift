import ProgressReporting
import Testing

@Suite struct WorkRateTests {
  private func instant(_ seconds: Double) -> StepClock.Instant {
    StepClock.Instant(offset: .seconds(seconds))
  }

  /// Feeds a rate with counts at a fixed pace.
  private func rate(
    _ counts: [UInt64], total: UInt64? = 1000, every seconds: Double = 1
  ) -> WorkRate<StepClock.Instant> {
    var rate = WorkRate<StepClock.Instant>()
    for (index, count) in counts.enumerated() {
      rate.update(snapshot(count, total: total), at: instant(Double(index) * seconds))
    }
    return rate
  }

  private func snapshot(_ count: UInt64, total: UInt64? = 1000, attempt: Int = 1) -> WorkSnapshot {
    WorkSnapshot(
      completed: count, total: total, fraction: total.map { Double(count) / Double($0) },
      attempt: attempt)
  }

  @Test func `is right from the second snapshot on when speed is even`() {
    #expect(rate([0]).unitsPerSecond == nil)
    let two = rate([0, 100])
    #expect(two.unitsPerSecond.map { abs($0 - 100) < 1e-9 } == true)
    #expect(two.remaining.map { abs($0 / .seconds(1) - 9) < 1e-6 } == true)
    let many = rate([0, 100, 200, 300, 400])
    #expect(many.unitsPerSecond.map { abs($0 - 100) < 1e-9 } == true)
    #expect(many.remaining.map { abs($0 / .seconds(1) - 6) < 1e-6 } == true)
    #expect(many.elapsed == .seconds(4))
  }

  @Test func `follows a change of speed without jumping`() {
    let slower = rate([0, 100, 200, 300, 310])
    #expect(slower.unitsPerSecond.map { (20..<95).contains($0) } == true)
    var settled = [UInt64](stride(from: 0, through: 300, by: 100))
    for step in 1...40 { settled.append(300 + UInt64(step)) }
    #expect(rate(settled).unitsPerSecond.map { $0 < 2 } == true)
  }

  @Test func `does not depend on how often it is asked`() {
    let seldom = rate([0, 100, 200, 300], every: 1)
    let often = rate((0...30).map { $0 * 10 }, every: 0.1)
    let (first, second) = (seldom.unitsPerSecond ?? 0, often.unitsPerSecond ?? 0)
    #expect(abs(first - second) < 1)
  }

  @Test func `guesses no end without a total, too early, or when nothing moves`() {
    #expect(rate([0, 100], total: nil).remaining == nil)
    #expect(rate([0, 100], total: nil).unitsPerSecond.map { abs($0 - 100) < 1e-9 } == true)
    #expect(rate([0, 10, 20], every: 0.1).remaining == nil)
    #expect(rate([5, 5, 5]).remaining == nil)
    #expect(rate([5, 5, 5]).unitsPerSecond == 0)
    #expect(rate([0, 500, 1000]).remaining == .zero)
    #expect(rate([0, 0], total: 0).remaining == nil)
  }

  @Test func `starts anew with an attempt and with a count that fell`() {
    var again = rate([0, 100, 200])
    again.update(snapshot(50, attempt: 2), at: instant(3))
    #expect(again.unitsPerSecond == nil)
    #expect(again.elapsed == .zero)
    var fallen = rate([0, 100, 200])
    fallen.update(snapshot(50), at: instant(3))
    #expect(fallen.unitsPerSecond == nil)
  }

  @Test func `ignores a time that does not advance`() {
    var rate = rate([0, 100])
    rate.update(snapshot(400), at: instant(1))
    rate.update(snapshot(400), at: instant(0.5))
    #expect(rate.unitsPerSecond.map { abs($0 - 100) < 1e-9 } == true)
  }

  @Test func `never names a time longer than a century`() {
    var rate = rate([0, 0, 0], total: .max)
    rate.update(snapshot(1, total: .max), at: instant(3))
    #expect(rate.remaining == nil)
  }
}
