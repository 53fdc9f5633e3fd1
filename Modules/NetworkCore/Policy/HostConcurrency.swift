/// How many requests one host gets at a time, as its answers allow.
///
/// A pure state machine. There is no limit until a host says that it is too much: by 429, by 503, or by
/// turning connections away. Then it is half of what was under way, and grows by one after a run of
/// successes or a while in peace. A host that names a wait gets no new request before it is over.
package struct HostConcurrency: Sendable {
  /// So many successes in a row earn one more request at a time.
  package static let successesPerStep = 8
  /// So does so much time without a complaint.
  package static let stepTime: Duration = .seconds(10)
  /// Who may have so many may have any number.
  package static let enough = 64

  /// How many requests may be under way.
  package private(set) var limit = Int.max
  private var successes = 0
  private var hasServed = false
  private var lastChange: Duration = .zero
  private var notBefore: Duration = .zero

  package init() {}

  /// Looks whether another request may start.
  ///
  /// - Parameters:
  ///   - running: How many are under way.
  ///   - now: A clock that does not run backwards.
  /// - Returns: Whether it may.
  package mutating func allowsAnother(running: Int, now: Duration) -> Bool {
    while limit < .max, now - lastChange >= Self.stepTime { grow(lastChange + Self.stepTime) }
    return running < limit && now >= notBefore
  }

  /// When the host may be asked again, where it named a wait that is not over.
  package func opens(now: Duration) -> Duration? { notBefore > now ? notBefore : nil }

  /// A request was answered as it should be.
  package mutating func succeeded(now: Duration) {
    hasServed = true
    guard limit < .max else { return }
    successes += 1
    if successes >= Self.successesPerStep { grow(now) }
  }

  /// A request ended with an error.
  ///
  /// - Parameters:
  ///   - error: Only what tells of too much load counts.
  ///   - running: How many requests were under way, this one included.
  ///   - began: When it was made. What was under way already when the limit was drawn in says nothing
  ///     about the new limit.
  ///   - wait: How long the host asked to be left alone, where that is what will be done.
  ///   - now: The clock of the other calls.
  package mutating func failed(
    _ error: NetworkError, running: Int, began: Duration, wait: Duration?, now: Duration
  ) {
    guard isOverload(error) else { return }
    if let wait { notBefore = max(notBefore, now + wait) }
    successes = 0
    // A single request is not too many at a time, whatever else it is.
    guard running > 1, limit == .max || began > lastChange else { return }
    limit = max(1, min(limit, running) / 2)
    lastChange = now
  }

  private func isOverload(_ error: NetworkError) -> Bool {
    if [429, 503].contains(error.httpStatus ?? 0) { return true }
    // Turned away at the door. A host that has never served is absent rather than busy, and a
    // connection that breaks in the middle of a body has other reasons.
    guard hasServed, error.phase != .body, error.phase != .stall else { return false }
    return error.code == .cannotConnectToHost || error.systemCode == .connectionReset
      || error.curlCode == .gotNothing
  }

  private mutating func grow(_ now: Duration) {
    successes = 0
    lastChange = now
    limit = limit + 1 >= Self.enough ? .max : limit + 1
  }
}
