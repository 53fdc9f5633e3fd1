/// Keeps a transfer at a rate: says how long the next bytes have to wait; a pure state machine.
///
/// libcurl's own limit lets a second's bytes through at each look, which over a fast line is many times the
/// rate until it has made up for it.
package struct RatePacer: Sendable {
  private let rate: UInt64
  private var start: Duration?
  private var bytesAtStart: UInt64 = 0

  /// Creates a pacer.
  ///
  /// - Parameter rate: Bytes a second; more than 0.
  package init(rate: UInt64) { self.rate = max(1, rate) }

  /// Says when bytes that follow may be taken; `nil` for now.
  ///
  /// - Parameters:
  ///   - bytes: How many came so far.
  ///   - now: The time.
  /// - Returns: The time, on the same clock.
  package mutating func nextTime(after bytes: UInt64, now: Duration) -> Duration? {
    guard let start else {
      (self.start, bytesAtStart) = (now, bytes)
      return nil
    }
    let due = start + .seconds(Double(bytes - min(bytes, bytesAtStart)) / Double(rate))
    // What a slow server did not use is not made up for in a burst.
    if now - due > .seconds(1) { (self.start, bytesAtStart) = (now, bytes) }
    return due > now ? due : nil
  }
}
