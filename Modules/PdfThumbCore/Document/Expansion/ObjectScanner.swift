/// A key of a dictionary and its value, by where they stand.
struct DictionaryEntry {
  /// The key without its slash.
  let key: Range<Int>
  /// The value; a reference from its first number to its R.
  let value: Range<Int>
}

/// An object of a document's body, by where its parts stand.
struct FoundObject {
  let number: Int
  let generation: Int
  let value: Range<Int>
  /// Where the data of a stream begin.
  let streamStart: Int?
}

/// Finds where values begin and end (ISO 32000-1, 7.2 and 7.3), without reading what they say.
///
/// It knows what well-made documents have; whatever else it meets is `nil`.
struct ObjectScanner {
  let view: ByteView
  /// The byte looked at next.
  var place: Int

  init(_ view: ByteView, at place: Int = 0) {
    self.view = view
    self.place = place
  }

  private static let deepest = 100

  // MARK: - Tokens

  /// Goes over white space and comments.
  mutating func skipSpace() {
    while place < view.count {
      switch view[place] {
      case 0, 9, 10, 12, 13, 32: place += 1
      case UInt8(ascii: "%"):
        while place < view.count, view[place] != 10, view[place] != 13 { place += 1 }
      default: return
      }
    }
  }

  /// Goes over a word, if it stands here as a whole.
  mutating func skip(_ word: StaticString) -> Bool {
    let end = place + word.utf8CodeUnitCount
    guard view.has(word, at: place), end >= view.count || !Self.isRegular(view[end]) else {
      return false
    }
    place = end
    return true
  }

  /// A whole number without a sign, of at most 15 digits.
  mutating func integer() -> Int? {
    let start = place
    var number = 0
    while case let byte = view[place], byte &- 48 < 10, place - start < 15 {
      number = number * 10 + Int(byte &- 48)
      place += 1
    }
    return place > start && !Self.isRegular(view[place]) ? number : nil
  }

  /// Goes over a value: a number, a name, a string, a reference, or all of an array or dictionary.
  mutating func value() -> Range<Int>? {
    skipSpace()
    let start = place
    // For each array or dictionary that is open a bit, 1 for a dictionary.
    var nesting: [Bool] = []
    repeat {
      skipSpace()
      guard place < view.count else { return nil }
      switch view[place] {
      case UInt8(ascii: "<") where view[place + 1] == UInt8(ascii: "<"):
        nesting.append(true)
        place += 2
      case UInt8(ascii: "["):
        nesting.append(false)
        place += 1
      case UInt8(ascii: ">") where view[place + 1] == UInt8(ascii: ">"):
        guard nesting.popLast() == true else { return nil }
        place += 2
      case UInt8(ascii: "]"):
        guard nesting.popLast() == false else { return nil }
        place += 1
      default: guard skipPlain() else { return nil }
      }
      guard nesting.count <= Self.deepest else { return nil }
    } while !nesting.isEmpty
    return start..<place
  }

  /// Goes over a value that contains no others; outside of containers a reference counts as one.
  private mutating func skipPlain() -> Bool {
    switch view[place] {
    case UInt8(ascii: "("): return skipString()
    case UInt8(ascii: "<"):
      while place < view.count, view[place] != UInt8(ascii: ">") { place += 1 }
      place += 1
      return place <= view.count
    case UInt8(ascii: "/"):
      place += 1
      skipRegular()
      return true
    default:
      guard Self.isRegular(view[place]) else { return false }
      let start = place
      skipRegular()
      return !view.equals("endobj", in: start..<place) && !view.equals("stream", in: start..<place)
    }
  }

  private mutating func skipRegular() {
    while place < view.count, Self.isRegular(view[place]) { place += 1 }
  }

  private mutating func skipString() -> Bool {
    var depth = 0
    while place < view.count {
      let byte = view[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\\"): place += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return true }
      default: break
      }
    }
    return false
  }

