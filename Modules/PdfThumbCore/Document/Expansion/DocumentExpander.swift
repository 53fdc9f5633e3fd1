/// Writes a copy of a document whose Flate streams and streams of objects are expanded, without loss.
///
/// It does what qpdf does at a fifth of the cost, for documents that are as the standard says. All others are `nil`,
/// and qpdf's: nothing is repaired here, and what is not understood is copied as it is.
package struct DocumentExpander: ~Copyable {
  /// An object that the copy will have.
  struct Item {
    let number: Int
    let generation: Int
    /// Where the value stands: in the document, or among the expanded objects.
    let value: Range<Int>
    let isPacked: Bool
    /// The data of a stream.
    let data: Range<Int>?
    let entries: [DictionaryEntry]
  }

  let view: ByteView
  let limit: Int
  var inflater: Inflater
  let table: ObjectTable
  var items: [Item] = []
  /// The expanded streams of objects, one behind the other.
  var packed: [UInt8] = []
  /// Where the objects of such a stream begin in ``packed``, by its number.
  var containers: [Int: [(number: Int, place: Int)]] = [:]
  /// Numbers that the copy says are free, though objects refer to them.
  var absent: [Int] = []

  /// Expands a document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - limit: The most bytes the copy has; streams beyond are left compressed, and so are large images.
  /// - Returns: The copy.
  @unsafe
  package static func expand(
    _ bytes: UnsafeRawBufferPointer, limit: Int
  ) -> [UInt8]? {
    let view = unsafe ByteView(bytes)
    guard var inflater = Inflater(), let table = ObjectTable(view, &inflater) else { return nil }
    var expander = DocumentExpander(
      view: view, limit: limit, inflater: inflater, table: table)
    return expander.findItems() ? expander.write() : nil
  }

  // MARK: - Finding

  private mutating func findItems() -> Bool {
    for number in 0..<table.places.end {
      guard case .file(let offset, let generation)? = table.places[number] else { continue }
      guard number > 0, let found = find(number, generation, at: offset) else { return false }
      if case .item(let item) = found { items.append(item) }
    }
    for number in 0..<table.places.end {
      guard case .stream(let container, let index)? = table.places[number] else { continue }
      guard number > 0, let item = findPacked(number, in: container, at: index) else {
        return false
      }
      items.append(item)
    }
    items.sort { $0.number < $1.number }
    return !items.isEmpty
  }

  /// What stands in the document itself.
  enum Found {
    case item(Item)
    /// What only tells where others are, or how the document is laid out.
    case frame
  }

  /// The object at a place; a stream of objects is unpacked.
  ///
  /// - Returns: `nil` where there is no such object, or none as the standard says.
  mutating func find(_ number: Int, _ generation: Int, at offset: Int) -> Found? {
    guard let object = ObjectScanner.object(at: offset, in: view), object.number == number,
      object.generation == generation, generation <= 65_535
    else { return nil }
    let entries: [DictionaryEntry]
    if view.has("<<", at: object.value.lowerBound) {
      guard let found = ObjectScanner.entries(of: object.value, in: view) else { return nil }
      entries = found
    } else {
      entries = []
    }
    var data: Range<Int>?
    if let start = object.streamStart {
      guard let found = self.data(from: start, entries) else { return nil }
      data = found
      if entries.has("/XRef", for: "Type", in: view) { return .frame }
      if entries.has("/ObjStm", for: "Type", in: view) {
        return unpack(number, entries, found) ? .frame : nil
      }
    }
    // The copy is laid out anew.
    if entries.value("Linearized", in: view) != nil { return .frame }
    return .item(
      Item(
        number: number, generation: generation, value: object.value, isPacked: false, data: data,
        entries: entries))
  }

  /// The data of a stream, whose length has to be true.
  private func data(from start: Int, _ entries: [DictionaryEntry]) -> Range<Int>? {
    guard let length = length(entries), length <= view.count - start else { return nil }
    var scanner = ObjectScanner(view, at: start + length)
    if view[scanner.place] == 13 { scanner.place += 1 }
    if view[scanner.place] == 10 { scanner.place += 1 }
    guard scanner.skip("endstream") else { return nil }
    return start..<start + length
  }

  private func length(_ entries: [DictionaryEntry]) -> Int? {
    if let length = entries.integer("Length", in: view) { return length }
    guard let range = entries.value("Length", in: view) else { return nil }
    var scanner = ObjectScanner(view, at: range.lowerBound)
    guard let reference = scanner.reference(),
      case .file(let offset, reference.generation)? = table.places[reference.number],
      let object = ObjectScanner.object(at: offset, in: view), object.number == reference.number
    else { return nil }
    var inner = ObjectScanner(view, at: object.value.lowerBound)
    return inner.integer()
  }

  /// Whether a stream is an image that is better made smaller when a page draws it.
  func isLargeImage(_ entries: [DictionaryEntry]) -> Bool {
    guard entries.has("/Image", for: "Subtype", in: view) else { return false }
    let width = Double(entries.integer("Width", in: view) ?? 0)
    let height = Double(entries.integer("Height", in: view) ?? 0)
    return width * height >= QPDFObject.largeImagePixels
  }

  // MARK: - Streams of objects (ISO 32000-1, 7.5.7)

  private mutating func unpack(
    _ number: Int, _ entries: [DictionaryEntry], _ data: Range<Int>
  ) -> Bool {
    guard let count = entries.integer("N", in: view), count <= 1 << 20,
      let first = entries.integer("First", in: view)
    else { return false }
    let start = packed.count
    if StreamCoding(entries, in: view) == StreamCoding() {
      let room = max(0, limit - start)
      let isWhole = unsafe view.withBytes(of: data) {
        unsafe inflater.expand($0, into: &packed, limit: room)
      }
      guard isWhole else { return false }
    } else {
      guard entries.value("Filter", in: view) == nil else { return false }
      packed += view[data]
    }
    // So that the last value ends where its stream does.
    packed.append(10)
    let found = unsafe packed.withUnsafeBytes { bytes -> [(number: Int, place: Int)]? in
      var scanner = ObjectScanner(unsafe ByteView(bytes), at: start)
      var found: [(number: Int, place: Int)] = []
      for _ in 0..<count {
        scanner.skipSpace()
        guard let number = scanner.integer() else { return nil }
        scanner.skipSpace()
        guard let offset = scanner.integer() else { return nil }
        found.append((number, start + first + offset))
      }
      return found
    }
    containers[number] = found
    return found != nil
  }

  /// An object of a stream of objects that was unpacked.
  func findPacked(_ number: Int, in container: Int, at index: Int) -> Item? {
    guard let objects = containers[container], objects.indices.contains(index),
      objects[index].number == number
    else { return nil }
    let place = objects[index].place
    let found = unsafe packed.withUnsafeBytes { bytes -> (Range<Int>, [DictionaryEntry])? in
      let view = unsafe ByteView(bytes)
      var scanner = ObjectScanner(view, at: place)
      guard let value = scanner.value() else { return nil }
      guard view.has("<<", at: value.lowerBound) else { return (value, []) }
      return ObjectScanner.entries(of: value, in: view).map { (value, $0) }
    }
    return found.map { value, entries in
      Item(
        number: number, generation: 0, value: value, isPacked: true, data: nil, entries: entries)
    }
  }
}
