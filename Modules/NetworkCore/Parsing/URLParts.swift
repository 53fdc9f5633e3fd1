/// A URL taken apart; libcurl resolves and requests it, this is for checks, names and comparisons.
///
/// Source: RFC 3986, strict in what may stand in scheme, host and port. International host names and
/// non-ASCII paths are let through, as libcurl takes care of them. Like libcurl it goes by bytes: a slash with an
/// accent behind it is a slash, though one `Character` with it.
package struct URLParts: Hashable, Sendable {
  /// In small letters.
  package var scheme: String
  /// User name and password as they stand there, with the colon between them.
  package var userInfo: String?
  /// Without brackets, in small letters; empty for `file:` URLs.
  package var host: String
  /// As it stands there, or `nil`.
  package var port: UInt16?
  /// From the first slash on; empty when there is none.
  package var path: String
  /// Without the question mark.
  package var query: String?
  /// Without the hash.
  package var fragment: String?

  /// Parses an absolute URL.
  ///
  /// - Throws: What was found instead; secrets in it are redacted.
  package init(_ url: String) throws(InputError) {
    let bad = InputError(.url, found: URLRedaction.redact(url))
    guard !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { throw bad }
    var rest = url[...].unicodeScalars
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    guard let colon = rest.firstIndex(of: ":") else { throw bad }
    scheme = String(rest[..<colon]).lowercased()
    let afterScheme = rest[rest.index(after: colon)...]
    guard Self.isScheme(scheme), afterScheme.starts(with: "//".unicodeScalars) else { throw bad }
    rest = afterScheme.dropFirst(2)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    path = String(rest[slash...])
    var authority = rest[..<slash]
    if let at = authority.lastIndex(of: "@") {
      userInfo = String(authority[..<at])
      authority = authority[authority.index(after: at)...]
    }
    (host, port) = try Self.hostAndPort(authority)
    guard !host.isEmpty || scheme == "file" else {
      throw InputError(.host, found: URLRedaction.redact(url))
    }
  }

  private static func hostAndPort(
    _ authority: Substring.UnicodeScalarView
  ) throws(InputError) -> (String, UInt16?) {
    var host = authority
    var portText: Substring.UnicodeScalarView?
    if authority.first == "[" {
      guard let close = authority.firstIndex(of: "]") else {
        throw InputError(.host, found: String(authority))
      }
      host = authority[authority.index(after: authority.startIndex)..<close]
      let tail = authority[authority.index(after: close)...]
      guard isIPv6(host), tail.isEmpty || tail.first == ":" else {
        throw InputError(.host, found: String(authority))
      }
      portText = tail.isEmpty ? nil : tail.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      portText = authority[authority.index(after: colon)...]
    }
    // A percent sign is let through: libcurl decodes the host.
    guard
      !host.contains(where: {
        "<>\"\\^`{|}[]@".unicodeScalars.contains($0) || $0.properties.isWhitespace
      })
    else {
      throw InputError(.host, found: String(host))
    }
    guard let portText, !portText.isEmpty else { return (String(host).lowercased(), nil) }
    guard let number = decimal(Array(String(portText).utf8)), let port = UInt16(exactly: number)
    else {
      throw InputError(.port, found: String(portText))
    }
    return (String(host).lowercased(), port)
  }

  private static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || isDigit($0) || [0x2B, 0x2D, 0x2E].contains($0)
    }
  }

  /// Only what may stand between brackets; libcurl parses the address itself.
  private static func isIPv6(_ text: Substring.UnicodeScalarView) -> Bool {
    let address = String(text.prefix { $0 != "%" })
    return address.utf8.contains(UInt8(ascii: ":"))
      && address.utf8.allSatisfy { hexValue($0) != nil || $0 == 0x3A || $0 == 0x2E }
  }

  /// The last segment of the path, still percent-encoded, or `nil` when it is empty.
  ///
  /// Works on text that is no proper URL, too.
  package static func lastPathSegment(of url: String) -> String? {
    var rest = url.unicodeScalars.prefix { $0 != "#" && $0 != "?" }
    if let separator = rest.range(ofFirst: "://") {
      rest = rest[separator...].drop { $0 != "/" }
    }
    guard let slash = rest.lastIndex(of: "/") else { return rest.isEmpty ? nil : String(rest) }
    let segment = rest[rest.index(after: slash)...]
    return segment.isEmpty ? nil : String(segment)
  }
}

extension Substring.UnicodeScalarView {
  /// The position after the first occurrence of a text.
  fileprivate func range(ofFirst text: String) -> Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].starts(with: text.unicodeScalars) {
        return index(start, offsetBy: text.unicodeScalars.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
