/// A copy that holds what a few pages need and nothing else.
///
/// To copy all of a long document takes longer than to draw a few pages of it. Poppler reads what a page refers to
/// when it draws the page, and the tree of pages only as far as the page; so a copy may lack the rest.
extension DocumentExpander {
  /// The deepest page that such a copy is made for; poppler reads all the pages before it.
  private static let greatestPage = 512
  /// A copy of more objects, or of streams with more bytes in the document, takes as long as to draw the pages.
  private static let greatestCount = 20_000
  private static let greatestData = 2 << 20

  /// Expands what some pages of a document need.
  ///
  /// Whatever else the document has is not there: its outline, names, structure and the other pages.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - pages: The pages, counted from 0.
  ///   - limit: The most bytes the copy has.
  /// - Returns: The copy, in which the pages have the numbers they have in the document, and whether the document's
  ///   table of objects is beyond doubt; `nil` where the document is not as the standard says, as far as it was looked
  ///   at, where it has a form, or much would have to be copied.
  @unsafe
  package static func expand(
    _ bytes: UnsafeRawBufferPointer, pages: Range<Int>, limit: Int
  ) -> (copy: [UInt8], isPlain: Bool)? {
    guard pages.upperBound <= greatestPage else { return nil }
    let view = unsafe ByteView(bytes)
    guard var inflater = Inflater(), let table = ObjectTable(view, &inflater) else { return nil }
    var expander = DocumentExpander(
      view: view, limit: limit, inflater: inflater, table: table)
    guard expander.find(pages), let copy = expander.write() else { return nil }
    return (copy, table.isPlain)
  }

  /// What was found so far, by the objects' numbers.
  private struct Collection {
    var items: [Int: Item] = [:]
    /// Objects that others refer to and the copy does not have.
    var refused: Set<Int> = []
    /// Those whose references are still to be followed, and which of their keys are not.
    var pending: [(item: Item, except: [StaticString])] = []
    /// The maps of fonts to Unicode.
    var maps: [(font: Item, map: Range<Int>)] = []
    /// The bytes of streams in the document.
    var dataCount = 0

    mutating func add(_ item: Item) {
      items[item.number] = item
      dataCount += item.data?.count ?? 0
    }
  }

  private mutating func find(_ pages: Range<Int>) -> Bool {
    var found = Collection()
    let references = unsafe table.trailer.withUnsafeBytes {
      ObjectScanner.references(unsafe ByteView($0))
    }
    guard let first = references.first, let root = item(first),
      lacks(root, "AcroForm"), let tree = reference("Pages", of: root)
    else { return false }
    for reference in references.dropFirst() { _ = follow(reference, &found) }
    found.add(root)
    // What is drawn does not depend on them.
    found.pending.append(
      (
        root,
        [
          "Pages", "Outlines", "Names", "Dests", "StructTreeRoot", "Metadata", "OpenAction", "AA",
          "Threads", "PieceInfo",
        ]
      ))
    guard walk(tree, to: pages, &found) else { return false }
    while let (item, keys) = found.pending.popLast() {
      guard follow(item, except: keys, &found), found.items.count <= Self.greatestCount,
        found.dataCount <= Self.greatestData
      else { return false }
    }
    items = found.items.values.sorted { $0.number < $1.number }
    guard followMaps(&found) else { return false }
    items = found.items.values.sorted { $0.number < $1.number }
    absent = found.refused.filter { found.items[$0] == nil }.sorted()
    return true
  }

  // MARK: - Objects

  /// The object of a reference, or `nil` where there is none that is as the standard says.
  private mutating func item(_ reference: (number: Int, generation: Int)) -> Item? {
    switch table.places[reference.number] {
    case .file(let offset, reference.generation)?:
      guard case .item(let item)? = find(reference.number, reference.generation, at: offset) else {
        return nil
      }
      return item
    case .stream(let container, let index)? where reference.generation == 0:
      if containers[container] == nil {
        guard case .file(let offset, let generation)? = table.places[container],
          case .frame? = find(container, generation, at: offset)
        else { return nil }
      }
      return findPacked(reference.number, in: container, at: index)
    default: return nil
    }
  }

