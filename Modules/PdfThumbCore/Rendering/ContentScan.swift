/// What a page's content does, counted without interpreting it.
package struct ContentScan: Sendable, Equatable {
  /// The number of operators that stroke a path.
  package var strokes = 0
  /// The number of operators that show text.
  package var texts = 0
  /// The number of operators that draw an image or a form.
  package var objects = 0

  /// Counts operators; strings, comments and the data of inline images are passed over.
  package init(_ content: [UInt8]) {
    var scanner = Scanner(content)
    while let word = scanner.nextOperator() {
      switch word {
      case 0x53, 0x73, 0x42, 0x62, 0x422A, 0x622A: strokes += 1  // S s B b B* b*
      case 0x546A, 0x544A, 0x27, 0x22: texts += 1  // Tj TJ ' "
      case 0x446F: objects += 1  // Do
      case 0x4944: scanner.skipInlineImage()  // ID
      default: break
      }
    }
  }

  /// Finds words that are operators: what is neither number, name, string, array nor dictionary.
  private struct Scanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var byte: UInt8? {
      position < bytes.count ? bytes[position] : nil
    }

    /// The letters of the next operator, the first one highest; words of over 3 letters are cut.
    mutating func nextOperator() -> UInt32? {
      while let byte {
        switch byte {
        case UInt8(ascii: "("): skipString()
        case UInt8(ascii: "%"): skip { $0 != 10 && $0 != 13 }
        case UInt8(ascii: "/"):
          position += 1
          skip(Self.isRegular)
        case UInt8(ascii: "<"): skipHexadecimal()
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x27,
          0x22:
          return word()
        default: position += 1
        }
      }
      return nil
    }

    /// Goes behind the `EI` that ends an inline image: two letters between white space.
    mutating func skipInlineImage() {
      position += 1
      while position + 2 < bytes.count {
        if bytes[position] == UInt8(ascii: "E") && bytes[position + 1] == UInt8(ascii: "I")
          && Self.isSpace(bytes[position - 1]) && Self.isSpace(bytes[position + 2])
        {
          position += 2
          return
        }
        position += 1
      }
      position = bytes.count
    }

    private mutating func word() -> UInt32 {
      var word: UInt32 = 0
      var length = 0
      while let byte, Self.isRegular(byte) {
        if length < 3 { word = word << 8 | UInt32(byte) }
        length += 1
        position += 1
      }
      return word
    }

    private mutating func skip(_ condition: (UInt8) -> Bool) {
      while let byte, condition(byte) { position += 1 }
    }

    private mutating func skipString() {
      var depth = 0
      while let byte {
        position += 1
        switch byte {
        case UInt8(ascii: "\\"): position += 1
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"):
          depth -= 1
          if depth == 0 { return }
        default: break
        }
      }
    }

    private mutating func skipHexadecimal() {
      position += 1
      // "<<" begins a dictionary.
      guard byte != UInt8(ascii: "<") else { return position += 1 }
      skip { $0 != UInt8(ascii: ">") }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 32 }

    private static func isRegular(_ byte: UInt8) -> Bool {
      switch byte {
      case 0...32, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "/"), UInt8(ascii: "%"):
        false
      default: true
      }
    }
  }
}
