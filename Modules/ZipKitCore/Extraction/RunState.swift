internal import ProgressReporting
internal import Synchronization

/// What the workers of one run share: the report they add to, the bytes they have left, the switch.
final class RunState: Sendable {
  private struct State {
    var report: ExtractionReport
    var isSettled: [Bool]
    var cursor = 0
  }

  let meter: WorkMeter
  private let state: Mutex<State>
  private let items: [ExtractionPlan.Item]
  private let limits: ExtractionLimits
  private let spent = Atomic<UInt64>(0)
  private let stopped = Atomic<Bool>(false)
  private let observer: (@Sendable (ExtractionReport.Outcome) -> Void)?

  init(
    report: ExtractionReport, items: [ExtractionPlan.Item], meter: WorkMeter,
    limits: ExtractionLimits,
    observer: (@Sendable (ExtractionReport.Outcome) -> Void)?
  ) {
    self.meter = meter
    self.items = items
    self.limits = limits
    self.observer = observer
    state = Mutex(
      State(report: report, isSettled: Array(repeating: false, count: items.count)))
  }

  /// Whether workers should take up nothing more.
  var isStopped: Bool { stopped.load(ordering: .relaxed) || meter.cancellation.isCancelled }

  /// Stops the run for a reason that concerns it as a whole.
  func stop(_ reason: ZipError) {
    guard !stopped.exchange(true, ordering: .relaxed) else { return }
    state.withLock { $0.report.general.append(reason) }
  }

  /// Counts bytes against the limit, before they are written.
  func spend(_ count: UInt64) throws(ZipError) {
    guard let limit = limits.totalSize else { return }
    let total = spent.add(count, ordering: .relaxed).newValue
    guard total <= limit else {
      let error = ZipError.limitSize(limit, found: total)
      stop(error)
      throw error
    }
  }

  /// One item's end.
  struct Settlement {
    var item: Int32
    var status: ExtractionReport.Status
    var bytes: UInt64 = 0
    var problem: ZipError?
    var path: String?
  }

  /// Adds outcomes to the report and tells the observer of those whose turn it is, in the order of the
  /// directory.
  func settle(_ settlements: some Sequence<Settlement>) {
    state.withLock { state in
      for one in settlements {
        let entry = Int(items[Int(one.item)].entry)
        state.report.set(entry, one.status)
        if let problem = one.problem { state.report.note(entry, problem) }
        if let path = one.path { state.report.rename(entry, to: path) }
        if one.status == .done { state.report.add(bytes: one.bytes) }
        state.isSettled[Int(one.item)] = true
      }
      tell(&state)
    }
  }

  /// Adds a problem to an entry's outcome, without deciding it.
  func note(_ entry: Int, _ problem: ZipError) {
    state.withLock { $0.report.note(entry, problem) }
  }

  private func tell(_ state: inout State) {
    guard let observer else { return }
    while state.cursor < items.count, state.isSettled[state.cursor] {
      observer(state.report.outcome(of: Int(items[state.cursor].entry)))
      state.cursor += 1
    }
  }

  /// The report, with everything not settled marked as cancelled.
  func finish() -> ExtractionReport {
    state.withLock { state in
      for number in items.indices where !state.isSettled[number] {
        state.report.set(Int(items[number].entry), .cancelled)
        state.isSettled[number] = true
      }
      tell(&state)
      if meter.cancellation.isCancelled { state.report.general.append(.cancelled()) }
      return state.report
    }
  }
}
