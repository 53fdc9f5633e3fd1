/// The tokens of a content stream (ISO 32000-1, 7.8.2), without what strings hold.
struct ContentTokens {
  enum Token: Equatable {
    case number(Double)
    /// A name without its slash, by where it stands.
    case name(Range<Int>)
    /// An operator, the first letter highest; 0 for a word of over 3 letters.
    case word(UInt32)
    /// A string, or what begins or ends an array, a dictionary or a procedure.
    case other
    /// What is no token, such as a number with two points.
    case bad
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The text of a name; its `#` escapes are left as they are.
  func text(_ name: Range<Int>) -> String { String(decoding: bytes[name], as: UTF8.self) }

  private var byte: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  /// The next token, or `nil` at the end.
  mutating func next() -> Token? {
    while let byte {
      switch byte {
      case 0...32: position += 1
      case UInt8(ascii: "%"): skip { $0 != 10 && $0 != 13 }
      case UInt8(ascii: "("):
        return skipString() ? .other : .bad
      case UInt8(ascii: "<"):
        skipHexadecimal()
        return .other
      case UInt8(ascii: "/"):
        position += 1
        let start = position
        skip(Self.isRegular)
        return .name(start..<position)
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "+"):
        return number()
      default:
        guard Self.isRegular(byte) else {
          position += 1
          return .other
        }
        return word()
      }
    }
    return nil
  }

  /// Goes behind the `EI` that ends an inline image: two letters between white space.
  mutating func skipInlineImage() {
    position += 1
    while position + 2 < bytes.count {
      if bytes[position] == UInt8(ascii: "E") && bytes[position + 1] == UInt8(ascii: "I")
        && bytes[position - 1] <= 32 && bytes[position + 2] <= 32
      {
        position += 2
        return
      }
      position += 1
    }
    position = bytes.count
  }

  private mutating func number() -> Token {
    var isNegative = false
    if let byte, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
      isNegative = byte == UInt8(ascii: "-")
      position += 1
    }
    var value = 0.0
    var fraction = 0.0
    var isSound = false
    while let byte, Self.isRegular(byte) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        value = value * 10 + Double(byte &- UInt8(ascii: "0"))
        fraction *= 10
        isSound = true
      case UInt8(ascii: ".") where fraction == 0: fraction = 1
      default:
        skip(Self.isRegular)
        return .bad
      }
      position += 1
    }
    guard isSound else { return .bad }
    if fraction > 1 { value /= fraction }
    return .number(isNegative ? -value : value)
  }

  private mutating func word() -> Token {
    var word: UInt32 = 0
    let start = position
    while let byte, Self.isRegular(byte) {
      word = word &<< 8 | UInt32(byte)
      position += 1
    }
    if position - start <= 3 { return .word(word) }
    // The values of entries of dictionaries, which are no operators.
    let values = ["true", "false", "null"]
    return values.contains { bytes[start..<position].elementsEqual($0.utf8) } ? .other : .word(0)
  }

  private mutating func skip(_ condition: (UInt8) -> Bool) {
    while let byte, condition(byte) { position += 1 }
  }

  /// Goes behind a string, and says whether it ends.
  private mutating func skipString() -> Bool {
    var depth = 0
    while let byte {
      position += 1
      switch byte {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return true }
      default: break
      }
    }
    return false
  }

  private mutating func skipHexadecimal() {
    position += 1
    // "<<" begins a dictionary.
    guard byte != UInt8(ascii: "<") else { return position += 1 }
    skip { $0 != UInt8(ascii: ">") }
    position += 1
  }

  private static func isRegular(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...32, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "/"), UInt8(ascii: "%"):
      false
    default: true
    }
  }
}
