/// What one page may cost, and what it has cost so far; pure, the clocks are the caller's.
package struct PageWatch: Sendable {
  /// Which limit was passed.
  package enum Excess: Sendable, Equatable {
    case time
    case processorTime
    case messages
    /// Nobody waits for the page any more.
    case cancelled
  }

  /// What to do next.
  package enum Verdict: Sendable, Equatable {
    /// Look again at the latest after this time.
    case wait(Duration)
    case stop(Excess)
  }

  /// How long a page that nobody waits for may go on; most are done before.
  package static let cancelGrace = Duration.milliseconds(250)
  /// A look that comes so much later than planned means that this process was stopped itself.
  package static let oversleep = Duration.seconds(1)

  private let pageTime: Duration
  private let processorTime: Duration
  private let messageLimit: UInt64
  private var deadline: Duration
  private var processorStart: Duration?
  private var lastLook: (at: Duration, planned: Duration)?
  private var cancelledAt: Duration?
  /// The bytes of messages this page has caused.
  package private(set) var messages: UInt64 = 0

  package init(_ settings: IsolationSettings, now: Duration, processorTime used: Duration?) {
    pageTime = settings.pageTime
    processorTime = settings.processorTime
    messageLimit = settings.messages
    deadline = now + settings.pageTime
    processorStart = used
  }

  package mutating func note(messages count: Int) {
    messages += UInt64(max(count, 0))
  }

  package mutating func noteCancellation(now: Duration) {
    if cancelledAt == nil { cancelledAt = now }
  }

  /// Judges the page at this moment.
  ///
  /// - Parameters:
  ///   - now: The monotonic clock.
  ///   - used: The worker's processor time, or `nil` where it cannot be told.
  /// - Returns: How long to wait for more, or that the page is to be stopped and why.
  package mutating func verdict(now: Duration, processorTime used: Duration?) -> Verdict {
    if messages > messageLimit { return .stop(.messages) }
    // After SIGSTOP and SIGCONT, or a machine's sleep, the page gets the time back.
    if let lastLook, now - lastLook.planned > Self.oversleep { deadline += now - lastLook.at }
    if processorStart == nil { processorStart = used }
    var rest = deadline - now
    if rest <= .zero { return .stop(.time) }
    if let used, let processorStart {
      let left = processorTime - (used - processorStart)
      if left <= .zero { return .stop(.processorTime) }
      rest = min(rest, left)
    }
    if let cancelledAt {
      let left = cancelledAt + Self.cancelGrace - now
      if left <= .zero { return .stop(.cancelled) }
      rest = min(rest, left)
    }
    lastLook = (now, now + rest)
    return .wait(rest)
  }
}
