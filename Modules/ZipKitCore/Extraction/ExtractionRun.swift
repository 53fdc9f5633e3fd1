internal import ProgressReporting
internal import SystemIO

/// An extraction from plan to report; blocks the thread that performs it.
struct ExtractionRun: Sendable {
  let core: ArchiveCore
  let path: String
  let options: ExtractionOptions
  let selection: [Int]?
  let meter: WorkMeter
  let observer: (@Sendable (ExtractionReport.Outcome) -> Void)?
  /// Whether directories are found part by part, as on kernels without `openat2(2)`; for tests.
  var walks = false

  func perform() throws(ZipError) -> ExtractionReport {
    var plan = ExtractionPlan(core, options: options, selection: selection)
    try LimitCheck.check(
      plan.declaredSize, plan.compressedSize, plan.items.count + plan.impliedDirectories,
      options.limits)
    meter.setTotal(plan.declaredSize)
    let overlaps = OverlapCheck(core, plan.items)
    for (item, problem) in overlaps.overlaps { plan.refuse(item: item, problem) }
    var report = ExtractionReport(
      count: core.directory.count, paths: ExtractionPaths(plan: plan))
    for (entry, problem) in plan.problems { report.note(entry, problem) }
    let state = RunState(
      report: report, items: plan.items, meter: meter, limits: options.limits, observer: observer)
    if options.isDryRun { return dryRun(plan, state) }
    let target: TargetDirectory
    do {
      target = try TargetDirectory(path: path, walks: walks)
    } catch {
      throw .targetDirectory(error)
    }
    let directories = DirectoryPlacement(core, plan, target, options)
    let made = directories.make(state)
    settleDecided(plan, state)
    let mask = Environment.fileCreationMask
    let placement = FilePlacement(options: options, mask: mask)
    try runWorkers(plan, overlaps, target, placement, state, made: made)
    LinkPlacement(core, plan, target, placement).make(state, absent: made.absent)
    directories.finish(made, mask: mask, state)
    let result = state.finish()
    if result.isComplete { meter.finish() }
    return result
  }

  private func settleDecided(_ plan: ExtractionPlan, _ state: RunState) {
    var settlements: [RunState.Settlement] = []
    for (number, item) in plan.items.enumerated() {
      let number = Int32(truncatingIfNeeded: number)
      switch item.action {
      case .skip: settlements.append(.init(item: number, status: .skipped))
      case .refuse: settlements.append(.init(item: number, status: .refused))
      case .file, .directory, .link: break
      }
    }
    state.settle(settlements)
  }

  private func dryRun(_ plan: ExtractionPlan, _ state: RunState) -> ExtractionReport {
    settleDecided(plan, state)
    var settlements: [RunState.Settlement] = []
    for (number, item) in plan.items.enumerated() {
      let number = Int32(truncatingIfNeeded: number)
      switch item.action {
      case .file:
        let size = core.directory.header(Int(item.entry))?.size ?? 0
        settlements.append(.init(item: number, status: .done, bytes: size))
      case .directory: settlements.append(.init(item: number, status: .directoryMade))
      case .link: settlements.append(.init(item: number, status: .link))
      case .skip, .refuse: break
      }
    }
    state.settle(settlements)
    return state.finish()
  }

  private func runWorkers(
    _ plan: ExtractionPlan, _ overlaps: OverlapCheck, _ target: TargetDirectory,
    _ placement: FilePlacement, _ state: RunState, made: DirectoryPlacement.Made
  ) throws(ZipError) {
    var numbers: [Int32] = []
    var lost: [RunState.Settlement] = []
    for (number, item) in plan.items.enumerated() where item.action == .file {
      let number = Int32(truncatingIfNeeded: number)
      if made.absent.contains(item.directory) {
        lost.append(.init(item: number, status: .skipped))
      } else if let problem = made.failed[item.directory] {
        lost.append(
          .init(
            item: number, status: .refused, problem: core.error(problem, Int(item.entry))))
      } else {
        numbers.append(number)
      }
    }
    state.settle(lost)
    let queue = WorkQueue(core, plan.items, numbers)
    let jobs = max(1, options.jobs ?? Environment.processorCount)
    try WorkerPool.run(min(jobs, queue.count)) { [core] number in
      // A lone large entry, or the last of several, keeps more than one processor busy.
      let worker = ExtractionWorker(
        core: core, plan: plan, next: overlaps.next, target: target, placement: placement,
        state: state, threads: queue.largeCount < 2 * jobs ? jobs : 1)
      worker.run(queue, fromBack: number % 2 == 1)
    }
  }
}

/// Threads that do the same thing side by side.
enum WorkerPool {
  /// Runs a body on this thread and `count - 1` others, and waits for all.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws(ZipError) {
    var others: [OwnedThread] = []
    for number in 1..<max(count, 1) {
      // With fewer threads than wanted the work still gets done.
      guard let thread = try? OwnedThread(named: "zip-\(number)", { body(number) }) else { break }
      others.append(thread)
    }
    if count > 0 { body(0) }
    for thread in others { thread.join() }
  }
}

/// Limits that what the directory declares can break already.
enum LimitCheck {
  static func check(
    _ size: UInt64, _ compressed: UInt64, _ files: Int, _ limits: ExtractionLimits
  ) throws(ZipError) {
    if let limit = limits.files, UInt64(files) > limit { throw .limitFiles(limit, found: files) }
    if let limit = limits.totalSize, size > limit { throw .limitSize(limit, found: size) }
    try limits.checkRatio(size, compressed)
  }
}
