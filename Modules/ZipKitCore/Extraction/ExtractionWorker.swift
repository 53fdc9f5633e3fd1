internal import ProgressReporting
internal import SystemIO

/// One thread's part of an extraction: its buffers, its decoders, the directory it is in.
final class ExtractionWorker {
  private let core: ArchiveCore
  private let plan: ExtractionPlan
  private let next: [UInt64]
  private let target: TargetDirectory
  private let placement: FilePlacement
  private let state: RunState
  private let reader: EntryReader
  /// Threads that may share the work on a large entry.
  private let threads: Int
  private var attributes: AttributeReader
  /// Whether a file was there already.
  private var foundExisting = false
  /// What did not work about the present file, whose content is whole.
  private var trouble: ZipError?
  private var directory: (number: Int32, handle: DirectoryHandle)?

  init(
    core: ArchiveCore, plan: ExtractionPlan, next: [UInt64], target: TargetDirectory,
    placement: FilePlacement, state: RunState, threads: Int
  ) {
    self.core = core
    self.plan = plan
    self.next = next
    self.target = target
    self.placement = placement
    self.state = state
    self.threads = threads
    reader = EntryReader(core, placement.options)
    attributes = AttributeReader(core, placement.options)
  }

  /// Works until the queue is empty or the run is stopped.
  func run(_ queue: WorkQueue, fromBack: Bool) {
    var settlements: [RunState.Settlement] = []
    while !state.isStopped, let batch = queue.next(fromBack: fromBack) {
      settlements.removeAll(keepingCapacity: true)
      for number in batch {
        if state.isStopped { break }
        settlements.append(extract(number))
      }
      state.settle(settlements)
    }
  }

  private func extract(_ number: Int32) -> RunState.Settlement {
    let item = plan.items[Int(number)]
    do {
      return try place(number, item)
    } catch {
      // What cannot fit by what it declares leaves room for others; a write that found none does not.
      if error.code == .diskFull, error.cause != nil { state.stop(error) }
      let status: ExtractionReport.Status =
        switch error.code {
        case .cancelled: .cancelled
        case .targetExists, .targetUnusable, .throughLink, .overlap, .limitRatio: .refused
        default: .failed
        }
      return RunState.Settlement(
        item: number, status: status, problem: core.error(error, Int(item.entry)))
    }
  }

  private func handle(_ number: Int32) throws(ZipError) -> DirectoryHandle {
    if let directory, directory.number == number { return directory.handle }
    do {
      let handle = DirectoryHandle(try target.open(plan.path(directory: number)))
      directory = (number, handle)
      return handle
    } catch {
      throw .placing(error)
    }
  }

  private func place(
    _ number: Int32, _ item: ExtractionPlan.Item
  ) throws(ZipError) -> RunState.Settlement {
    let index = Int(item.entry)
    trouble = nil
    guard let header = core.directory.header(index) else { throw .entryUnreadable(index) }
    let handle = try handle(item.directory)
    let leaf = plan.leaf(item)
    var decision = FilePlacement.Decision.create(leaf)
    let isSmall = header.size <= EntryReader.wholeLimit
    // As long as no file was found to exist, a small one is tried at once: a system call less.
    let looks = placement.asksFirst && (!isSmall || placement.compares || foundExisting)
    func look() throws(ZipError) {
      decision = try placement.decide(
        leaf, path: plan.path(item), in: handle.descriptor,
        modified: attributes.modified(index, header))
    }
    if looks {
      try look()
      if decision == .skip { return RunState.Settlement(item: number, status: .skipped) }
    }
    if isSmall {
      do {
        try placeSmall(number, item, header, &decision, handle)
      } catch {
        // What is damaged and would have been passed over is no matter.
        guard placement.asksFirst, !looks, decision == .create(leaf) else { throw error }
        try look()
        guard decision == .skip else { throw error }
      }
    } else {
      try placeLarge(number, item, header, &decision, handle)
    }
    var path: String?
    switch decision {
    case .skip: return RunState.Settlement(item: number, status: .skipped)
    case .create(let name), .replace(let name):
      if name != leaf {
        let parent = item.directory < 0 ? "" : plan.path(directory: item.directory) + "/"
        path = parent + name
      }
    }
    return RunState.Settlement(
      item: number, status: .done, bytes: header.size,
      problem: trouble.map { core.error($0, index) }, path: path)
  }

