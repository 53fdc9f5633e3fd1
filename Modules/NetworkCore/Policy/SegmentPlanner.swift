/// Decides over how many connections a file comes, and who fetches what.
///
/// A pure state machine: it is shown where each connection stands and answers with actions. It begins
/// with one. When the rate has settled and enough is left, as many again are tried; they stay when they
/// made the whole faster by a quarter, else it goes back and tries again much later. A connection that
/// is done takes work from the one that would need longest; near the end the shares become small, so
/// that the last byte does not wait for one slow connection; one that stands still is replaced.
package struct SegmentPlanner: Sendable {
  /// How often it wants to be asked.
  package static let period: Duration = .milliseconds(50)
  /// No connection is added for less than this.
  package static let minimumShare: UInt64 = 1 << 20
  /// Near the end a share may be as small as this.
  package static let tailShare: UInt64 = 64 << 10
  /// The most connections that are tried unasked.
  package static let maximum = 16

  /// Where a connection stands.
  package struct Sample: Hashable, Sendable {
    /// Names the connection; never used again for another.
    package var id: Int
    /// Where its first byte went or will go.
    package var start: UInt64
    /// Where its next byte goes.
    package var position: UInt64
    /// The byte after the last one it is to bring.
    package var end: UInt64
    /// Whether the body of its answer has begun.
    package var isReceiving: Bool

    package init(
      id: Int, start: UInt64, position: UInt64, end: UInt64, isReceiving: Bool
    ) {
      self.id = id
      self.start = start
      self.position = position
      self.end = end
      self.isReceiving = isReceiving
    }

    /// A connection that is about to be opened.
    init(opening range: Range<UInt64>) {
      self.init(
        id: -1, start: range.lowerBound, position: range.lowerBound, end: range.upperBound,
        isReceiving: false)
    }

    var rest: UInt64 { end > position ? end - position : 0 }
  }

  /// What to do.
  package enum Action: Hashable, Sendable {
    /// Ask for bytes that nobody works on.
    case open(Range<UInt64>)
    /// Let a connection end at a byte earlier, and ask for what lies behind it over another.
    case split(id: Int, at: UInt64)
    /// End a connection that stands still; what it leaves is asked for anew.
    case replace(id: Int)
  }

  private enum Phase {
    /// The first bytes come faster or slower than what follows; they are not measured.
    case settling(until: Duration?)
    /// Measures with as many connections as there are.
    case measuring(since: Duration, bytes: UInt64)
    /// Waits for added connections to bring something, then measures.
    case trying(Trial)
    case holding(until: Duration)
  }

  private struct Trial {
    var rateBefore: Double
    var countBefore: Int
    var began: Duration
    /// When the first of the added ones brought something, and how much had come just before.
    var window: (start: Duration, bytes: UInt64, length: Duration)?
  }

  private let isFixed: Bool
  private var limit: Int
  /// How many connections are wanted at present.
  private var count: Int
  private var phase = Phase.settling(until: nil)
  private var holdTime: Duration = .seconds(5)
  private var speeds = SegmentSpeeds()
  private var replacements = 0

  /// Creates a planner.
  ///
  /// - Parameters:
  ///   - limit: The most connections, at least 1.
  ///   - isFixed: Whether to use that many from the start instead of trying.
  package init(limit: Int, isFixed: Bool) {
    self.isFixed = isFixed
    self.limit = max(1, limit)
    count = isFixed ? self.limit : 1
  }

  /// How many connections should work on a file with so many bytes missing.
  package func target(missing: UInt64) -> Int {
    max(1, min(count, Int(clamping: missing / Self.minimumShare)))
  }

  /// One of several connections broke or was refused: no more than the others are tried again.
  ///
  /// - Parameter running: How many still work.
  package mutating func connectionFailed(running: Int) {
    limit = max(1, min(limit, running))
    count = min(count, limit)
    if case .trying = phase { phase = .settling(until: nil) }
  }

  /// Nothing but one stream is possible.
  package mutating func stayAlone() {
    limit = 1
    count = 1
  }

  /// Looks at where everything stands and says what to do.
  ///
  /// Ask every ``period`` and whenever a connection has ended.
  /// - Parameters:
  ///   - samples: The connections that are open.
  ///   - gaps: What is neither stored nor asked for, in order.
  ///   - now: A clock that does not run backwards.
  /// - Returns: What to do, in order; no byte is given to two connections.
  package mutating func plan(
    _ samples: [Sample], gaps: [Range<UInt64>], now: Duration
  ) -> [Action] {
    speeds.note(samples, now: now)
    let missing = samples.reduce(gaps.reduce(0) { $0 + UInt64($1.count) }) { $0 + $1.rest }
    if !isFixed { adapt(samples, missing: missing, now: now) }
    var actions = replacing(samples, now: now)
    var open = samples
    var gaps = gaps
    // Nothing can be asked for beside a first request whose answer is still to come.
    guard samples.contains(where: \.isReceiving) || samples.isEmpty else { return actions }
    while open.count < max(target(missing: missing), gaps.isEmpty ? 0 : 1) {
      guard let action = next(&open, &gaps, now: now) else { break }
      actions.append(action)
    }
    return actions
  }
}