  /// Lends the bytes that an object's value stands in.
  private func withSource<R>(of item: Item, _ body: (ByteView) -> R) -> R {
    guard item.isPacked else { return body(view) }
    return unsafe packed.withUnsafeBytes { body(unsafe ByteView($0)) }
  }

  private func reference(_ key: StaticString, of item: Item) -> (number: Int, generation: Int)? {
    withSource(of: item) { source in
      guard let value = item.entries.value(key, in: source) else { return nil }
      var scanner = ObjectScanner(source, at: value.lowerBound)
      return scanner.reference()
    }
  }

  private func lacks(_ item: Item, _ key: StaticString) -> Bool {
    withSource(of: item) { item.entries.value(key, in: $0) == nil }
  }

  private func isPage(_ item: Item) -> Bool {
    withSource(of: item) { source in
      item.entries.has("/Page", for: "Type", in: source)
        || item.entries.has("/Pages", for: "Type", in: source)
    }
  }

  // MARK: - The tree of pages

  /// Goes through the tree as poppler does, up to the last of the pages (`Catalog.cc:cachePageTree`).
  private mutating func walk(
    _ tree: (number: Int, generation: Int), to pages: Range<Int>, _ found: inout Collection
  ) -> Bool {
    guard let top = item(tree), let kids = kids(of: top, &found) else { return false }
    var nodes = [(number: tree.number, kids: kids[...])]
    var page = 0
    while page < pages.upperBound {
      guard let last = nodes.indices.last else { return false }
      guard let kid = nodes[last].kids.popFirst() else {
        nodes.removeLast()
        continue
      }
      guard let object = item(kid), object.data == nil, !object.entries.isEmpty,
        found.items[kid.number] == nil, nodes.count < 64
      else { return false }
      if lacks(object, "Kids") {
        found.add(object)
        if pages.contains(page), !addPage(object, &found) { return false }
        page += 1
      } else if withSource(of: object, { object.entries.has("/Page", for: "Type", in: $0) }) {
        return false
      } else {
        guard let kids = self.kids(of: object, &found) else { return false }
        nodes.append((kid.number, kids[...]))
      }
    }
    return true
  }

  /// The references to what is below a node, which is added.
  private mutating func kids(
    of node: Item, _ found: inout Collection
  ) -> [(number: Int, generation: Int)]? {
    found.add(node)
    found.pending.append((node, ["Kids", "Parent"]))
    var array = node
    if let reference = reference("Kids", of: node) {
      guard let found = item(reference) else { return nil }
      array = found
    }
    if array.number != node.number { found.add(array) }
    return withSource(of: array) { source in
      let value =
        array.number == node.number ? array.entries.value("Kids", in: source) : array.value
      return value.flatMap {
        ObjectScanner.listedReferences(source, in: $0, limit: Self.greatestPage)
      }
    }
  }

  /// Has a page's references followed, but for those of links that are not seen.
  private mutating func addPage(_ page: Item, _ found: inout Collection) -> Bool {
    found.pending.append((page, ["Parent", "B", "PieceInfo", "Metadata", "AA", "Annots"]))
    guard let value = withSource(of: page, { page.entries.value("Annots", in: $0) }) else {
      return true
    }
    var list = page
    if let reference = reference("Annots", of: page) {
      guard let array = item(reference) else { return false }
      found.add(array)
      list = array
    }
    let range = list.number == page.number ? value : list.value
    let (listed, all) = withSource(of: list) { source in
      (
        ObjectScanner.listedReferences(source, in: range),
        ObjectScanner.references(source, in: range)
      )
    }
    return all.allSatisfy { reference in
      if listed != nil, let annotation = item(reference), annotation.data == nil,
        isUnseenLink(annotation)
      {
        found.add(annotation)
        return true
      }
      return follow(reference, &found)
    }
  }

