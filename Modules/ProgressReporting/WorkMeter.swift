import Synchronization

/// A count of work done, written by whoever does it and read by whoever watches.
///
/// Meters form a tree: a part of the work is given away as a ``WorkShare``, whose receiver makes a
/// meter of its own from it. Counts are pulled: ``advance(by:)`` adds to an atomic and tells nobody,
/// and a renderer takes a ``snapshot()`` when it wants to draw. Every member may be called from any
/// thread.
///
/// ```swift
/// let meter = WorkMeter("Delivering", total: 2)
/// try await download(url, progress: meter.share(1))
/// try await extract(archive, progress: meter.share(1))
/// meter.finish()
/// ```
public final class WorkMeter: Sendable {
  fileprivate struct State: Sendable {
    var label: String
    var total: UInt64?
    var attempt = 1
    var highWater = 0.0
    var mostDone: UInt64 = 0
    var parts: [Part] = []
    var lastKey = 0
  }

  /// A share of this meter's total and, once its receiver began, the meter made from it.
  fileprivate struct Part: Sendable {
    var key: Int
    var weight: UInt64
    var meter: WorkMeter?
    var isCredited = false
  }

  /// The switch that stops the whole tree.
  public let cancellation: WorkCancellation
  /// What is counted.
  public let unit: WorkUnit

  private let hub: WorkEventHub
  private let completed = Atomic<UInt64>(0)
  private let finished = Atomic<Bool>(false)
  private let state: Guarded<State>

  /// Creates the root of a tree.
  ///
  /// - Parameters:
  ///   - label: What is being done, for people.
  ///   - total: Units in all; `nil` while nobody knows. Where parts were given away and the total is
  ///     `nil`, it is the sum of their weights.
  ///   - unit: What is counted.
  ///   - cancellation: The switch that stops the tree.
  public init(
    _ label: String = "", total: UInt64? = nil, unit: WorkUnit = .bytes,
    cancellation: WorkCancellation = WorkCancellation()
  ) {
    self.cancellation = cancellation
    self.unit = unit
    hub = WorkEventHub()
    state = Guarded(State(label: label, total: total))
  }

  /// Creates a meter below another one, whose switch and observers it shares.
  init(_ label: String, total: UInt64?, unit: WorkUnit, below parent: WorkMeter) {
    cancellation = parent.cancellation
    self.unit = unit
    hub = parent.hub
    state = Guarded(State(label: label, total: total))
  }

  // MARK: Counting

  /// Adds units done, lock-free; saturates instead of overflowing.
  public func advance(by count: UInt64) {
    let (_, new) = completed.wrappingAdd(count, ordering: .relaxed)
    if new < count { completed.store(.max, ordering: .relaxed) }
  }

  /// Says how many units there are in all, or `nil` that nobody knows.
  public func setTotal(_ total: UInt64?) { state.withLock { $0.total = total } }

  /// Says what is being done now.
  public func setLabel(_ label: String) {
    let isNew = state.withLock { state in
      defer { state.label = label }
      return state.label != label
    }
    if isNew { hub.post(WorkEvent(.labelled, label: label)) }
  }

  /// Starts the work again; the only moment at which a count may fall.
  ///
  /// Meters below are forgotten.
  /// - Parameter completed: Units that are done all the same, such as bytes kept from the attempt
  ///   before.
  public func restart(completed: UInt64 = 0) {
    let event = state.withLock { state in
      self.completed.store(completed, ordering: .relaxed)
      finished.store(false, ordering: .relaxed)
      state.attempt += 1
      (state.highWater, state.mostDone) = (0, 0)
      state.parts.removeAll()
      return WorkEvent(.restarted(attempt: state.attempt), label: state.label)
    }
    hub.post(event)
  }

  /// Ends the work: the fraction is 1 from now on, whatever was counted.
  public func finish() {
    guard !finished.exchange(true, ordering: .acquiringAndReleasing) else { return }
    hub.post(WorkEvent(.finished, label: label))
  }

  /// Whether ``finish()`` was called.
  public var isFinished: Bool { finished.load(ordering: .acquiring) }

  /// Throws `CancellationError` when the tree or the calling task was cancelled.
  public func checkCancellation() throws {
    try cancellation.check()
    try Task.checkCancellation()
  }

  // MARK: Events

  /// What is being done now.
  public var label: String { state.withLock { $0.label } }

  /// Tells observers of the tree something that is no count, such as why it is tried again.
  ///
  /// - Parameter message: A lower-case clause for people.
  public func report(_ message: String) {
    hub.post(WorkEvent(.message(message), label: label))
  }

