/// Where a document's objects are, after its own tables (ISO 32000-1, 7.5.4 and 7.5.8).
///
/// Tables that are not as the standard says are `nil`: what they mean is the renderer's to guess.
struct ObjectTable {
  enum Place: Equatable {
    case free
    case file(offset: Int, generation: Int)
    case stream(number: Int, index: Int)
  }

  /// Places by the objects' numbers, quicker than a dictionary.
  struct Places {
    private var list: [Place?] = []

    /// The number behind the greatest one.
    var end: Int { list.count }

    subscript(number: Int) -> Place? {
      get { list.indices.contains(number) ? list[number] : nil }
      set {
        while list.count <= number { list.append(nil) }
        list[number] = newValue
      }
    }
  }

  private(set) var places = Places()
  /// Whether there is one table and nothing about it that other readers might find fault with.
  private(set) var isPlain = false
  /// The entries of the trailer that a copy repeats, as they are written.
  private(set) var trailer: [UInt8] = []

  private static let greatestNumber = 1 << 20
  private static let greatestTable = 32 << 20

  /// Reads the tables of a document that is not encrypted.
  init?(_ view: ByteView, _ inflater: inout Inflater) {
    guard view.has("%PDF-", at: 0), var next = Self.start(in: view) else { return nil }
    var visited: Set<Int> = []
    while true {
      guard visited.insert(next).inserted, visited.count <= 1000 else { return nil }
      var scanner = ObjectScanner(view, at: next)
      let entries =
        scanner.skip("xref")
        ? readTable(&scanner) : readStream(at: next, view, &inflater)
      guard let entries, note(entries, view) else { return nil }
      guard entries.value("Prev", in: view) != nil else { break }
      guard let before = entries.integer("Prev", in: view) else { return nil }
      next = before
    }
    guard !trailer.isEmpty else { return nil }
    isPlain = isPlain && visited.count == 1 && Self.hasVersion(view)
  }

  /// Whether the header names a version.
  private static func hasVersion(_ view: ByteView) -> Bool {
    view[5] &- 48 < 10 && view[6] == UInt8(ascii: ".") && view[7] &- 48 < 10
  }

  /// The number of objects that the newest table says there are, which is found without reading the table.
  static func count(in view: ByteView) -> Int? {
    guard let start = start(in: view) else { return nil }
    var scanner = ObjectScanner(view, at: start)
    guard scanner.skip("xref") else {
      return ObjectScanner.object(at: start, in: view)
        .flatMap { ObjectScanner.entries(of: $0.value, in: view) }?.integer("Size", in: view)
    }
    for _ in 0..<1000 {
      scanner.skipSpace()
      if scanner.skip("trailer") {
        return scanner.value().flatMap { ObjectScanner.entries(of: $0, in: view) }?
          .integer("Size", in: view)
      }
      guard scanner.integer() != nil else { return nil }
      scanner.skipSpace()
      guard let count = scanner.integer(), count <= greatestNumber else { return nil }
      scanner.skipSpace()
      scanner.place += 20 * count
    }
    return nil
  }

  /// Where the newest table is said to be.
  private static func start(in view: ByteView) -> Int? {
    let first = max(0, view.count - 1024)
    guard let mark = (first..<view.count).last(where: { view.has("startxref", at: $0) }) else {
      return nil
    }
    var scanner = ObjectScanner(view, at: mark + 9)
    scanner.skipSpace()
    return scanner.integer()
  }

  private mutating func note(_ entries: [DictionaryEntry], _ view: ByteView) -> Bool {
    // Part of the objects of such a document is in one kind of table and part in another.
    guard entries.value("Encrypt", in: view) == nil, entries.value("XRefStm", in: view) == nil
    else { return false }
    guard trailer.isEmpty else { return true }
    guard let root = entries.value("Root", in: view) else { return false }
    trailer = Array("/Root ".utf8) + view[root]
    if let information = entries.value("Info", in: view) {
      trailer += Array(" /Info ".utf8) + view[information]
    }
    return true
  }

  /// Newer tables are read first.
  private mutating func add(_ place: Place, of number: Int) -> Bool {
    guard (0...Self.greatestNumber).contains(number) else { return false }
    if places[number] == nil { places[number] = place }
    return true
  }

