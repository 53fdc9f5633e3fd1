/// Decides how many connections a file is worth; pure, fed with what was measured.
///
/// It begins with one stream. While the rest would take a while at the present rate, it tries four
/// times as many; a trial that does not make the whole clearly faster is taken back, and the next one
/// is put off. So a link that is full, or a server that is not the bottleneck, keeps one stream.
///
/// At the end, when nothing is left to share, a connection that stands still is made anew: what a
/// server holds back on one it may send at once on another.
package struct SegmentPlanner {
  /// What a look at the transfers found.
  package struct Sample {
    /// On a clock that only goes forward.
    package var now: Duration
    /// All bytes that have come.
    package var bytes: UInt64
    /// Bytes that are still to come.
    package var missing: UInt64
    /// Whether a connection was made whose answer has not begun.
    package var isConnecting: Bool

    package init(now: Duration, bytes: UInt64, missing: UInt64, isConnecting: Bool) {
      self.now = now
      self.bytes = bytes
      self.missing = missing
      self.isConnecting = isConnecting
    }
  }

  /// How often it wants to look.
  package static let period: Duration = .milliseconds(60)
  /// No connection is made for less than this.
  package static let minimumShare: UInt64 = 256 << 10
  /// The most connections that are tried unasked.
  package static let maximum = 16
  /// What takes no longer than this at the present rate is left alone.
  package static let patience: Duration = .milliseconds(1500)
  /// By how much a trial must raise the rate.
  package static let gain = 1.3
  private static let maximumFailures = 3
  /// How long one of several connections may bring nothing while there is other work.
  package static let standstill: Duration = .seconds(3)
  /// The same when there is not, at least.
  package static let leastTailPatience: Duration = .milliseconds(150)

  private struct Trial {
    var from: Int
    var rate: Double
  }

  private var isAutomatic: Bool
  private var limit: Int
  private var ceiling: Int
  private var trial: Trial?
  private var failures = 0
  private var notBefore: Duration = .zero
  private var last: Sample?
  /// The latest look at which a connection was still being made.
  private var connecting: Sample?
  /// The longest that the server took from a request to its answer.
  private var latency: Duration = .zero

  package init(_ wanted: DownloadOptions.Connections, hasRateLimit: Bool = false) {
    switch wanted {
    case .automatic:
      isAutomatic = true
      (limit, ceiling) = (Self.maximum, 1)
    case .fixed(let count):
      isAutomatic = false
      (limit, ceiling) = (max(1, count), max(1, count))
    }
    if hasRateLimit { stayAlone() }
  }

  /// How many connections should work on a file with so many bytes missing.
  package func target(missing: UInt64) -> Int {
    max(1, min(ceiling, Int(clamping: missing / Self.minimumShare)))
  }

  /// Notes how long the answer to a request took to begin.
  package mutating func answered(after time: Duration) { latency = max(latency, time) }

  /// How long a connection may bring nothing before it is made anew.
  ///
  /// - Parameter active: How many connections there are; fewer than wanted when there is nothing left
  ///   to share.
  /// - Returns: The time.
  package func patience(active: Int) -> Duration {
    // A far server has pauses of its own, and a new connection there costs much.
    guard active < ceiling else { return Self.standstill }
    return min(Self.standstill, max(Self.leastTailPatience, latency * 4))
  }

  /// Takes a look into account.
  package mutating func observe(_ sample: Sample) {
    guard isAutomatic, limit > 1 else { return }
    guard let before = last else {
      last = sample
      return
    }
    if sample.isConnecting {
      connecting = sample
      return
    }
    // What came while connections were made counts, and so does the pace since they all are there:
    // servers send the first bytes of each in a burst, and a far one needs a while to answer.
    let settled = connecting ?? before
    guard sample.now - settled.now >= Self.period * 9 / 10 else { return }
    let rate = max(Self.rate(from: before, to: sample), Self.rate(from: settled, to: sample))
    (last, connecting) = (sample, nil)
    if let trial {
      self.trial = nil
      guard rate > 0, rate >= trial.rate * Self.gain else {
        return takeBack(trial, sample.now)
      }
      failures = 0
    }
    guard sample.now >= notBefore, ceiling < limit, sample.missing >= 4 * Self.minimumShare,
      Double(sample.missing) > rate * (Self.patience / .seconds(1))
    else { return }
    trial = Trial(from: ceiling, rate: rate)
    ceiling = min(limit, ceiling * 4)
  }

  private static func rate(from before: Sample, to sample: Sample) -> Double {
    let bytes = sample.bytes - min(sample.bytes, before.bytes)
    return Double(bytes) / max((sample.now - before.now) / .seconds(1), 0.001)
  }

  private mutating func takeBack(_ trial: Trial, _ now: Duration) {
    ceiling = trial.from
    failures += 1
    if failures >= Self.maximumFailures { limit = ceiling }
    notBefore = now + .milliseconds(250) * (1 << failures)
  }

  /// One of several connections broke or was refused: fewer will do.
  package mutating func connectionFailed(active: Int) {
    ceiling = max(1, min(ceiling, active))
    limit = ceiling
    trial = nil
  }

  /// Nothing but one stream is possible.
  package mutating func stayAlone() { (limit, ceiling, trial) = (1, 1, nil) }
}