  /// Registers an action for the events of the whole tree, wherever in it this meter stands.
  ///
  /// It runs on the thread that does the work, so it must be quick.
  /// - Parameter action: What to do with an event.
  /// - Returns: The registration; the action is dropped when its life ends.
  public func onEvent(_ action: @escaping @Sendable (WorkEvent) -> Void) -> WorkObservation {
    let key = hub.add(action)
    return WorkObservation { [hub] in hub.remove(key) }
  }

  // MARK: Parts

  /// Sets a part of the work aside for one callee.
  ///
  /// - Parameter weight: How many of this meter's units the part stands for.
  /// - Returns: The share, to be consumed by that callee.
  public func share(_ weight: UInt64 = 1) -> WorkShare {
    let key = state.withLock { state in
      state.lastKey += 1
      let key = state.lastKey
      state.parts.append(Part(key: key, weight: weight))
      return key
    }
    return WorkShare(parent: self, key: key)
  }

  /// Weighs a part anew, as when its size in bytes has become known.
  ///
  /// - Parameters:
  ///   - part: Which one, as ``WorkShare/part`` named it before the share was handed over; one of
  ///     another meter, or of an attempt before, is ignored.
  ///   - weight: How many of this meter's units it stands for.
  public func reweigh(_ part: WorkPart, _ weight: UInt64) {
    guard part.owner == ObjectIdentifier(self) else { return }
    withPart(part.key) { $0.weight = weight }
  }

  func begin(_ key: Int, _ meter: WorkMeter) {
    withPart(key) { $0.meter = meter }
    hub.post(WorkEvent(.began, label: meter.label))
  }

  /// Counts a part that nobody began as done.
  func credit(_ key: Int) {
    withPart(key) { $0.isCredited = $0.meter == nil }
  }

  private func withPart(_ key: Int, _ body: (inout Part) -> Void) {
    state.withLock { state in
      // Keys rise; after a restart the part is gone and there is nobody left to tell.
      // Of many parts those that were given away last are the ones at work.
      guard let index = state.parts.lastIndex(where: { $0.key == key }) else { return }
      body(&state.parts[index])
    }
  }

  // MARK: Reading

  /// What this meter and those below say now.
  ///
  /// Costs a lock a meter, so it is not for inner loops.
  public func snapshot() -> WorkSnapshot {
    state.withLock { state in
      let isFinished = isFinished
      let counted = completed.load(ordering: .relaxed)
      let total = state.total ?? (state.parts.isEmpty ? nil : state.sumOfWeights)
      let children = state.parts.map { $0.meter?.snapshot() }
      // A part below may start again, or be weighed anew.
      state.mostDone = max(state.mostDone, state.done(counted: counted, children))
      var fraction = total.map { state.fraction(counted: counted, total: $0, children) }
      if isFinished { fraction = 1 }
      if let value = fraction {
        state.highWater = max(state.highWater, value)
        fraction = state.highWater
      }
      return WorkSnapshot(
        label: state.label, completed: state.mostDone, counted: counted,
        total: total.map { max($0, state.mostDone) }, unit: unit, fraction: fraction,
        isFinished: isFinished, attempt: state.attempt, children: children.compactMap { $0 })
    }
  }
}

extension WorkMeter.State {
  fileprivate var sumOfWeights: UInt64 {
    parts.reduce(0) { $0.addingSaturated($1.weight) }
  }

  /// Counted units and those of parts, whole units only: of a part that weighs one, nothing before its end.
  fileprivate func done(counted: UInt64, _ children: [WorkSnapshot?]) -> UInt64 {
    zip(parts, children).reduce(counted) { sum, pair in
      let (part, child) = pair
      let value = part.fraction(child)
      let units =
        value >= 1 ? part.weight : UInt64(exactly: (value * Double(part.weight)).rounded(.down))
      return sum.addingSaturated(units ?? part.weight)
    }
  }

  /// Counted units and weighted parts over the total; exactly 1 only when nothing is missing.
  fileprivate func fraction(
    counted: UInt64, total: UInt64, _ children: [WorkSnapshot?]
  ) -> Double {
    // A total of nothing has nothing left to do only once it is finished.
    guard total > 0 else { return 0 }
    var whole = counted
    var partial = 0.0
    for (part, child) in zip(parts, children) {
      let value = part.fraction(child)
      if value >= 1 {
        whole = whole.addingSaturated(part.weight)
      } else {
        partial += value * Double(part.weight)
      }
    }
    if whole >= total { return 1 }
    return min((Double(whole) + partial) / Double(total), 1.0.nextDown)
  }
}

extension WorkMeter.Part {
  /// The share of the part that is done, of which its meter says `child`.
  fileprivate func fraction(_ child: WorkSnapshot?) -> Double {
    isCredited ? 1 : child?.fraction ?? 0
  }
}

extension UInt64 {
  fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