  private mutating func readTable(_ scanner: inout ObjectScanner) -> [DictionaryEntry]? {
    let view = scanner.view
    while true {
      scanner.skipSpace()
      if scanner.skip("trailer") { break }
      guard let first = scanner.integer() else { return nil }
      scanner.skipSpace()
      guard let count = scanner.integer(), count <= Self.greatestNumber else { return nil }
      scanner.skipSpace()
      for number in first..<first + count {
        guard let place = Self.line(at: scanner.place, in: view), add(place, of: number) else {
          return nil
        }
        scanner.place += 20
      }
    }
    return scanner.value().flatMap { ObjectScanner.entries(of: $0, in: view) }
  }

  /// A line of a table: 20 bytes, no more and no less.
  private static func line(at place: Int, in view: ByteView) -> Place? {
    var scanner = ObjectScanner(view, at: place)
    guard let offset = scanner.integer(), scanner.place == place + 10, view[place + 10] == 32
    else { return nil }
    scanner.place += 1
    guard let generation = scanner.integer(), scanner.place == place + 16, view[place + 16] == 32,
      [9, 10, 13, 32].contains(view[place + 18]), [10, 13, 32].contains(view[place + 19])
    else { return nil }
    switch view[place + 17] {
    case UInt8(ascii: "n"): return .file(offset: offset, generation: generation)
    case UInt8(ascii: "f"): return .free
    default: return nil
    }
  }

  private mutating func readStream(
    at place: Int, _ view: ByteView, _ inflater: inout Inflater
  ) -> [DictionaryEntry]? {
    guard let object = ObjectScanner.object(at: place, in: view), let start = object.streamStart,
      let entries = ObjectScanner.entries(of: object.value, in: view),
      entries.has("/XRef", for: "Type", in: view), let length = entries.integer("Length", in: view),
      length <= view.count - start, let size = entries.integer("Size", in: view),
      let widths = Self.integers(entries.value("W", in: view), in: view), widths.count == 3,
      widths.allSatisfy({ $0 <= 8 }), widths[1] > 0
    else { return nil }
    var bytes: [UInt8] = []
    if let coding = StreamCoding(entries, in: view) {
      let isWhole = unsafe view.withBytes(of: start..<start + length) {
        unsafe inflater.expand($0, into: &bytes, limit: Self.greatestTable)
      }
      guard isWhole, coding.undoPrediction(in: &bytes, from: 0) else { return nil }
    } else {
      guard entries.value("Filter", in: view) == nil else { return nil }
      bytes = view[start..<start + length]
    }
    let ranges =
      entries.value("Index", in: view) == nil
      ? [0, size] : Self.integers(entries.value("Index", in: view), in: view)
    guard let ranges, ranges.count.isMultiple(of: 2), addRows(bytes, widths, ranges) else {
      return nil
    }
    var end = ObjectScanner(view, at: start + length)
    end.skipSpace()
    var isPlain = end.skip("endstream")
    end.skipSpace()
    isPlain = isPlain && end.skip("endobj") && ranges == [0, size]
    self.isPlain = isPlain && bytes.count == size * widths.reduce(0, +)
    return entries
  }

  private mutating func addRows(_ bytes: [UInt8], _ widths: [Int], _ ranges: [Int]) -> Bool {
    var place = 0
    func field(_ width: Int) -> Int? {
      var value: UInt64 = 0
      for _ in 0..<width {
        value = value << 8 | UInt64(bytes[place])
        place += 1
      }
      return Int(exactly: value)
    }
    let rowCount = widths[0] + widths[1] + widths[2]
    for index in stride(from: 0, to: ranges.count, by: 2) {
      guard ranges[index + 1] <= Self.greatestNumber else { return false }
      for number in ranges[index]..<ranges[index] + ranges[index + 1] {
        guard bytes.count - place >= rowCount, let kind = widths[0] > 0 ? field(widths[0]) : 1,
          let second = field(widths[1]), let third = field(widths[2])
        else { return false }
        let found: Place
        switch kind {
        case 0: found = .free
        case 1: found = .file(offset: second, generation: third)
        case 2: found = .stream(number: second, index: third)
        default: return false
        }
        guard add(found, of: number) else { return false }
      }
    }
    return true
  }

  /// The whole numbers of an array.
  private static func integers(_ range: Range<Int>?, in view: ByteView) -> [Int]? {
    guard let range, view[range.lowerBound] == UInt8(ascii: "[") else { return nil }
    var scanner = ObjectScanner(view, at: range.lowerBound + 1)
    var numbers: [Int] = []
    while true {
      scanner.skipSpace()
      if scanner.place == range.upperBound - 1 { return numbers }
      guard let number = scanner.integer(), numbers.count < 100_000 else { return nil }
      numbers.append(number)
    }
  }
}
