/// Takes secrets out of URLs before they are shown, logged or stored.
package enum URLRedaction {
  /// What stands where a secret stood.
  package static let placeholder = "***"

  // Compared without case and without anything but letters and digits.
  private static let secretNames: Set<String> = [
    "auth", "authorization", "key", "pass", "passwd", "pwd", "pw", "sig", "sid", "session",
    "sessionid", "jwt", "code", "ticket", "hdnea", "hdnts", "policy", "keypairid",
    "awsaccesskeyid", "googleaccessid", "bearer", "apikey", "accesskey",
  ]
  private static let secretParts = [
    "token", "secret", "signature", "password", "credential", "apikey", "accesskey", "privatekey",
  ]

  /// The URL without its secrets.
  ///
  /// User name and password, the values of parameters that are known to carry tokens, and the fragment
  /// are taken out. Works on text that is no proper URL, too.
  package static func redact(_ url: String) -> String {
    var rest = Array(url.utf8)
    if let hash = rest.firstIndex(of: UInt8(ascii: "#")) { rest.removeSubrange(hash...) }
    var query: ArraySlice<UInt8>?
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[(mark + 1)...]
      rest = Array(rest[..<mark])
    }
    var result = redactUserInfo(rest)
    if let query {
      result.append(UInt8(ascii: "?"))
      result += redactQuery(query)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// A text with every URL in it redacted; other words stay as they are.
  package static func redactText(_ text: String) -> String {
    var result = ""
    var word = String.UnicodeScalarView()
    func flush() {
      let text = String(word)
      let isURL = authorityStart(Array(text.utf8)) > 0 || text.utf8.contains(UInt8(ascii: "?"))
      result += isURL ? redact(text) : text
      word = String.UnicodeScalarView()
    }
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace || "'\"<>()".unicodeScalars.contains(scalar) {
        flush()
        result.unicodeScalars.append(scalar)
      } else {
        word.append(scalar)
      }
    }
    flush()
    return result
  }

  /// Whether a query parameter or form field of this name is known to carry a secret.
  package static func isSecretName(_ name: String) -> Bool {
    let plain = String(
      decoding: percentDecoded(Array(name.utf8)[...]).compactMap { byte -> UInt8? in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: nil
        }
      }, as: UTF8.self)
    return secretNames.contains(plain) || secretParts.contains(where: plain.contains)
  }

  private static func redactUserInfo(_ bytes: [UInt8]) -> [UInt8] {
    let start = authorityStart(bytes)
    let at = UInt8(ascii: "@")
    let slashes: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
    let end = bytes[start...].firstIndex(where: slashes.contains) ?? bytes.endIndex
    if let last = bytes[start..<end].lastIndex(of: at) {
      // Of a password with both an @ and a slash in it the rest would still stand there.
      return redactUserInfo(Array(bytes[..<start]) + bytes[(last + 1)...])
    }
    // A password with a bare slash in it ends the authority too early, which leaves a port that is
    // no number: then everything up to the last @ is taken for user name and password.
    let colon = UInt8(ascii: ":")
    guard let portStart = bytes[start..<end].firstIndex(of: colon),
      !bytes[(portStart + 1)..<end].allSatisfy({ (0x30...0x39).contains($0) }),
      bytes[start] != UInt8(ascii: "["), let last = bytes[end...].lastIndex(of: at)
    else { return bytes }
    return Array(bytes[..<start]) + bytes[(last + 1)...]
  }

  private static func authorityStart(_ bytes: [UInt8]) -> Int {
    let colon = UInt8(ascii: ":")
    let slash = UInt8(ascii: "/")
    var index = 0
    while index + 2 < bytes.count {
      if bytes[index] == colon, bytes[index + 1] == slash, bytes[index + 2] == slash {
        return index + 3
      }
      index += 1
    }
    return bytes.starts(with: [slash, slash]) ? 2 : 0
  }

  private static func redactQuery(_ query: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    let separators: [UInt8] = [UInt8(ascii: "&"), UInt8(ascii: ";")]
    var start = query.startIndex
    while true {
      let end = query[start...].firstIndex(where: separators.contains) ?? query.endIndex
      let pair = query[start..<end]
      if let equals = pair.firstIndex(of: UInt8(ascii: "=")),
        isSecretName(String(decoding: pair[..<equals], as: UTF8.self))
      {
        result += pair[...equals]
        result += Array(placeholder.utf8)
      } else {
        result += pair
      }
      guard end < query.endIndex else { return result }
      result.append(query[end])
      start = end + 1
    }
  }
}
