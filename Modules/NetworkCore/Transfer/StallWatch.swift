/// Decides when a transfer has stood still for too long; a pure state machine on a given clock.
package struct StallWatch {
  private let responseTimeout: Duration
  private let stallTimeout: Duration
  private let stallBytes: UInt64
  private var windowStart: Duration
  private var bytesAtStart: UInt64 = 0
  private var isHeadComplete = false

  package init(_ settings: TransferSettings, now: Duration) {
    responseTimeout = settings.responseTimeout + settings.connectTimeout
    stallTimeout = settings.stallTimeout
    // A rate that was asked for is no stall.
    let allowed = settings.rateLimit.map { rate in
      UInt64(Double(rate) * (settings.stallTimeout / .seconds(1)) / 4)
    }
    stallBytes = max(1, min(settings.stallBytes, allowed ?? .max))
    windowStart = now
  }

  /// The wait for a head begins anew: a sign of life came.
  package mutating func restart(now: Duration) {
    windowStart = isHeadComplete ? now : windowStart
  }

  /// Leaves a time out of account.
  package mutating func forgive(_ time: Duration) { windowStart += time }

  /// From now on the body is watched.
  package mutating func headIsComplete(now: Duration) {
    isHeadComplete = true
    windowStart = now
  }

  /// The reason to give up, if there is one.
  package mutating func check(bodyBytes: UInt64, isPaused: Bool, now: Duration) -> TransferStop? {
    guard isHeadComplete else {
      return now - windowStart > responseTimeout ? .responseTimeout : nil
    }
    if isPaused || bodyBytes - min(bodyBytes, bytesAtStart) >= stallBytes {
      windowStart = now
      bytesAtStart = bodyBytes
    }
    return now - windowStart > stallTimeout ? .stalled : nil
  }
}
