/// What is to become of every entry, decided before the first byte is written.
///
/// Sixteen bytes an entry; names that are clean paths as they stand are left in the directory's bytes.
struct ExtractionPlan: Sendable {
  enum Action: UInt8 {
    case file, directory, link, skip, refuse
  }

  struct Item {
    var entry: UInt32
    /// The directory it stands in, or that it is; -1 for the target itself.
    var directory: Int32
    var leafStart: UInt32
    var leafLength: UInt16
    /// Whether the leaf stands in the plan's own bytes rather than in the directory's.
    var isOwnText: Bool
    var action: Action
  }

  struct Directory {
    /// Its name in its parent; whole paths of deep trees would take the square of their depth.
    var name: String
    /// Its parent, -1 for the target itself.
    var parent: Int32
    /// The item that describes it, where the archive has one.
    var item: Int32 = -1
    /// The item that was the first to need it.
    var firstItem: Int32
  }

  // Set by the plan's own extensions, too.
  var items: [Item] = []
  private(set) var directories: [Directory] = []
  /// Problems found while planning.
  private(set) var problems: ProblemLog
  /// Bytes that should come out.
  private(set) var declaredSize: UInt64 = 0
  /// Compressed bytes of the entries taken.
  private(set) var compressedSize: UInt64 = 0

  private struct DirectoryKey: Hashable {
    var parent: Int32
    var name: ExactName
  }

  let core: ArchiveCore
  let options: ExtractionOptions
  /// Bytes of leaves that do not stand in the directory.
  var text: [UInt8] = []
  private var directoryNumbers: [DirectoryKey: Int32] = [:]
  // Names come in runs of one directory: the last one's bytes save nearly all look-ups.
  private var lastDirectory = 0..<0
  private var lastNumber: Int32 = -1

  init(
    _ core: ArchiveCore, options: ExtractionOptions, selection: [Int]? = nil
  ) {
    self.core = core
    self.options = options
    problems = ProblemLog(count: core.directory.count)
    if let selection {
      items.reserveCapacity(selection.count)
      for index in selection { add(index) }
    } else {
      items.reserveCapacity(core.directory.count)
      for index in 0..<core.directory.count { add(index) }
    }
    settleDuplicates()
  }

  /// All items with their numbers.
  var numberedItems: LazyMapSequence<Range<Int>, (number: Int32, item: Item)> {
    items.indices.lazy.map { [items] in (Int32(truncatingIfNeeded: $0), items[$0]) }
  }

  // MARK: Entries

  private var needsLongWay: Bool {
    options.dropsDirectories || options.stripComponents > 0 || options.lowercases != .none
      || options.onlyRealFiles || options.usesPortableNames
  }

  private mutating func add(_ index: Int) {
    guard let header = core.directory.header(index) else { return }
    let kind = core.kind(index, header)
    if !needsLongWay, kind != .special, !hasUnicodePath(index, header) {
      let range = core.directory.nameRange(index, header)
      let leaf = unsafe core.directory.bytes.withUnsafeBytes { bytes in
        unsafe EntryPath.cleanLeafStart(UnsafeRawBufferPointer(rebasing: bytes[range]))
      }
      if let leaf, kind == .directory ? true : leaf < range.count {
        addClean(index, header, kind, range, leaf: leaf)
        return
      }
    }
    addLongWay(index, header, kind)
  }

  private func hasUnicodePath(_ index: Int, _ header: CentralHeader) -> Bool {
    guard header.extraLength > 0 else { return false }
    return core.directory.withExtra(index, header) {
      ExtraFields.find(.unicodePath, in: $0) != nil
    }
  }

  private mutating func addClean(
    _ index: Int, _ header: CentralHeader, _ kind: ZipEntry.Kind, _ range: Range<Int>, leaf: Int
  ) {
    let bytes = core.directory.bytes
    if kind == .directory {
      let end = leaf == range.count ? range.upperBound - 1 : range.upperBound
      let path = String(decoding: bytes[range.lowerBound..<end], as: UTF8.self)
      appendDirectory(index, path)
      return
    }
    let leafStart = range.lowerBound + leaf
    var number: Int32 = -1
    if leaf > 0 {
      let parent = range.lowerBound..<(leafStart - 1)
      if parent.count == lastDirectory.count, !parent.isEmpty,
        unsafe bytes.withUnsafeBytes({
          unsafe UnsafeRawBufferPointer(rebasing: $0[parent])
            .elementsEqual(UnsafeRawBufferPointer(rebasing: $0[lastDirectory]))
        })
      {
        number = lastNumber
      } else {
        number = directoryNumber(String(decoding: bytes[parent], as: UTF8.self))
        (lastDirectory, lastNumber) = (parent, number)
      }
    }
    append(
      Item(
        entry: UInt32(truncatingIfNeeded: index), directory: number,
        leafStart: UInt32(truncatingIfNeeded: leafStart),
        leafLength: UInt16(truncatingIfNeeded: range.upperBound - leafStart), isOwnText: false,
        action: kind == .symbolicLink ? .link : .file), header)
  }

