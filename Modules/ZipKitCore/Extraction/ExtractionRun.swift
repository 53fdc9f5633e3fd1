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
    for item in overlaps.items {
      plan.refuse(item: Int(item), overlaps.problem(item, plan.items))
    }
    let report = ExtractionReport(
      count: core.directory.count, problems: plan.problems, paths: ExtractionPaths(plan: plan))
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
    state.settle(
      plan.numberedItems.compactMap { number, item in
        switch item.action {
        case .skip: .init(item: number, status: .skipped)
        case .refuse: .init(item: number, status: .refused)
        case .file, .directory, .link: nil
        }
      })
  }

  private func dryRun(_ plan: ExtractionPlan, _ state: RunState) -> ExtractionReport {
    settleDecided(plan, state)
    state.settle(
      plan.numberedItems.compactMap { [core] number, item in
        switch item.action {
        case .file:
          let size = core.directory.header(Int(item.entry))?.size ?? 0
          return .init(item: number, status: .done, bytes: size)
        case .directory: return .init(item: number, status: .directoryMade)
        case .link: return .init(item: number, status: .link)
        case .skip, .refuse: return nil
        }
      })
    return state.finish()
  }

  private func runWorkers(
    _ plan: ExtractionPlan, _ overlaps: OverlapCheck, _ target: TargetDirectory,
    _ placement: FilePlacement, _ state: RunState, made: DirectoryPlacement.Made
  ) throws(ZipError) {
    state.settle(
      plan.numberedItems.compactMap { number, item in
        item.action == .file ? made.settlement(number, item, core) : nil
      })
    let numbers = Array(
      plan.numberedItems.filter { _, item in
        item.action == .file && !made.absent.contains(item.directory)
          && made.failed[item.directory] == nil
      }.map(\.number))
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
