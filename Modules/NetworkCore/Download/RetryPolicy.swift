/// Decides whether and when a download tries again; pure, with randomness given.
package struct RetryPolicy {
  /// What to do after a failure.
  package enum Decision: Equatable {
    case wait(Duration)
    case giveUp
    /// The server asks for more patience than there is.
    case waitTooLong(Duration)
  }

  private let limit: Int
  private let budget: Duration
  package private(set) var spent: Duration = .zero
  /// Failures since the last progress.
  package private(set) var failures = 0
  private var highWater: UInt64 = 0
  private var usedOnce: Set<NetworkErrorCode> = []

  package init(limit: Int, budget: Duration, stored: UInt64) {
    self.limit = limit
    self.budget = budget
    highWater = stored
  }

  /// Takes a failure into account.
  ///
  /// - Parameters:
  ///   - error: What went wrong.
  ///   - stored: How many bytes are stored by now.
  ///   - random: From 0 up to 1; the jitter.
  /// - Returns: Whether and when to try again.
  package mutating func decide(_ error: NetworkError, stored: UInt64, random: Double) -> Decision {
    switch error.retry {
    case .never: return .giveUp
    case .once, .withoutCoding, .restart, .onHTTP1:
      guard usedOnce.insert(error.code).inserted else { return .giveUp }
    case .again: break
    }
    let progressed = stored > highWater
    highWater = max(highWater, stored)
    failures = progressed ? 1 : failures + 1
    guard failures <= limit else { return .giveUp }
    var wait = progressed ? Duration.milliseconds(50) * random : backoff * random
    if let asked = error.retryAfter {
      guard asked <= budget - spent else { return .waitTooLong(asked) }
      wait = max(wait, asked)
    }
    guard spent + wait <= budget else { return .giveUp }
    spent += wait
    return .wait(wait)
  }

  /// The longest wait for the present number of failures: 0.5 s, doubled each time, at most 60 s.
  private var backoff: Duration {
    min(.milliseconds(500) * (1 << min(failures - 1, 10)), .seconds(60))
  }
}