// MARK: How many

extension SegmentPlanner {
  private mutating func adapt(_ samples: [Sample], missing: UInt64, now: Duration) {
    let received = speeds.received
    switch phase {
    case .settling(nil):
      guard samples.contains(where: \.isReceiving) else { return }
      phase = .settling(until: now + Self.period)
    case .settling(let until?):
      if now >= until { phase = .measuring(since: now, bytes: received) }
    case .measuring(let since, let bytes):
      guard now - since >= Self.period else { return }
      let rate = Self.rate(received - min(bytes, received), now - since)
      // What one connection brings within a second needs no second one.
      guard count < limit, Double(missing) > rate, missing >= 2 * Self.minimumShare else {
        phase = .measuring(since: now, bytes: received)
        return
      }
      tryMore(rate, now: now)
    case .trying(let trial): judge(trial, samples, missing: missing, now: now)
    case .holding(let until):
      if now >= until { phase = .measuring(since: now, bytes: received) }
    }
  }

  private mutating func tryMore(_ rate: Double, factor: Int = 2, now: Duration) {
    phase = .trying(Trial(rateBefore: rate, countBefore: count, began: now))
    count = min(limit, count * factor)
  }

  private mutating func judge(_ trial: Trial, _ samples: [Sample], missing: UInt64, now: Duration) {
    var trial = trial
    let newcomers = speeds.newcomers(since: trial.began)
    if trial.window == nil, newcomers.contains(where: { speeds.isReceiving($0) }) {
      // The newcomers' first bytes may all have come since the last look, so the window begins there.
      let reply = max(.zero, speeds.lastLook - trial.began)
      trial.window = (speeds.lastLook, speeds.receivedBefore, max(Self.period, reply * 2))
    }
    phase = .trying(trial)
    guard let window = trial.window else {
      // Nothing came of it, or nothing was left to ask for.
      if now - trial.began > .seconds(5) { reject(trial, now: now) }
      return
    }
    guard now - window.start >= window.length else { return }
    let received = speeds.received
    let rate = Self.rate(received - min(window.bytes, received), now - window.start)
    guard rate >= trial.rateBefore * 1.25, rate > 0 else { return reject(trial, now: now) }
    if count < limit, Double(missing) > rate {
      // Where as many again brought nearly twice as much, a greater step is safe.
      tryMore(rate, factor: rate >= trial.rateBefore * 1.6 ? 4 : 2, now: now)
    } else {
      phase = .measuring(since: now, bytes: received)
    }
  }

  private mutating func reject(_ trial: Trial, now: Duration) {
    count = trial.countBefore
    phase = .holding(until: now + holdTime)
    holdTime = min(holdTime * 3, .seconds(600))
  }

  static func rate(_ bytes: UInt64, _ time: Duration) -> Double {
    let seconds = time / .seconds(1)
    return seconds > 0 ? Double(bytes) / seconds : 0
  }
}

// MARK: Who fetches what

extension SegmentPlanner {
  /// A gap that nobody works on, else a part of what would take longest.
  private func next(
    _ open: inout [Sample], _ gaps: inout [Range<UInt64>], now: Duration
  ) -> Action? {
    if let gap = gaps.first {
      gaps.removeFirst()
      open.append(Sample(opening: gap))
      return .open(gap)
    }
    let newcomer = speeds.average
    var best: (index: Int, at: UInt64, time: Double)?
    for (index, sample) in open.enumerated() where sample.isReceiving {
      let speed = speeds.speed(of: sample.id)
      let time = speed > 0 ? Double(sample.rest) / speed : .infinity
      guard time > best?.time ?? 0, let at = splitPoint(sample, speed, newcomer, time) else {
        continue
      }
      best = (index, at, time)
    }
    guard let best else { return nil }
    let victim = open[best.index]
    open[best.index].end = best.at
    open.append(Sample(opening: best.at..<victim.end))
    return .split(id: victim.id, at: best.at)
  }

  /// Where to divide what a connection has before it, so that both parts take equally long.
  private func splitPoint(
    _ sample: Sample, _ speed: Double, _ newcomer: Double, _ time: Double
  ) -> UInt64? {
    let share = time > 1 ? Self.tailShare : Self.minimumShare
    guard sample.rest >= 2 * share else { return nil }
    let portion = speed + newcomer > 0 ? speed / (speed + newcomer) : 0.5
    let kept = UInt64(Double(sample.rest) * max(0, min(portion, 1)))
    // Both parts must be worth their request.
    return sample.position + min(max(kept, share), sample.rest - share)
  }

  /// Connections that bring nothing while others do.
  private mutating func replacing(_ samples: [Sample], now: Duration) -> [Action] {
    var actions: [Action] = []
    for sample in samples where sample.isReceiving && sample.rest > 0 {
      guard replacements < Self.maximum, speeds.average > 0, speeds.hasOthers(than: sample.id),
        speeds.silence(of: sample.id, now: now) >= .seconds(3)
      else { continue }
      replacements += 1
      speeds.restart(sample.id, now: now)
      actions.append(.replace(id: sample.id))
    }
    return actions
  }
}
