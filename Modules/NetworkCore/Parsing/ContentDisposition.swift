/// What a `Content-Disposition` field says; only the file name matters to a download.
///
/// Source: RFC 6266. The name is as the server gave it: ``SafeFileName`` makes it usable.
package struct ContentDisposition: Hashable, Sendable {
  /// `attachment`, `inline` or something else, in small letters; empty when left out.
  package var type: String
  /// The name, or `nil` when the field gives none that can be decoded.
  package var fileName: String?

  /// Parses a field's value.
  ///
  /// Every text has a reading; one without a name gives `nil` as name.
  /// `filename*` wins over `filename` when it can be decoded, as section 4.3 demands.
  package init(_ value: String) {
    var scanner = FieldScanner(value)
    scanner.skipWhitespace()
    // Some servers leave the type out and start with the parameter.
    let start = scanner
    let word = scanner.token() ?? ""
    scanner.skipWhitespace()
    if scanner.peek == UInt8(ascii: "=") {
      type = ""
      scanner = FieldScanner("; " + start.rest)
    } else {
      type = word.lowercased()
    }
    let parameters = FieldParameters(&scanner)
    fileName =
      parameters.first("filename*").flatMap(ExtendedValue.decode)
      ?? parameters.first("filename").map(Self.decodePlain)
    if fileName?.isEmpty == true { fileName = nil }
  }

  /// The plain form has no coding of its own, yet many servers send UTF-8 or percent signs in it.
  private static func decodePlain(_ bytes: [UInt8]) -> String {
    if bytes.contains(UInt8(ascii: "%")), ExtendedValue.isWellFormed(bytes[...]),
      let decoded = String(validating: percentDecoded(bytes[...]), as: UTF8.self)
    {
      return decoded
    }
    return text(of: bytes)
  }
}
