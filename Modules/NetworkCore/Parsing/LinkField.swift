/// One link of a `Link` field.
///
/// Source: RFC 8288 section 3, read with tolerance. Of its parameters only those that lead to other copies of a
/// file are kept, RFC 6249.
package struct LinkField: Hashable, Sendable {
  /// As it stands there; it may be relative to the URL of the answer.
  package var target: String
  /// The relation types, in small letters.
  package var relations: [String]
  /// The media type without parameters, in small letters.
  package var type: String?
  /// 1 is tried first, 999999 last and the default.
  package var priority = 999_999

  /// Parses the value of a field; what is no link is passed over.
  package static func parse(_ value: String) -> [LinkField] {
    members(Array(value.utf8)).compactMap(LinkField.init)
  }

  private init?(_ member: ArraySlice<UInt8>) {
    var scanner = FieldScanner(member)
    scanner.skipWhitespace()
    guard scanner.take("<") else { return nil }
    let target = scanner.takeWhile { $0 != UInt8(ascii: ">") }
    guard scanner.take(">"), !target.isEmpty else { return nil }
    self.target = text(of: target).trimmed
    let parameters = FieldParameters(&scanner)
    relations =
      parameters.first("rel").map(text(of:))?.lowercased()
      .split(whereSeparator: \.isWhitespace).map { String($0) } ?? []
    type =
      parameters.first("type").map(text(of:))?.lowercased()
      .prefix { $0 != ";" }.description.trimmed
    if let given = parameters.first("pri").flatMap(decimal), (1...999_999).contains(given) {
      priority = Int(given)
    }
  }

  /// Splits at commas that stand neither in angle brackets nor in quotes.
  private static func members(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    var start = 0
    var isTarget = false
    var isQuoted = false
    var isEscaped = false
    for (index, byte) in bytes.enumerated() {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\\") where isQuoted: isEscaped = true
      case UInt8(ascii: "\"") where !isTarget: isQuoted.toggle()
      case UInt8(ascii: "<") where !isQuoted: isTarget = true
      case UInt8(ascii: ">") where !isQuoted: isTarget = false
      case UInt8(ascii: ",") where !isQuoted && !isTarget:
        result.append(bytes[start..<index])
        start = index + 1
      default: break
      }
    }
    result.append(bytes[start...])
    return result
  }
}
