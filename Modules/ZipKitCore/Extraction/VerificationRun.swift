internal import ProgressReporting
internal import SystemIO

/// A test of entries: decodes and verifies everything, writes nothing.
struct VerificationRun: Sendable {
  let core: ArchiveCore
  let options: ExtractionOptions
  let selection: [Int]?
  let meter: WorkMeter
  let observer: (@Sendable (ExtractionReport.Outcome) -> Void)?

  func perform() throws(ZipError) -> ExtractionReport {
    let entries = selection ?? Array(0..<core.directory.count)
    var items: [ExtractionPlan.Item] = []
    items.reserveCapacity(entries.count)
    var total: UInt64 = 0
    var compressed: UInt64 = 0
    for entry in entries {
      // Without a header an entry is not passed over: it fails in its turn.
      let header = core.directory.header(entry) ?? .lost
      total = total.adding(header.size) ?? .max
      compressed = compressed.adding(header.compressedSize) ?? .max
      items.append(
        ExtractionPlan.Item(
          entry: UInt32(truncatingIfNeeded: entry), directory: -1, leafStart: 0, leafLength: 0,
          isOwnText: true, action: .file))
    }
    try LimitCheck.check(total, compressed, items.count, options.limits)
    meter.setTotal(total)
    let overlaps = OverlapCheck(core, items)
    for number in overlaps.items { items[Int(number)].action = .refuse }
    let state = RunState(
      report: ExtractionReport(count: core.directory.count, paths: nil), items: items,
      meter: meter, limits: options.limits, observer: observer)
    state.settle(
      overlaps.items.lazy.map { [core, items] number in
        let problem = overlaps.problem(number, items)
        return .init(
          item: number, status: .refused,
          problem: core.error(problem, Int(items[Int(number)].entry)))
      })
    let numbers = items.indices.filter { items[$0].action == .file }
      .map { Int32(truncatingIfNeeded: $0) }
    let queue = WorkQueue(core, items, numbers)
    let processors = max(1, options.jobs ?? Environment.processorCount)
    let jobs = min(processors, queue.count)
    let (next, frozen) = (overlaps.next, items)
    // A lone large entry, or the last of several, keeps more than one processor busy.
    let threads = queue.largeCount < 2 * processors ? processors : 1
    try WorkerPool.run(jobs) { number in
      let reader = EntryReader(core, options)
      while !state.isStopped, let batch = queue.next(fromBack: number % 2 == 1) {
        var settlements: [RunState.Settlement] = []
        for item in batch {
          if state.isStopped { break }
          settlements.append(verify(item, frozen, next, reader, threads, state))
        }
        state.settle(settlements)
      }
    }
    let report = state.finish()
    if report.isComplete { meter.finish() }
    return report
  }

  private func verify(
    _ number: Int32, _ items: [ExtractionPlan.Item], _ next: [UInt64], _ reader: EntryReader,
    _ threads: Int, _ state: RunState
  ) -> RunState.Settlement {
    let entry = Int(items[Int(number)].entry)
    do throws(ZipError) {
      guard let header = core.directory.header(entry) else {
        throw ZipError.entryUnreadable(entry)
      }
      if header.size <= EntryReader.wholeLimit {
        try reader.decodeWhole(entry, header)
        try state.spend(header.size)
        state.meter.advance(by: header.size)
      } else {
        try reader.stream(entry, header, threads: threads) { (bytes) throws(ZipError) in
          if state.isStopped { throw .cancelled() }
          try state.spend(UInt64(bytes.byteCount))
          state.meter.advance(by: UInt64(bytes.byteCount))
        }
      }
      guard reader.dataEnd <= next[Int(number)] else {
        throw ZipError.overlap(reader.dataEnd, next: next[Int(number)])
      }
      return .init(item: number, status: .done, bytes: header.size)
    } catch {
      return .init(
        item: number, status: error.code == .cancelled ? .cancelled : .failed,
        problem: core.error(error, entry))
    }
  }
}