  private mutating func addLongWay(_ index: Int, _ header: CentralHeader, _ kind: ZipEntry.Kind) {
    let name = core.name(index, header).text
    if kind == .special { return refuse(index, .specialFile()) }
    if options.onlyRealFiles, kind == .directory || !RealFiles.contains(name) {
      return skip(index)
    }
    if kind == .directory, options.dropsDirectories { return skip(index) }
    let host = HostSystem(rawValue: UInt8(header.versionMadeBy >> 8))
    let rules = EntryPath.Rules(
      splitsBackslashes: host.usesBackslash, keepsControl: options.keepsControlCharacters,
      dropsDirectories: options.dropsDirectories, strip: options.stripComponents,
      lowercases: options.lowercases == .all
        || options.lowercases == .fromDOS && !host.hasUnixMode,
      resolvesParents: options.resolvesParents, isPortable: options.usesPortableNames)
    do {
      let path = try EntryPath(Array(name.utf8), rules: rules)
      for code in path.mended { note(index, .mended(code)) }
      if kind == .directory {
        appendDirectory(index, String(decoding: path.bytes, as: UTF8.self))
        return
      }
      let start = text.count
      let leaf = path.bytes[path.leafStart...]
      text.append(contentsOf: leaf)
      let parent = String(decoding: path.bytes[..<max(path.leafStart - 1, 0)], as: UTF8.self)
      append(
        Item(
          entry: UInt32(truncatingIfNeeded: index),
          directory: parent.isEmpty ? -1 : directoryNumber(parent),
          leafStart: UInt32(truncatingIfNeeded: start),
          leafLength: UInt16(truncatingIfNeeded: leaf.count), isOwnText: true,
          action: kind == .symbolicLink ? .link : .file), header)
    } catch
      where error.code == .nameEmpty
      && (options.stripComponents > 0 || kind == .directory)
    {
      skip(index)
    } catch {
      refuse(index, error)
    }
  }

  private mutating func append(_ item: Item, _ header: CentralHeader) {
    items.append(item)
    declaredSize = declaredSize.adding(header.size) ?? .max
    compressedSize = compressedSize.adding(header.compressedSize) ?? .max
  }

  private mutating func appendDirectory(_ index: Int, _ path: String) {
    let number = directoryNumber(path)
    directories[Int(number)].item = Int32(truncatingIfNeeded: items.count)
    items.append(
      Item(
        entry: UInt32(truncatingIfNeeded: index), directory: number, leafStart: 0, leafLength: 0,
        isOwnText: true, action: .directory))
  }

  private mutating func refuse(_ index: Int, _ problem: ZipError) {
    note(index, problem)
    items.append(blank(index, .refuse))
  }

  private mutating func skip(_ index: Int) { items.append(blank(index, .skip)) }

  private func blank(_ index: Int, _ action: Action) -> Item {
    Item(
      entry: UInt32(truncatingIfNeeded: index), directory: -1, leafStart: 0, leafLength: 0,
      isOwnText: true, action: action)
  }

  // MARK: Directories

  private mutating func directoryNumber(_ path: String) -> Int32 {
    var number: Int32 = -1
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      let key = DirectoryKey(parent: number, name: ExactName(String(Substring(part))))
      if let known = directoryNumbers[key] {
        number = known
        continue
      }
      directories.append(
        Directory(
          name: key.name.text, parent: number, firstItem: Int32(truncatingIfNeeded: items.count)))
      number = Int32(truncatingIfNeeded: directories.count - 1)
      directoryNumbers[key] = number
    }
    return number
  }

  /// Whether a path below the target is one of the plan's directories.
  func isDirectory(_ path: String) -> Bool {
    var number: Int32 = -1
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      let key = DirectoryKey(parent: number, name: ExactName(String(Substring(part))))
      guard let known = directoryNumbers[key] else { return false }
      number = known
    }
    return true
  }

  /// A directory's path below the target; empty for the target itself.
  func path(directory number: Int32) -> String {
    guard number >= 0 else { return "" }
    var parts: [String] = []
    var number = number
    while number >= 0 {
      parts.append(directories[Int(number)].name)
      number = directories[Int(number)].parent
    }
    return parts.reversed().joined(separator: "/")
  }

  /// Directories that have no entry of their own.
  var impliedDirectories: Int { directories.count { $0.item < 0 } }

  // MARK: Paths

  /// The last part of an item's path.
  func leaf(_ item: Item) -> String {
    let range = leafRange(item)
    return item.isOwnText
      ? String(decoding: text[range], as: UTF8.self)
      : String(decoding: core.directory.bytes[range], as: UTF8.self)
  }

  /// Where the leaf stands: in ``text`` or in the directory's bytes.
  func leafRange(_ item: Item) -> Range<Int> {
    Int(item.leafStart)..<(Int(item.leafStart) + Int(item.leafLength))
  }

  /// An item's path below the target.
  func path(_ item: Item) -> String {
    let directory = path(directory: item.directory)
    if item.action == .directory { return directory + "/" }
    return directory.isEmpty ? leaf(item) : "\(directory)/\(leaf(item))"
  }

  /// The path of an entry's item; nil where it has none.
  func path(ofEntry entry: Int) -> String? {
    // Items stand in the order of entries.
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(items[middle].entry) < entry { low = middle + 1 } else { high = middle }
    }
    guard low < items.count, Int(items[low].entry) == entry else { return nil }
    return path(items[low])
  }

  // MARK: Problems

  /// Takes an item out, with the reason.
  mutating func refuse(item number: Int, _ problem: ZipError) {
    note(Int(items[number].entry), problem)
    items[number].action = .refuse
  }

  /// Adds a problem with an entry.
  mutating func note(_ entry: Int, _ problem: ZipError) {
    problems.note(entry, problem) { core.error($0, entry) }
  }
}