  @inline(__always)
  static func isRegular(_ byte: UInt8) -> Bool {
    switch byte {
    case 0, 9, 10, 12, 13, 32, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: "/"), UInt8(ascii: "%"):
      false
    default: true
    }
  }

  // MARK: - Objects

  /// A reference: two numbers and an R.
  mutating func reference() -> (number: Int, generation: Int)? {
    skipSpace()
    guard let number = integer() else { return nil }
    skipSpace()
    guard let generation = integer() else { return nil }
    skipSpace()
    return skip("R") ? (number, generation) : nil
  }

  /// The next reference before a place, whatever it stands in.
  ///
  /// - Returns: `nil` where there is none left. What only looks like one, in a string of digits, may be among them.
  mutating func nextReference(before end: Int) -> (number: Int, generation: Int)? {
    while true {
      skipSpace()
      guard place < end else { return nil }
      let start = place
      switch view[place] {
      case 48...57:
        if let found = reference() { return found }
        place = start
        skipRegular()
      case UInt8(ascii: "("): guard skipString() else { return nil }
      case let byte where Self.isRegular(byte): skipRegular()
      default: place += 1
      }
    }
  }

  /// The entries of a dictionary that stands in a range; `nil` when a key is none, or written with escapes.
  static func entries(of range: Range<Int>, in view: ByteView) -> [DictionaryEntry]? {
    var scanner = ObjectScanner(view, at: range.lowerBound + 2)
    guard view.has("<<", at: range.lowerBound) else { return nil }
    var entries: [DictionaryEntry] = []
    while true {
      scanner.skipSpace()
      if view.has(">>", at: scanner.place) {
        return scanner.place + 2 == range.upperBound ? entries : nil
      }
      guard view[scanner.place] == UInt8(ascii: "/"), scanner.place < range.upperBound else {
        return nil
      }
      scanner.place += 1
      let start = scanner.place
      scanner.skipRegular()
      let key = start..<scanner.place
      guard !key.contains(where: { view[$0] == UInt8(ascii: "#") }),
        var value = scanner.value()
      else { return nil }
      var ahead = ObjectScanner(view, at: value.lowerBound)
      if ahead.reference() != nil {
        value = value.lowerBound..<ahead.place
        scanner.place = ahead.place
      }
      entries.append(DictionaryEntry(key: key, value: value))
    }
  }

  /// The object whose number stands at a place.
  static func object(at place: Int, in view: ByteView) -> FoundObject? {
    var scanner = ObjectScanner(view, at: place)
    scanner.skipSpace()
    guard let number = scanner.integer() else { return nil }
    scanner.skipSpace()
    guard let generation = scanner.integer() else { return nil }
    scanner.skipSpace()
    guard scanner.skip("obj"), let value = scanner.value() else { return nil }
    scanner.skipSpace()
    var start: Int?
    if view.has("<<", at: value.lowerBound), scanner.skip("stream") {
      // ISO 32000-1, 7.3.8.1: a line feed, with a carriage return before it or without.
      if view[scanner.place] == 13 { scanner.place += 1 }
      guard view[scanner.place] == 10 else { return nil }
      start = scanner.place + 1
    } else {
      guard scanner.skip("endobj") else { return nil }
    }
    return FoundObject(
      number: number, generation: generation, value: value, streamStart: start)
  }
}

extension [DictionaryEntry] {
  /// Where the value of a key stands.
  func value(_ key: StaticString, in view: ByteView) -> Range<Int>? {
    first { view.equals(key, in: $0.key) }?.value
  }

  /// A value that is a whole number.
  func integer(_ key: StaticString, in view: ByteView) -> Int? {
    guard let range = value(key, in: view) else { return nil }
    var scanner = ObjectScanner(view, at: range.lowerBound)
    guard let number = scanner.integer(), scanner.place == range.upperBound else { return nil }
    return number
  }

  /// Whether a value is that name, which is given with its slash.
  func has(_ name: StaticString, for key: StaticString, in view: ByteView) -> Bool {
    value(key, in: view).map { view.equals(name, in: $0) } ?? false
  }
}