  private func converts(_ header: CentralHeader) -> Bool {
    switch placement.options.convertsText {
    case .none: false
    case .marked: header.internalAttributes & 1 != 0
    case .all: true
    }
  }

  private func checkEnd(_ number: Int32) throws(ZipError) {
    guard reader.dataEnd <= next[Int(number)] else {
      throw .overlap(reader.dataEnd, next: next[Int(number)])
    }
  }

  /// Decodes and verifies in memory, and only then makes a file.
  private func placeSmall(
    _ number: Int32, _ item: ExtractionPlan.Item, _ header: CentralHeader,
    _ decision: inout FilePlacement.Decision, _ handle: DirectoryHandle
  ) throws(ZipError) {
    let index = Int(item.entry)
    try reader.decodeWhole(index, header)
    try checkEnd(number)
    try state.spend(header.size)
    let attributes = attributes.attributes(index, header)
    let placement = placement
    if converts(header) { reader.replaceWhole { LineEndConverter.whole($0) } }
    // A name may be taken between look and deed, so the deed decides, a few times over.
    for _ in 0..<4 {
      switch decision {
      case .skip: return
      case .replace(let name):
        try unsafe reader.withWhole { (bytes) throws(ZipError) in
          try unsafe placement.replace(
            name, bytes, attributes, in: handle.descriptor, &trouble)
        }
      case .create(let name):
        let isMade = try unsafe reader.withWhole { (bytes) throws(ZipError) in
          try unsafe placement.create(
            name, bytes, attributes, in: handle.descriptor, &trouble)
        }
        if !isMade {
          foundExisting = true
          decision = try placement.decide(
            name, path: plan.path(item), in: handle.descriptor,
            modified: self.attributes.modified(index, header))
          continue
        }
      }
      state.meter.advance(by: header.size)
      return
    }
    throw .targetExists()
  }

  /// Writes under a temporary name while decoding, and renames when the content is verified.
  private func placeLarge(
    _ number: Int32, _ item: ExtractionPlan.Item, _ header: CentralHeader,
    _ decision: inout FilePlacement.Decision, _ handle: DirectoryHandle
  ) throws(ZipError) {
    let index = Int(item.entry)
    if !placement.asksFirst {
      decision = try placement.decide(
        plan.leaf(item), path: plan.path(item), in: handle.descriptor,
        modified: FileTime(seconds: 0))
      if decision == .skip { return }
    }
    if let free = try? handle.descriptor.freeSpace(), free < header.size,
      !placement.options.writesSparse
    {
      throw .noSpace(header.size, free: free)
    }
    let temporary = FilePlacement.temporaryName()
    do {
      let file = try handle.descriptor.open(
        temporary, [.writeOnly, .create, .exclusive, .noFollow], mode: 0o600)
      try write(number, index, header, to: file)
      do {
        try file.setMode(finalMode(index, header))
      } catch {
        trouble = .metadata(error)
      }
      placement.apply(attributes.attributes(index, header), to: file, &trouble)
      try file.close()
    } catch {
      try? FileSystem.unlink(temporary, in: handle.descriptor)
      if let error = error as? SystemError { throw .placing(error) }
      throw error as? ZipError ?? .cancelled()
    }
    while true {
      if try placement.settle(temporary, decision, in: handle.descriptor) { return }
      do {
        decision = try placement.decide(
          plan.leaf(item), path: plan.path(item), in: handle.descriptor,
          modified: attributes.modified(index, header))
      } catch {
        try? FileSystem.unlink(temporary, in: handle.descriptor)
        throw error
      }
    }
  }

  private func finalMode(_ index: Int, _ header: CentralHeader) -> UInt32 {
    let wanted = attributes.attributes(index, header)
    return wanted.isExact ? wanted.mode : wanted.mode & ~placement.mask
  }

  private func write(
    _ number: Int32, _ index: Int, _ header: CentralHeader, to file: borrowing FileDescriptor
  ) throws {
    try reader.begin(index, header, threads: threads)
    try checkEnd(number)
    let sink = FileSink(
      file, isSparse: placement.options.writesSparse, convertsText: converts(header), state: state)
    try reader.streamRest(header) { (bytes) throws(ZipError) in try sink.write(bytes) }
    if placement.options.writesSparse, !converts(header) { try file.truncate(to: header.size) }
  }
}
