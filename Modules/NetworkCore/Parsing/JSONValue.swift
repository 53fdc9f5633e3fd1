/// A JSON value, read strictly.
///
/// Source: RFC 8259. Names in an object must differ, nesting is limited to 64, and a number is kept as
/// its digits, so that sizes beyond 2^53 stay exact.
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Parses a whole text.
  ///
  /// - Throws: What was expected, and at which byte.
  package init(_ bytes: some Collection<UInt8>) throws(InputError) {
    var reader = JSONReader(Array(bytes))
    self = try reader.document()
  }

  /// The text of a string.
  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// A number without sign, fraction and exponent that fits 64 bits.
  package var unsigned: UInt64? {
    if case .number(let digits) = self { decimal(Array(digits.utf8)) } else { nil }
  }
}

private struct JSONReader {
  private let bytes: [UInt8]
  private var index = 0
  private static let depthLimit = 64

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() throws(InputError) -> JSONValue {
    let value = try value(depth: 0)
    skipWhitespace()
    guard index == bytes.count else { throw failure(.jsonEnd) }
    return value
  }

  private func failure(_ expected: InputExpectation) -> InputError {
    let rest = bytes[min(index, bytes.count)...].prefix(32)
    return InputError(expected, found: String(decoding: rest, as: UTF8.self), offset: index)
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipWhitespace() {
    while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index += 1
    return true
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(InputError)
    -> JSONValue
  {
    let wanted = Array("\(word)".utf8)
    guard bytes[index...].starts(with: wanted) else { throw failure(.jsonValue) }
    index += wanted.count
    return value
  }

  private mutating func value(depth: Int) throws(InputError) -> JSONValue {
    guard depth <= Self.depthLimit else { throw failure(.jsonDepth) }
    skipWhitespace()
    switch peek {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func object(depth: Int) throws(InputError) -> JSONValue {
    index += 1
    var members: [String: JSONValue] = [:]
    skipWhitespace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipWhitespace()
      let start = index
      let name = try string()
      guard members[name] == nil else {
        throw InputError(.uniqueField, found: name, offset: start)
      }
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else { throw failure(.jsonObject) }
      members[name] = try value(depth: depth + 1)
      skipWhitespace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw failure(.jsonObject) }
    }
  }

  private mutating func array(depth: Int) throws(InputError) -> JSONValue {
    index += 1
    var items: [JSONValue] = []
    skipWhitespace()
    if take(UInt8(ascii: "]")) { return .array(items) }
    while true {
      items.append(try value(depth: depth + 1))
      skipWhitespace()
      if take(UInt8(ascii: "]")) { return .array(items) }
      guard take(UInt8(ascii: ",")) else { throw failure(.jsonValue) }
    }
  }

  private mutating func number() throws(InputError) -> String {
    let start = index
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) {
      guard skipDigits() else { throw failure(.jsonValue) }
    }
    if take(UInt8(ascii: ".")), !skipDigits() { throw failure(.jsonNumber) }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard skipDigits() else { throw failure(.jsonNumber) }
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func skipDigits() -> Bool {
    let start = index
    while let byte = peek, isDigit(byte) { index += 1 }
    return index > start
  }

  private mutating func string() throws(InputError) -> String {
    guard take(UInt8(ascii: "\"")) else { throw failure(.jsonString) }
    var result: [UInt8] = []
    let start = index
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        guard let text = String(validating: result, as: UTF8.self) else {
          throw InputError(
            .utf8, found: String(decoding: result.prefix(32), as: UTF8.self), offset: start)
        }
        return text
      case UInt8(ascii: "\\"):
        index += 1
        try escape(&result)
      case 0..<0x20: throw failure(.jsonString)
      default:
        result.append(byte)
        index += 1
      }
    }
    throw failure(.jsonString)
  }

  private mutating func escape(_ result: inout [UInt8]) throws(InputError) {
    guard let byte = peek else { throw failure(.jsonString) }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(byte)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "u"): result += Array(String(try escapedScalar()).utf8)
    default:
      index -= 1
      throw failure(.jsonString)
    }
  }

  /// `\uXXXX`, or two of them where they are halves of a pair.
  private mutating func escapedScalar() throws(InputError) -> Unicode.Scalar {
    let first = try hexUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw failure(.jsonString)
    }
    let second = try hexUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure(.jsonString) }
    return scalar
  }

  private mutating func hexUnit() throws(InputError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = hexValue(byte) else { throw failure(.jsonString) }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
