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

  typealias Directory = DirectoryTable.Directory

  // Set by the plan's own extensions, too.
  var items: [Item] = []
  private var table = DirectoryTable()
  /// Problems found while planning.
  private(set) var problems: ProblemLog
  /// Bytes that should come out.
  private(set) var declaredSize: UInt64 = 0
  /// Compressed bytes of the entries taken.
  private(set) var compressedSize: UInt64 = 0

  let core: ArchiveCore
  let options: ExtractionOptions
  /// Bytes of leaves that do not stand in the directory.
  var text: [UInt8] = []
  // Names come in runs of one directory: the last one's bytes save nearly all look-ups.
  private var lastDirectory: [UInt8] = []
  private var lastNumber: Int32 = -1
  private var cursor: DirectoryCursor

  init(
    _ core: ArchiveCore, options: ExtractionOptions, selection: [Int]? = nil
  ) {
    self.core = core
    self.options = options
    problems = ProblemLog(count: core.directory.count)
    cursor = DirectoryCursor(core.directory.text)
    if let selection {
      items.reserveCapacity(selection.count)
      for index in selection { add(index) }
    } else {
      items.reserveCapacity(core.directory.count)
      for index in 0..<core.directory.count { add(index) }
    }
    settleDuplicates()
  }

  /// Parents before children.
  var directories: [Directory] { table.directories }

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
    guard let header = core.directory.header(index) else {
      return refuse(index, .entryUnreadable(index))
    }
    let kind = core.kind(index, header)
    if !needsLongWay, kind != .special, !hasUnicodePath(index, header) {
      let range = core.directory.nameRange(index, header)
      let name = cursor.withBytes(range) { $0.array() }
      if name.count == range.count,
        let leaf = unsafe name.withUnsafeBytes({ unsafe EntryPath.cleanLeafStart($0) }),
        kind == .directory ? true : leaf < range.count
      {
        addClean(index, header, kind, name, at: range.lowerBound, leaf: leaf)
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
    _ index: Int, _ header: CentralHeader, _ kind: ZipEntry.Kind, _ name: [UInt8], at place: Int,
    leaf: Int
  ) {
    if kind == .directory {
      appendDirectory(index, leaf == name.count ? name.dropLast() : name[...], at: place)
      return
    }
    var number: Int32 = -1
    if leaf > 0 {
      let parent = name[..<(leaf - 1)]
      if parent != lastDirectory[...] || parent.isEmpty {
        lastNumber = directoryNumber(parent, at: place)
        lastDirectory = Array(parent)
      }
      number = lastNumber
    }
    append(
      Item(
        entry: UInt32(truncatingIfNeeded: index), directory: number,
        leafStart: UInt32(truncatingIfNeeded: place + leaf),
        leafLength: UInt16(truncatingIfNeeded: name.count - leaf), isOwnText: false,
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
        appendDirectory(index, path.bytes[...])
        return
      }
      let start = text.count
      let leaf = path.bytes[path.leafStart...]
      text.append(contentsOf: leaf)
      let parent = path.bytes[..<max(path.leafStart - 1, 0)]
      append(
        Item(
          entry: UInt32(truncatingIfNeeded: index),
          directory: parent.isEmpty ? -1 : directoryNumber(parent, at: nil),
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

  private mutating func appendDirectory(
    _ index: Int, _ path: ArraySlice<UInt8>, at place: Int? = nil
  ) {
    let number = directoryNumber(path, at: place)
    table.describe(number, by: Int32(truncatingIfNeeded: items.count))
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

  /// The number of the directory with a path, which is made known with its parents; `place` tells where the path
  /// stands in the archive's directory, where it does.
  private mutating func directoryNumber(_ path: ArraySlice<UInt8>, at place: Int?) -> Int32 {
    var number: Int32 = -1
    for part in path.split(separator: UInt8(ascii: "/")) {
      let hash = unsafe part.withUnsafeBytes { unsafe DirectoryTable.hash($0, in: number) }
      if let known = directory(part, hash, in: number) {
        number = known
        continue
      }
      let start = place.map { $0 + part.startIndex } ?? text.count
      if place == nil { text.append(contentsOf: part) }
      number = table.add(
        Directory(
          nameStart: UInt32(truncatingIfNeeded: start),
          nameLength: UInt16(truncatingIfNeeded: part.count), isOwnText: place == nil,
          parent: number, firstItem: Int32(truncatingIfNeeded: items.count)), hash)
    }
    return number
  }

  /// The number of the directory with a name in a parent, where the plan has it.
  private func directory(_ name: ArraySlice<UInt8>, _ hash: UInt32, in parent: Int32) -> Int32? {
    table.find(hash, in: parent) { directory in
      unsafe withName(directory) { bytes in
        unsafe name.withUnsafeBytes { unsafe bytes.elementsEqual($0) }
      }
    }
  }

  /// Whether a path below the target is one of the plan's directories.
  func isDirectory(_ path: String) -> Bool {
    var number: Int32 = -1
    for part in Array(path.utf8).split(separator: UInt8(ascii: "/")) {
      let hash = unsafe part.withUnsafeBytes { unsafe DirectoryTable.hash($0, in: number) }
      guard let known = directory(part, hash, in: number) else { return false }
      number = known
    }
    return true
  }

  /// Calls with the bytes of a directory's name in its parent.
  func withName<Result>(
    _ directory: Directory, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    unsafe withText(directory.nameRange, isOwn: directory.isOwnText, body)
  }

  /// A directory's name in its parent.
  func name(directory number: Int32) -> String {
    let directory = table.directories[Int(number)]
    return name(directory.nameRange, isOwn: directory.isOwnText)
  }

  /// A directory's path below the target; empty for the target itself.
  func path(directory number: Int32) -> String {
    guard number >= 0 else { return "" }
    var parts: [String] = []
    var number = number
    while number >= 0 {
      parts.append(name(directory: number))
      number = table.directories[Int(number)].parent
    }
    return parts.reversed().joined(separator: "/")
  }

  /// Directories that have no entry of their own.
  var impliedDirectories: Int { directories.count { $0.item < 0 } }

  // MARK: Paths

  /// The last part of an item's path.
  func leaf(_ item: Item) -> String { name(leafRange(item), isOwn: item.isOwnText) }

  /// A name at one of the plan's places; empty, which no file can be called, where the archive was changed so that it
  /// is no longer the one that was planned with.
  private func name(_ range: Range<Int>, isOwn: Bool) -> String {
    let mayChange = !isOwn && !core.directory.text.isHeld
    return unsafe withText(range, isOwn: isOwn) { bytes in
      if mayChange {
        let leafStart = unsafe EntryPath.cleanLeafStart(bytes)
        guard bytes.count == range.count, leafStart == 0 else { return "" }
      }
      return unsafe String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Calls with the bytes at one of the plan's places.
  func withText<Result>(
    _ range: Range<Int>, isOwn: Bool, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    guard isOwn else {
      return core.directory.text.withBytes(range) { unsafe $0.withUnsafeBytes(body) }
    }
    return unsafe text.withUnsafeBytes {
      unsafe body(UnsafeRawBufferPointer(rebasing: $0[range]))
    }
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
