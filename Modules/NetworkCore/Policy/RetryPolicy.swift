/// Decides whether and when a download tries again.
///
/// A pure state machine: clock and randomness are given with each question. Waits are drawn at random
/// up to a ceiling that doubles with each failure (full jitter), so that many clients do not come back
/// at once. Whoever makes progress begins anew: a download of hours may break a hundred times.
package struct RetryPolicy: Sendable {
  /// What to do after a failure.
  package enum Decision: Hashable, Sendable {
    /// Try again after so long.
    case wait(Duration)
    /// The failure is the result.
    case giveUp
    /// The server asks for more patience than there is; the failure is the result.
    case waitTooLong(Duration)
  }

  /// Less than this between two failures is no progress, lest a server hand out a byte for each try.
  package static let progressStep: UInt64 = 4 << 10
  /// The ceiling of the first wait; it doubles with each failure.
  package static let firstCeiling: Duration = .milliseconds(500)
  /// The ceiling of the first wait after progress: the way is open, only the connection broke.
  package static let resumeCeiling: Duration = .milliseconds(50)
  /// The ceiling never exceeds this.
  package static let lastCeiling: Duration = .seconds(60)

  private let limit: Int
  private let budget: Duration
  /// Bytes stored when the present streak of failures began.
  private var streakStart: UInt64
  private var streakBegan: Duration?
  private var hasProgressed = false
  private var usedOnce: Set<NetworkErrorCode> = []
  /// Failures since the last progress.
  package private(set) var failures = 0
  /// What is left of the budget; it is whole again after progress.
  package private(set) var left: Duration

  /// Creates a policy at the start of a download.
  ///
  /// - Parameters:
  ///   - limit: How many tries may follow the first without progress between them; 0 is none.
  ///   - budget: How long a streak of failures may last, waits included.
  ///   - stored: How many bytes are stored from an earlier run.
  package init(limit: Int, budget: Duration, stored: UInt64) {
    self.limit = limit
    self.budget = budget
    streakStart = stored
    left = budget
  }

  /// Takes a failure into account.
  ///
  /// - Parameters:
  ///   - error: What went wrong; its advice and the wait the server asks for count.
  ///   - stored: How many bytes are stored by now; fewer than before after a restart.
  ///   - now: A clock that does not run backwards.
  ///   - random: From 0 up to 1, evenly distributed.
  /// - Returns: What to do.
  package mutating func decide(
    _ error: NetworkError, stored: UInt64, now: Duration, random: Double
  ) -> Decision {
    noteProgress(stored)
    switch error.retry {
    case .never: return .giveUp
    case .once, .withoutCoding, .restart, .onHTTP1:
      guard usedOnce.insert(error.code).inserted else { return .giveUp }
    case .again: break
    }
    failures += 1
    guard failures <= limit else { return .giveUp }
    let began = streakBegan ?? now
    streakBegan = began
    left = max(.zero, budget - (now - began))
    var wait = ceiling * max(0, min(random, 1))
    if let asked = error.retryAfter {
      guard asked <= left else { return .waitTooLong(asked) }
      // Never shorter than our own wait: a server that says 0 to everybody is in trouble, too.
      wait = max(wait, asked)
    }
    guard wait <= left else { return .giveUp }
    return .wait(wait)
  }

  /// A restart takes the counter back with it; only then may it grow from there again.
  private mutating func noteProgress(_ stored: UInt64) {
    if stored < streakStart {
      streakStart = stored
    } else if stored - streakStart >= Self.progressStep {
      streakStart = stored
      hasProgressed = true
      failures = 0
      streakBegan = nil
      usedOnce = []
      left = budget
    }
  }

  /// The longest wait for the present number of failures.
  private var ceiling: Duration {
    if hasProgressed, failures == 1 { return Self.resumeCeiling }
    return min(Self.firstCeiling * (1 << min(failures - 1, 10)), Self.lastCeiling)
  }
}
