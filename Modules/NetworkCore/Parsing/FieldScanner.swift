/// Reads the pieces that header fields are made of, from bytes.
///
/// Source: RFC 9110 section 5.6. Nothing here throws; a piece that is not there gives `nil` and leaves
/// the position where it was.
struct FieldScanner {
  let bytes: [UInt8]
  private(set) var index = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  var isAtEnd: Bool { index >= bytes.count }

  var peek: UInt8? { isAtEnd ? nil : bytes[index] }

  /// What has not been read, for messages.
  var rest: String { String(decoding: bytes[min(index, bytes.count)...], as: UTF8.self) }

  mutating func skip() {
    if !isAtEnd { index += 1 }
  }

  /// Spaces and tabs.
  mutating func skipWhitespace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 { index += 1 }
  }

  /// Reads one byte if it is this one.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = peek, UInt32(byte) == character.value else { return false }
    index += 1
    return true
  }

  /// Reads a word if it is this one, whatever its case.
  mutating func takeWord(_ word: StaticString) -> Bool {
    let wanted = Array("\(word)".utf8)
    guard index + wanted.count <= bytes.count else { return false }
    for (offset, byte) in wanted.enumerated() where lowercased(bytes[index + offset]) != byte {
      return false
    }
    index += wanted.count
    return true
  }

  /// Reads bytes as long as they fit; may be empty.
  mutating func takeWhile(_ fits: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = index
    while let byte = peek, fits(byte) { index += 1 }
    return bytes[start..<index]
  }

  /// A token: at least one of letters, digits and ``!#$%&'*+-.^_`|~``.
  mutating func token() -> String? {
    let found = takeWhile(isTokenByte)
    return found.isEmpty ? nil : String(decoding: found, as: UTF8.self)
  }

  /// A quoted string with its escapes resolved.
  mutating func quotedString() -> [UInt8]? {
    let start = index
    guard take("\"") else { return nil }
    var result: [UInt8] = []
    while let byte = peek {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return result
      case UInt8(ascii: "\\"):
        guard let escaped = peek else { break }
        result.append(escaped)
        index += 1
      default: result.append(byte)
      }
    }
    index = start
    return nil
  }

  /// A decimal number that fits; digits that do not fit are left unread.
  mutating func number() -> UInt64? {
    let start = index
    let digits = takeWhile(isDigit)
    guard let value = decimal(digits) else {
      index = start
      return nil
    }
    return value
  }
}

func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
  case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
  default: false
  }
}

/// An ASCII letter in small, any other byte as it is.
func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

/// The value of decimal digits; `nil` for none, other bytes, and what does not fit 64 bits.
func decimal(_ digits: some Collection<UInt8>) -> UInt64? {
  guard !digits.isEmpty else { return nil }
  var value: UInt64 = 0
  for digit in digits {
    guard isDigit(digit) else { return nil }
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(UInt64(digit - 0x30))
    guard !overflow, !carry else { return nil }
    value = sum
  }
  return value
}

/// UTF-8 where it is, else Latin 1, which every sequence of bytes is.
func text(of bytes: some Collection<UInt8>) -> String {
  String(validating: bytes, as: UTF8.self)
    ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
}
