/// Checks a cookie file before libcurl reads it, which passes over what it does not understand.
///
/// The form is Netscape's: domain, whether subdomains are included, path, whether TLS is needed, end of
/// life in seconds since 1970 (0: end of the session), name, value; divided by tabs. `#HttpOnly_` in
/// front of a domain marks such a cookie; other lines starting with `#` are comments.
package enum CookieFile {
  /// Checks every line.
  ///
  /// - Returns: How many cookies there are.
  /// - Throws: The first line that is none, and the field; values are never shown.
  @discardableResult
  package static func check(_ bytes: [UInt8]) throws(InputError) -> Int {
    var count = 0
    for (number, line) in try TextLines(bytes) {
      var text = line[...]
      if text.hasPrefix("#HttpOnly_") {
        text = text.dropFirst("#HttpOnly_".count)
      } else if text.hasPrefix("#") || line.trimmed.isEmpty {
        continue
      }
      try check(text, line: number)
      count += 1
    }
    return count
  }

  private static func check(_ line: Substring, line number: Int) throws(InputError) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    // An empty value may have lost the tab before it.
    guard fields.count == 7 || fields.count == 6 else {
      throw InputError(.cookieLine, found: "\(fields.count) fields", line: number)
    }
    func fail(_ expected: InputExpectation, _ field: String, _ found: Substring) -> InputError {
      InputError(expected, found: String(found), line: number, field: field)
    }
    if fields[0].isEmpty || fields[0].contains(where: \.isWhitespace) {
      throw fail(.host, "domain", fields[0])
    }
    for (index, field) in [(1, "subdomains"), (3, "secure")]
    where !["TRUE", "FALSE"].contains(fields[index].uppercased()) {
      throw fail(.cookieFlag, field, fields[index])
    }
    guard fields[2].hasPrefix("/") else { throw fail(.cookieLine, "path", fields[2]) }
    guard Int64(fields[4]) != nil else { throw fail(.number, "expires", fields[4]) }
    guard !fields[5].isEmpty else { throw fail(.name, "name", fields[5]) }
  }
}
