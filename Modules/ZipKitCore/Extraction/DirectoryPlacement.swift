internal import SystemIO

/// Makes a plan's directories before anything is put into them, and gives them mode and times when
/// nothing more will be.
struct DirectoryPlacement {
  /// What came of making directories.
  struct Made {
    /// Numbers of directories that did not exist, parents before children.
    var created: [Int32] = []
    /// Directories that cannot be used, with the reason.
    var failed = Failures()
    /// Directories that are not there, where nothing new is to be made.
    var absent: Set<Int32> = []

    /// The end of an item in a directory that is not there or cannot be used; nil for others.
    func settlement(
      _ number: Int32, _ item: ExtractionPlan.Item, _ core: ArchiveCore
    ) -> RunState.Settlement? {
      if absent.contains(item.directory) { return .init(item: number, status: .skipped) }
      return failed[item.directory].map {
        .init(item: number, status: .refused, problem: core.error($0, Int(item.entry)))
      }
    }
  }

  /// Reasons by number of directory; many directories have few reasons.
  struct Failures {
    private var reasons: [ZipError] = []
    private var places: [Int32: Int32] = [:]

    subscript(directory: Int32) -> ZipError? {
      get { places[directory].map { reasons[Int($0)] } }
      set {
        guard let newValue else { return }
        let place = reasons.firstIndex(of: newValue) ?? reasons.count
        if place == reasons.count { reasons.append(newValue) }
        places[directory] = Int32(truncatingIfNeeded: place)
      }
    }
  }

  private let core: ArchiveCore
  private let plan: ExtractionPlan
  private let target: TargetDirectory
  private let options: ExtractionOptions

  init(
    _ core: ArchiveCore, _ plan: ExtractionPlan, _ target: TargetDirectory,
    _ options: ExtractionOptions
  ) {
    self.core = core
    self.plan = plan
    self.target = target
    self.options = options
  }

  /// Makes all directories; a parent's number is always below its children's.
  func make(_ state: RunState) -> Made {
    var made = Made()
    var parent: (number: Int32, handle: DirectoryHandle)?
    var wasMade = Array(repeating: false, count: plan.directories.count)
    for (number, directory) in plan.directories.enumerated() {
      let number = Int32(truncatingIfNeeded: number)
      if let problem = made.failed[directory.parent] {
        made.failed[number] = problem
        continue
      }
      if options.onlyFreshens {
        do {
          _ = try target.open(plan.path(directory: number))
        } catch {
          made.absent.insert(number)
        }
        continue
      }
      do {
        if parent?.number != directory.parent {
          let path = plan.path(directory: directory.parent)
          parent = (directory.parent, DirectoryHandle(try target.open(path)))
        }
        guard let parent else { continue }
        if try makeOne(number, in: parent.handle.descriptor) {
          made.created.append(number)
          wasMade[Int(number)] = true
        }
      } catch {
        made.failed[number] = .placing(error)
        if error.isFull { state.stop(.placing(error)) }
      }
    }
    state.settle(
      plan.numberedItems.compactMap { number, item in
        item.action == .directory ? settlement(number, item, made, wasMade) : nil
      })
    return made
  }

  /// Returns whether the directory was made; throws when something else has the name.
  private func makeOne(
    _ number: Int32, in parent: borrowing FileDescriptor
  ) throws(SystemError) -> Bool {
    do {
      try FileSystem.makeDirectory(plan.name(directory: number), in: parent)
      return true
    } catch  where error.isExisting {
      // Opening tells a directory from a file and from a link.
      _ = try target.open(plan.path(directory: number))
      return false
    }
  }

  private func settlement(
    _ number: Int32, _ item: ExtractionPlan.Item, _ made: Made, _ wasMade: [Bool]
  ) -> RunState.Settlement {
    if let lost = made.settlement(number, item, core) { return lost }
    let directory = plan.directories[Int(item.directory)]
    let isFirst = directory.firstItem == number && wasMade[Int(item.directory)]
    return .init(item: number, status: isFirst ? .directoryMade : .directory)
  }

  /// Sets modes and times of the directories made, children before parents.
  func finish(_ made: Made, mask: UInt32, _ state: RunState) {
    var reader = AttributeReader(core, options)
    for number in made.created.reversed() {
      let directory = plan.directories[Int(number)]
      guard directory.item >= 0 else { continue }
      let entry = Int(plan.items[Int(directory.item)].entry)
      guard let header = core.directory.header(entry) else { continue }
      let attributes = reader.attributes(entry, header, isDirectory: true)
      do {
        let descriptor = try target.open(
          plan.path(directory: number), [.readOnly, .directory])
        if let owner = attributes.owner {
          try? descriptor.setOwner(user: owner.user, group: owner.group)
        }
        if attributes.isExact { try descriptor.setMode(attributes.mode) }
        if let modified = attributes.modified {
          try descriptor.setTimes(
            access: attributes.accessed ?? modified, modification: modified)
        }
      } catch {
        state.note(entry, core.error(.metadata(error), entry))
      }
    }
  }
}
