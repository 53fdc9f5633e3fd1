/// How many requests one host gets at a time, as its answers allow.
///
/// A pure state machine: half as many after 429, 503 or a reset, one more after a run of successes. A
/// host that names a wait gets no new request before it is over.
package struct HostConcurrency: Sendable {
  /// So many successes in a row earn one more request at a time.
  package static let successesPerStep = 8

  private let most: Int
  private var successes = 0
  private var notBefore: Duration?
  /// How many requests may be under way.
  package private(set) var limit: Int

  /// Creates a state that allows the most.
  ///
  /// - Parameter most: The most requests at a time, at least 1.
  package init(most: Int) {
    self.most = max(1, most)
    limit = self.most
  }

  /// Whether another request may start.
  package func allowsAnother(running: Int, now: Duration) -> Bool {
    running < limit && notBefore.map { now >= $0 } ?? true
  }

  /// When the host may be asked again, where it named a wait that is not over.
  package func opens(now: Duration) -> Duration? {
    notBefore.flatMap { $0 > now ? $0 : nil }
  }

  /// A request brought what it should.
  package mutating func succeeded() {
    successes += 1
    guard successes >= Self.successesPerStep, limit < most else { return }
    successes = 0
    limit += 1
  }

  /// A request ended with an error.
  ///
  /// - Parameters:
  ///   - error: Only those that tell of too much load count: 429, 503, a reset or refused connection.
  ///   - running: How many requests were under way, this one included.
  ///   - now: A clock that does not run backwards.
  package mutating func failed(_ error: NetworkError, running: Int, now: Duration) {
    successes = 0
    let isOverload =
      [429, 503].contains(error.httpStatus ?? 0) || error.code == .cannotConnectToHost
      || error.systemCode == .connectionReset
    guard isOverload else { return }
    limit = max(1, min(limit, running) / 2)
    if let wait = error.retryAfter { notBefore = max(notBefore ?? .zero, now + wait) }
  }
}
