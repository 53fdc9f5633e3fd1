/// The parameters of a header field: `; name=value; name="value"`.
///
/// Source: RFC 9110 section 5.6.6, read with the tolerance that senders need: empty parameters, a
/// trailing semicolon, white space around `=`, and values with spaces but without quotes.
struct FieldParameters {
  /// Names in small letters, values without quotes and escapes, in order.
  private(set) var list: [(name: String, value: [UInt8])] = []

  /// Reads parameters to the end; the scanner stands before the first semicolon.
  init(_ scanner: inout FieldScanner) {
    while !scanner.isAtEnd {
      _ = scanner.takeWhile { $0 != UInt8(ascii: ";") }
      scanner.skip()
      scanner.skipWhitespace()
      guard let name = scanner.token() else { continue }
      scanner.skipWhitespace()
      guard scanner.take("=") else { continue }
      scanner.skipWhitespace()
      let value: [UInt8]
      if let quoted = scanner.quotedString() {
        value = quoted
      } else {
        let raw = scanner.takeWhile { $0 != UInt8(ascii: ";") }
        let end = raw.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? raw.startIndex
        value = Array(raw[..<end])
      }
      list.append((name.lowercased(), value))
    }
  }

  /// The value of the first parameter with this name; later ones are somebody's mistake or trick.
  func first(_ name: String) -> [UInt8]? {
    list.first { $0.name == name }?.value
  }
}

/// A value with its character set and language: `UTF-8'en'%e2%82%ac`.
///
/// Source: RFC 8187 section 3.2. UTF-8 must be understood; Latin 1 often comes, too.
enum ExtendedValue {
  static func decode(_ bytes: [UInt8]) -> String? {
    let parts = bytes.split(
      separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, isWellFormed(parts[2]) else { return nil }
    let decoded = percentDecoded(parts[2])
    switch String(decoding: parts[0], as: UTF8.self).lowercased() {
    case "utf-8": return String(validating: decoded, as: UTF8.self)
    case "iso-8859-1":
      return String(String.UnicodeScalarView(decoded.map(Unicode.Scalar.init)))
    default: return nil
    }
  }

  /// Whether every percent sign is followed by two hexadecimal digits.
  static func isWellFormed(_ bytes: ArraySlice<UInt8>) -> Bool {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%") {
        guard index + 2 < bytes.endIndex, hexValue(bytes[index + 1]) != nil,
          hexValue(bytes[index + 2]) != nil
        else { return false }
        index += 3
      } else {
        index += 1
      }
    }
    return true
  }
}
