/// Snapshots of a meter over time, one for each time somebody asks.
///
/// Nothing is buffered: an observer that is slow misses snapshots and never falls behind. The
/// sequence ends after the snapshot that shows the work finished or its switch thrown, and when the
/// task that reads it is cancelled.
public struct WorkSnapshots<Timer: Clock>: AsyncSequence, Sendable
where Timer.Duration == Duration, Timer: Sendable {
  let meter: WorkMeter
  let interval: Duration
  let clock: Timer

  /// Starts to watch.
  public func makeAsyncIterator() -> Iterator {
    Iterator(meter: meter, interval: interval, clock: clock)
  }

  /// Waits between one snapshot and the next.
  public struct Iterator: AsyncIteratorProtocol {
    /// Watching does not fail.
    public typealias Failure = Never

    let meter: WorkMeter
    let interval: Duration
    let clock: Timer
    private var next: Timer.Instant?
    private var isOver = false

    init(meter: WorkMeter, interval: Duration, clock: Timer) {
      self.meter = meter
      self.interval = interval
      self.clock = clock
    }

    /// The snapshot at the next tick; the first comes at once.
    public mutating func next() async -> WorkSnapshot? {
      await next(isolation: #isolation)
    }

    /// The snapshot at the next tick; the first comes at once.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> WorkSnapshot? {
      if isOver { return nil }
      if let next {
        do { try await clock.sleep(until: next, tolerance: nil) } catch { return nil }
      }
      // A reader that took longer than a tick goes on from now instead of catching up.
      next = clock.now.advanced(by: interval)
      // Asked before the snapshot: what was counted before the end is then in the last one.
      let isCancelled = meter.cancellation.isCancelled
      let snapshot = meter.snapshot()
      isOver = snapshot.isFinished || isCancelled
      return snapshot
    }
  }
}

extension WorkMeter {
  /// Snapshots at a fixed pace.
  ///
  /// - Parameters:
  ///   - interval: Time between two; 100 ms unless said otherwise.
  ///   - clock: What measures it.
  /// - Returns: A sequence that may be read several times, each time from now on.
  public func snapshots<Timer: Clock>(
    every interval: Duration = .milliseconds(100), clock: Timer
  ) -> WorkSnapshots<Timer> where Timer.Duration == Duration {
    WorkSnapshots(meter: self, interval: interval, clock: clock)
  }

  /// Snapshots at a fixed pace by the continuous clock.
  ///
  /// - Parameter interval: Time between two; 100 ms unless said otherwise.
  /// - Returns: A sequence that may be read several times, each time from now on.
  public func snapshots(
    every interval: Duration = .milliseconds(100)
  ) -> WorkSnapshots<ContinuousClock> {
    snapshots(every: interval, clock: ContinuousClock())
  }

  /// Calls a function on an actor with snapshots until the work ends.
  ///
  /// For programs that are not asynchronous where they start the work; others iterate over
  /// ``snapshots(every:)``.
  /// - Parameters:
  ///   - interval: Time between two calls; 100 ms unless said otherwise.
  ///   - actor: Where to call it.
  ///   - handler: What to do with a snapshot.
  /// - Returns: The observer, which is dropped when its life ends.
  public func observe<Observer: Actor>(
    every interval: Duration = .milliseconds(100), on actor: Observer,
    _ handler: @escaping @Sendable (isolated Observer, WorkSnapshot) -> Void
  ) -> WorkObservation {
    let task = Task(name: "progress observer") { [self] in
      for await snapshot in snapshots(every: interval) {
        // An observation that was dropped while this snapshot was on its way is not called.
        if Task.isCancelled { return }
        await handler(actor, snapshot)
      }
    }
    return WorkObservation { task.cancel() }
  }

  /// Calls a function on the main actor with snapshots until the work ends.
  ///
  /// - Parameters:
  ///   - interval: Time between two calls; 100 ms unless said otherwise.
  ///   - handler: What to do with a snapshot.
  /// - Returns: The observer, which is dropped when its life ends.
  public func observeOnMainActor(
    every interval: Duration = .milliseconds(100),
    _ handler: @escaping @MainActor @Sendable (WorkSnapshot) -> Void
  ) -> WorkObservation {
    observe(every: interval, on: MainActor.shared) { _, snapshot in
      // The main actor is one of a kind, which the type checker does not see here.
      MainActor.assumeIsolated { handler(snapshot) }
    }
  }
}