  private func isUnseenLink(_ annotation: Item) -> Bool {
    withSource(of: annotation) { source in
      isUnseenLink(
        Resolved(source: source, value: annotation.value, entries: annotation.entries))
    }
  }

  // MARK: - References

  /// Adds an object and has its own references followed.
  ///
  /// - Returns: Whether there is room for more.
  private mutating func follow(
    _ reference: (number: Int, generation: Int), _ found: inout Collection
  ) -> Bool {
    guard found.items[reference.number] == nil, !found.refused.contains(reference.number) else {
      return true
    }
    guard let place = table.places[reference.number] else {
      // To say that it is free would keep poppler from saying that it is not there.
      return true
    }
    guard place != .free, let item = item(reference), !isPage(item) else {
      found.refused.insert(reference.number)
      // What should be there and cannot be read poppler might find by other means.
      return place == .free || isSound(reference)
    }
    found.add(item)
    found.pending.append((item, []))
    return true
  }

  /// Whether a reference that is not followed leads nowhere, or to what is left out.
  private mutating func isSound(_ reference: (number: Int, generation: Int)) -> Bool {
    switch table.places[reference.number] {
    case .file(_, let generation)? where generation != reference.generation: true
    case .stream? where reference.generation != 0: true
    default: item(reference).map { isPage($0) } ?? false
    }
  }

  private mutating func follow(
    _ item: Item, except keys: [StaticString], _ found: inout Collection
  ) -> Bool {
    var references: [(number: Int, generation: Int)] = []
    var map: Range<Int>?
    withSource(of: item) { source in
      if item.entries.isEmpty {
        references = ObjectScanner.references(source, in: item.value)
      }
      for entry in item.entries where !keys.contains(where: { source.equals($0, in: entry.key) }) {
        if source.equals("ToUnicode", in: entry.key) {
          map = entry.value
        } else {
          references += ObjectScanner.references(source, in: entry.value)
        }
      }
    }
    if let map { found.maps.append((item, map)) }
    return references.allSatisfy { follow($0, &found) }
  }

  /// Adds the maps of fonts that poppler needs them for, now that the fonts are known.
  private mutating func followMaps(_ found: inout Collection) -> Bool {
    for (font, map) in found.maps {
      let isUnread = unsafe packed.withUnsafeBytes { bytes in
        let packed = unsafe ByteView(bytes)
        let source = font.isPacked ? packed : view
        return font.data == nil && isDrawnByItself(font.entries, in: source, packed)
      }
      if isUnread { continue }
      let references = withSource(of: font) { ObjectScanner.references($0, in: map) }
      guard references.allSatisfy({ follow($0, &found) }) else { return false }
    }
    while let (item, keys) = found.pending.popLast() {
      guard follow(item, except: keys, &found) else { return false }
    }
    return found.dataCount <= Self.greatestData
  }
}

extension ObjectScanner {
  /// The references of an array, or the first of them; `nil` when there is anything else in it.
  static func listedReferences(
    _ view: ByteView, in range: Range<Int>, limit: Int = .max
  ) -> [(number: Int, generation: Int)]? {
    guard view[range.lowerBound] == UInt8(ascii: "[") else { return nil }
    var scanner = ObjectScanner(view, at: range.lowerBound + 1)
    var references: [(number: Int, generation: Int)] = []
    while references.count < limit {
      scanner.skipSpace()
      if scanner.place + 1 == range.upperBound { break }
      guard let reference = scanner.reference() else { return nil }
      references.append(reference)
    }
    return references
  }

  /// The references in a range, or in all of the bytes.
  static func references(
    _ view: ByteView, in range: Range<Int>? = nil
  ) -> [(number: Int, generation: Int)] {
    var scanner = ObjectScanner(view, at: range?.lowerBound ?? 0)
    let end = range?.upperBound ?? view.count
    var references: [(number: Int, generation: Int)] = []
    while let reference = scanner.nextReference(before: end) { references.append(reference) }
    return references
  }
}
