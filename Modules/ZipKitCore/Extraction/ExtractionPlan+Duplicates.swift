// Paths that are one path, here or elsewhere: duplicates, and clashes of case and of normalization.
extension ExtractionPlan {
  /// Hashes of paths, and whose they are.
  private struct Keys {
    /// An item's number, or a directory's as a negative one.
    typealias Key = (hash: UInt64, owner: Int32)

    var sorted: [Key] = []
    /// By number of the directory.
    var ofDirectories: [UInt64] = []
    /// Of names that were made up.
    var added: Set<UInt64> = []

    func seed(_ directory: Int32) -> UInt64 {
      directory < 0 ? ExtractionPlan.rootHash : ofDirectories[Int(directory)]
    }

    /// Takes a hash, if no path has it.
    mutating func take(_ hash: UInt64) -> Bool {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle].hash < hash { low = middle + 1 } else { high = middle }
      }
      guard low == sorted.count || sorted[low].hash != hash else { return false }
      return added.insert(hash).inserted
    }
  }

  /// Finds equal paths by sorting hashes: sixteen bytes an item and no strings.
  mutating func settleDuplicates() {
    var keys = Keys()
    keys.ofDirectories = directoryHashes()
    keys.sorted = keys.ofDirectories.enumerated().map {
      ($0.element, ~Int32(truncatingIfNeeded: $0.offset))
    }
    keys.sorted.reserveCapacity(directories.count + items.count)
    for (number, item) in items.enumerated() where item.action == .file || item.action == .link {
      keys.sorted.append(
        (hash(item, keys.seed(item.directory)), Int32(truncatingIfNeeded: number)))
    }
    keys.sorted.sort { ($0.hash, $0.owner) < ($1.hash, $1.owner) }
    let sorted = keys.sorted
    var start = 0
    while start < sorted.count {
      var end = start + 1
      while end < sorted.count, sorted[end].hash == sorted[start].hash { end += 1 }
      if end - start > 1 { settle(sorted[start..<end].map(\.owner), &keys) }
      start = end
    }
  }

  fileprivate static let rootHash: UInt64 = 0xcbf2_9ce4_8422_2325

  private func directoryHashes() -> [UInt64] {
    var hashes: [UInt64] = []
    hashes.reserveCapacity(directories.count)
    for directory in directories {
      let seed = directory.parent < 0 ? Self.rootHash : hashes[Int(directory.parent)]
      hashes.append(
        unsafe withName(directory) { unsafe NameFolding.hash($0, seed: seed) })
    }
    return hashes
  }

  private func hash(_ item: Item, _ seed: UInt64) -> UInt64 {
    unsafe withText(leafRange(item), isOwn: item.isOwnText) {
      unsafe NameFolding.hash($0, seed: seed)
    }
  }

  private func path(owner: Int32) -> String {
    owner < 0 ? path(directory: ~owner) : path(items[Int(owner)])
  }

  private func entry(owner: Int32) -> Int {
    let item = owner < 0 ? directories[Int(~owner)].firstItem : owner
    return item < items.count ? Int(items[Int(item)].entry) : 0
  }

  // MARK: Groups

  private mutating func settle(_ owners: [Int32], _ keys: inout Keys) {
    let (owners, found) = equalPaths(owners)
    // Directories come first, as they keep their names.
    let groups = found.sorted {
      let (left, right) = (owners[Int($0.lowerBound)], owners[Int($1.lowerBound)])
      return (left < 0 ? 0 : 1, entry(owner: left)) < (right < 0 ? 0 : 1, entry(owner: right))
    }
    for range in groups where range.count > 1 {
      let group = owners[Int(range.lowerBound)..<Int(range.upperBound)]
      let files = group.filter { $0 >= 0 }
      if files.count > 1 { settleEqual(files.map { Int($0) }, &keys) }
      if let file = files.first, files.count < group.count {
        note(file, .fileAndDirectory())
        if options.duplicates == .rename { giveOwnName(Int(file), 2, &keys) }
      }
    }
    settleClashes(owners, groups, &keys)
  }

  /// Sorts owners so that those of one path stand together, each path's in their order.
  ///
  /// Paths are made anew for each look: a million that are equal elsewhere would take more memory than all else.
  private func equalPaths(_ owners: [Int32]) -> (owners: [Int32], groups: [Range<Int32>]) {
    var sorted = owners.map { (hash: ExactName(path(owner: $0)).hashValue, owner: $0) }
    sorted.sort { ($0.hash, $0.owner) < ($1.hash, $1.owner) }
    var result = sorted.map(\.owner)
    var groups: [Range<Int32>] = []
    var start = 0
    while start < sorted.count {
      var end = start + 1
      while end < sorted.count, sorted[end].hash == sorted[start].hash { end += 1 }
      let first = ExactName(path(owner: result[start]))
      if (start + 1..<end).allSatisfy({ ExactName(path(owner: result[$0])) == first }) {
        groups.append(Int32(start)..<Int32(end))
      } else {
        // Hashes that are equal by chance.
        var place = start
        for (_, own) in Dictionary(
          grouping: result[start..<end], by: { ExactName(path(owner: $0)) })
        {
          result.replaceSubrange(place..<(place + own.count), with: own)
          groups.append(Int32(place)..<Int32(place + own.count))
          place += own.count
        }
      }
      start = end
    }
    return (result, groups)
  }

  private mutating func settleEqual(_ group: [Int], _ keys: inout Keys) {
    for (place, number) in group.enumerated() {
      let keeps =
        switch options.duplicates {
        case .last: place == group.count - 1
        case .first: place == 0
        case .rename: true
        case .error: false
        }
      if place > 0 || options.duplicates == .error {
        note(Int32(truncatingIfNeeded: number), .duplicateName())
      }
      if options.duplicates == .rename, place > 0 {
        giveOwnName(number, place + 1, &keys)
      } else if !keeps {
        items[number].action = options.duplicates == .error ? .refuse : .skip
      }
    }
  }

  /// Paths that are different here: all are written, unless the options want them apart elsewhere, too.
  private mutating func settleClashes(
    _ all: [Int32], _ groups: [Range<Int32>], _ keys: inout Keys
  ) {
    var firsts: [String: (path: String, count: Int)] = [:]
    for range in groups {
      let owners = all[Int(range.lowerBound)..<Int(range.upperBound)]
      // The first of a path has kept it.
      let owner = all[Int(range.lowerBound)]
      let path = path(owner: owner)
      let folded = NameFolding.folded(path)
      guard let (first, count) = firsts[folded] else {
        firsts[folded] = (path, 1)
        continue
      }
      firsts[folded] = (first, count + 1)
      note(owner, .clash(of: path, with: first))
      let files = owners.filter { $0 >= 0 && items[Int($0)].action != .skip }
      switch options.duplicates {
      // The others of the same path have names of their own by now.
      case .rename:
        if owner >= 0, let file = files.first { giveOwnName(Int(file), count + 1, &keys) }
      case .error: for file in files { items[Int(file)].action = .refuse }
      case .last, .first: break
      }
    }
  }

  private mutating func note(_ owner: Int32, _ problem: ZipError) {
    note(entry(owner: owner), problem)
  }

  /// Gives an item a name that no other has.
  private mutating func giveOwnName(_ number: Int, _ count: Int, _ keys: inout Keys) {
    let leaf = leaf(items[number])
    let seed = keys.seed(items[number].directory)
    var count = count
    var name: [UInt8] = []
    repeat {
      name = Array(UniqueName.numbered(leaf, count).utf8)
      count += 1
    } while unsafe !keys.take(name.withUnsafeBytes { unsafe NameFolding.hash($0, seed: seed) })
    items[number].leafStart = UInt32(truncatingIfNeeded: text.count)
    items[number].leafLength = UInt16(truncatingIfNeeded: name.count)
    items[number].isOwnText = true
    text.append(contentsOf: name)
  }
}

extension ZipArchive {
  /// What is wrong with names before anything is written: names that are mended or refused, duplicates,
  /// and names that clash elsewhere.
  ///
  /// - Parameter options: Of the extraction that may follow.
  /// - Returns: Problems in the order of entries, each with its entry's number; the first 10,000 are kept.
  public func nameProblems(options: ExtractionOptions = ExtractionOptions()) -> ZipProblems {
    ExtractionPlan(core, options: options).problems.all
  }
}
