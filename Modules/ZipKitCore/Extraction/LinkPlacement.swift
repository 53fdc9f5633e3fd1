internal import ProgressReporting
internal import SystemIO

/// Makes symbolic links, when all files and directories are in place.
struct LinkPlacement {
  private let core: ArchiveCore
  private let plan: ExtractionPlan
  private let target: TargetDirectory
  private let placement: FilePlacement

  init(
    _ core: ArchiveCore, _ plan: ExtractionPlan, _ target: TargetDirectory,
    _ placement: FilePlacement
  ) {
    self.core = core
    self.plan = plan
    self.target = target
    self.placement = placement
  }

  /// Makes all links, but for those in directories that are not there and are not to be made.
  func make(_ state: RunState, absent: Set<Int32>) {
    var reader: EntryReader?
    for (place, item) in plan.items.enumerated() where item.action == .link {
      if state.isStopped { return }
      if item.directory >= 0, absent.contains(item.directory) {
        state.settle([.init(item: Int32(truncatingIfNeeded: place), status: .skipped)])
        continue
      }
      let number = Int32(truncatingIfNeeded: place)
      let entry = Int(item.entry)
      let current = reader ?? EntryReader(core, placement.options)
      reader = current
      do {
        state.settle([try makeOne(number, item, entry, current, state)])
      } catch {
        if error.code == .diskFull { state.stop(error) }
        let status: ExtractionReport.Status =
          switch error.code {
          case .linkEscapes, .linkDamaged, .targetExists, .targetUnusable, .throughLink: .refused
          default: .failed
          }
        state.settle([.init(item: number, status: status, problem: core.error(error, entry))])
      }
    }
  }

  private func makeOne(
    _ number: Int32, _ item: ExtractionPlan.Item, _ entry: Int, _ reader: EntryReader,
    _ state: RunState
  ) throws(ZipError) -> RunState.Settlement {
    guard let header = core.directory.header(entry) else { throw .entryUnreadable(entry) }
    guard header.size <= UInt64(LinkPolicy.longestTarget) else {
      throw .linkDamaged(Int(clamping: header.size))
    }
    try reader.decodeWhole(entry, header)
    var text = unsafe reader.withWhole { unsafe Array($0) }
    if text.isEmpty { text = core.linkTarget(entry, header) }
    let directory = plan.path(directory: item.directory)
    if placement.options.allowsUnsafeLinks {
      guard !text.isEmpty, !text.contains(0) else { throw .linkDamaged(text.count) }
    } else {
      try LinkPolicy.check(text, in: directory) { plan.isDirectory($0) }
    }
    var attributes = AttributeReader(core, placement.options)
    let modified = attributes.attributes(entry, header).modified
    let handle: FileDescriptor
    do { handle = try target.open(directory) } catch { throw .placing(error) }
    let leaf = plan.leaf(item)
    let destination = String(decoding: text, as: UTF8.self)
    var decision = FilePlacement.Decision.create(leaf)
    if placement.asksFirst {
      decision = try placement.decide(
        leaf, path: plan.path(item), in: handle, modified: modified ?? FileTime(seconds: 0))
    }
    var trouble: ZipError?
    for _ in 0..<4 {
      switch decision {
      case .skip: return .init(item: number, status: .skipped)
      case .create(let name):
        if try placement.link(name, to: destination, modified: modified, in: handle, &trouble) {
          state.meter.advance(by: header.size)
          let path = directory.isEmpty ? name : "\(directory)/\(name)"
          return .init(
            item: number, status: .link, bytes: header.size,
            problem: trouble.map { core.error($0, entry) }, path: name == leaf ? nil : path)
        }
        decision = try placement.decide(
          name, path: plan.path(item), in: handle, modified: modified ?? FileTime(seconds: 0))
      case .replace:
        let temporary = FilePlacement.temporaryName()
        guard
          try placement.link(temporary, to: destination, modified: modified, in: handle, &trouble)
        else { throw .targetExists() }
        _ = try placement.settle(temporary, decision, in: handle)
        state.meter.advance(by: header.size)
        return .init(
          item: number, status: .link, bytes: header.size,
          problem: trouble.map { core.error($0, entry) })
      }
    }
    throw .targetExists()
  }
}
