/// Makes names that others chose safe to show on a terminal.
///
/// A file name in an archive or from a server may hold escape sequences that a terminal obeys, marks
/// that reverse the order of letters, and characters that cannot be seen.
package enum NameEscaping {
  /// The text with every dangerous character written out: `\n`, `\x1B`, `\u{202E}`.
  package static func escape(_ text: some StringProtocol) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(text) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if isDangerous(scalar) {
        escaped += spelled(scalar)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The bytes as text; those that are not UTF-8 are written out as `\xE9`.
  package static func escape(bytes: some Sequence<UInt8>) -> String {
    var escaped = ""
    var pending = bytes.makeIterator()
    var decoder = UTF8Pieces()
    while let piece = decoder.next(&pending) {
      switch piece {
      case .scalar(let scalar):
        if isDangerous(scalar) {
          escaped += spelled(scalar)
        } else {
          escaped.unicodeScalars.append(scalar)
        }
      case .invalid(let byte): escaped += hexadecimal(byte)
      }
    }
    return escaped
  }

  /// Whether a character could change what a terminal shows around it, or hide.
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true  // controls
    case 0xAD, 0x61C, 0x180E: true  // soft hyphen, Arabic letter mark, Mongolian vowel separator
    case 0x200B...0x200F: true  // zero width, directional marks
    case 0x2028...0x202E: true  // separators, embeddings and overrides
    case 0x2060...0x206F: true  // word joiner, isolates, deprecated formats
    case 0x115F, 0x1160, 0x3164, 0xFFA0: true  // Hangul fillers
    case 0xFEFF, 0xFFF9...0xFFFB: true  // byte order mark, annotations
    case 0xE0000...0xE007F: true  // tags
    default: false
    }
  }

  private static func spelled(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x00...0x7F: hexadecimal(UInt8(scalar.value))
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16, uppercase: true)
  }
}

/// Takes bytes apart into scalars and the bytes that belong to none.
struct UTF8Pieces {
  enum Piece: Equatable {
    case scalar(Unicode.Scalar)
    case invalid(UInt8)
  }

  private var waiting: [UInt8] = []

  mutating func next(_ source: inout some IteratorProtocol<UInt8>) -> Piece? {
    if waiting.isEmpty {
      guard let byte = source.next() else { return nil }
      waiting = [byte]
    }
    let length = UTF8Pieces.length(waiting[0])
    while waiting.count < length {
      guard let byte = source.next() else { break }
      waiting.append(byte)
    }
    let candidate = waiting.prefix(length)
    if let text = String(validating: candidate, as: UTF8.self),
      let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1
    {
      waiting.removeFirst(candidate.count)
      return .scalar(scalar)
    }
    return .invalid(waiting.removeFirst())
  }

  private static func length(_ lead: UInt8) -> Int {
    switch lead {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
