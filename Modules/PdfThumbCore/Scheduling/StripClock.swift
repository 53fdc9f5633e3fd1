/// The time a strip goes by: the machine's, or one that a test turns by hand.
package struct StripClock: Sendable {
  /// The time since some moment.
  package let now: @Sendable () -> Duration
  /// Waits; throws `CancellationError` when the task is cancelled.
  package let sleep: @Sendable (Duration) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// Wraps a clock of the standard library's kind.
  package init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    self.init(
      now: { start.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) })
  }
}
