/// How fast work goes and how long it may still take, from snapshots and the times they were taken.
///
/// A value without a clock: whoever feeds it says what time it is. Speed is an average that trusts
/// what is recent most; half of its weight lies within about the last `memory`.
public struct WorkRate<Time: InstantProtocol>: Sendable
where Time.Duration == Duration, Time: Sendable {
  private struct Sample {
    var time: Time
    var completed: UInt64
    var fraction: Double?
    var attempt: Int
  }

  /// An average of speed with a correction for its start from nothing.
  private struct Average {
    private var sum = 0.0
    private var weight = 0.0

    mutating func add(_ speed: Double, share: Double) {
      sum += (speed - sum) * share
      weight += (1 - weight) * share
    }

    var value: Double? { weight > 0 ? sum / weight : nil }
  }

  /// Seconds over which an old speed fades.
  private let memory: Double
  private var last: Sample?
  private var began: Time?
  private var units = Average()
  private var share = Average()

  /// Creates a rate that knows nothing yet.
  ///
  /// - Parameter memory: How long a speed counts; 5 seconds unless said otherwise.
  public init(memory: Duration = .seconds(5)) {
    self.memory = max(memory / .seconds(1), 0.001)
  }

  /// Takes in what a snapshot says.
  ///
  /// - Parameters:
  ///   - snapshot: Of the meter that is watched. Another attempt, or a count that fell, starts anew.
  ///   - time: When it was taken; a time that is not later than the one before is ignored.
  public mutating func update(_ snapshot: WorkSnapshot, at time: Time) {
    let sample = Sample(
      time: time, completed: snapshot.completed, fraction: snapshot.fraction,
      attempt: snapshot.attempt)
    guard let last, last.attempt == sample.attempt, last.completed <= sample.completed else {
      (self.last, began, units, share) = (sample, time, Average(), Average())
      return
    }
    let seconds = last.time.duration(to: time) / .seconds(1)
    guard seconds > 0 else { return }
    // The weight of a sample grows with its length; 1 would forget everything before it.
    let weight = seconds / (seconds + memory)
    units.add(Double(sample.completed - last.completed) / seconds, share: weight)
    if let before = last.fraction, let now = sample.fraction {
      share.add(max(now - before, 0) / seconds, share: weight)
    }
    self.last = sample
  }

  /// Units a second; `nil` before two snapshots.
  public var unitsPerSecond: Double? { units.value }

  /// Time until the fraction is 1 at this speed.
  ///
  /// `nil` while no total is known, before a second has passed, and when nothing moves.
  public var remaining: Duration? {
    guard let last, let began, let fraction = last.fraction else { return nil }
    if fraction >= 1 { return .zero }
    guard began.duration(to: last.time) >= .seconds(1), let speed = share.value, speed > 0 else {
      return nil
    }
    let seconds = (1 - fraction) / speed
    // More than a century is no estimate, and would not fit everywhere.
    return seconds < 3e9 ? .seconds(seconds) : nil
  }

  /// Time since the first snapshot of this attempt.
  public var elapsed: Duration {
    guard let last, let began else { return .zero }
    return began.duration(to: last.time)
  }
}
