/// The header fields in which a server states the digest of what it sends.
package enum DigestFields {
  /// Parses `Repr-Digest` or `Content-Digest`: `sha-256=:BASE64:, sha-512=:BASE64:`.
  ///
  /// Source: RFC 9530 section 2 and 3, a dictionary of RFC 8941. Algorithms that are not known here are
  /// passed over.
  /// - Returns: The checksums, the strongest first.
  /// - Throws: What was found in place of a digest of a known algorithm.
  package static func parseStructured(_ value: String) throws(InputError) -> [Checksum] {
    var found: [Checksum] = []
    for member in members(value) {
      guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: member[..<equals], as: UTF8.self).trimmed
      guard let algorithm = DigestAlgorithm(named: name) else { continue }
      var scanner = FieldScanner(member[(equals + 1)...])
      scanner.skipWhitespace()
      let bad = InputError(.digestField, found: text(of: member), field: name)
      guard scanner.take(":") else { throw bad }
      let coded = scanner.takeWhile { $0 != UInt8(ascii: ":") }
      guard scanner.take(":"), let bytes = base64Decoded(coded) else { throw bad }
      found.append(try checksum(algorithm, bytes, name))
    }
    return strongestFirst(found)
  }

  /// Parses the older `Digest`: `SHA-256=BASE64,MD5=BASE64`.
  ///
  /// Source: RFC 3230, withdrawn by RFC 9530, still sent.
  /// - Returns: The checksums, the strongest first.
  /// - Throws: What was found in place of a digest of a known algorithm.
  package static func parseLegacy(_ value: String) throws(InputError) -> [Checksum] {
    var found: [Checksum] = []
    for member in members(value) {
      guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: member[..<equals], as: UTF8.self).trimmed
      guard let algorithm = DigestAlgorithm(named: name) else { continue }
      let coded = text(of: member[(equals + 1)...]).trimmed
      guard let bytes = base64Decoded(coded.utf8) else {
        throw InputError(.base64, found: coded, field: name)
      }
      found.append(try checksum(algorithm, bytes, name))
    }
    return strongestFirst(found)
  }

  /// Parses `Content-MD5`, the base64 of 16 bytes.
  ///
  /// Source: RFC 1864.
  /// - Throws: What was found instead.
  package static func parseContentMD5(_ value: String) throws(InputError) -> Checksum {
    guard let bytes = base64Decoded(value.trimmed.utf8) else {
      throw InputError(.base64, found: value)
    }
    return try checksum(.md5, bytes, "Content-MD5")
  }

  private static func checksum(
    _ algorithm: DigestAlgorithm, _ bytes: [UInt8], _ field: String
  ) throws(InputError) -> Checksum {
    guard let checksum = Checksum(algorithm: algorithm, bytes: bytes) else {
      throw InputError(
        .digestLength, found: "\(bytes.count) bytes for \(algorithm.rawValue)", field: field)
    }
    return checksum
  }

  private static func strongestFirst(_ list: [Checksum]) -> [Checksum] {
    list.sorted { $0.algorithm.strength > $1.algorithm.strength }
  }

  /// The members of a list; a comma inside a quoted string does not divide.
  private static func members(_ value: String) -> [ArraySlice<UInt8>] {
    var isQuoted = false
    var isEscaped = false
    return Array(value.utf8).split { byte in
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\"), isQuoted {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
  }
}
