/// Makes a name from outside into one that a file may have.
///
/// The result is one path component: no separators, no leading or trailing dots, no control, bidi or
/// invisible characters, no name that a system reserves, at most so many bytes of UTF-8.
package enum SafeFileName {
  /// The most bytes that a name may have on Linux.
  package static let byteLimit = 255

  /// The name for a download: the server's, else the last segment of the URL, else `download`.
  ///
  /// - Parameters:
  ///   - serverName: What `Content-Disposition` says, undigested.
  ///   - url: The URL that was asked for last.
  ///   - limit: The most bytes; less than 255 leaves room for a suffix.
  /// - Returns: A safe name; never empty.
  package static func choose(serverName: String?, url: String, limit: Int = byteLimit) -> String {
    serverName.flatMap { clean($0, limit: limit) } ?? fromURL(url, limit: limit) ?? "download"
  }

  /// The last segment of the URL's path with percent signs decoded, made safe.
  package static func fromURL(_ url: String, limit: Int = byteLimit) -> String? {
    guard let segment = URLParts.lastPathSegment(of: url) else { return nil }
    let decoded = String(validating: percentDecoded(Array(segment.utf8)[...]), as: UTF8.self)
    return clean(decoded ?? segment, limit: limit)
  }

  /// The safe form of a name, or `nil` when nothing is left of it.
  package static func clean(_ name: String, limit: Int = byteLimit) -> String? {
    // A backslash separates on other systems, and servers send whole paths of theirs.
    let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? [][...]
    var scalars = String.UnicodeScalarView()
    for scalar in last {
      if let kept = replacement(for: scalar) { scalars.append(kept) }
    }
    var result = trimmed(String(scalars))
    if result.hasPrefix("-") { result = "_" + result.dropFirst() }
    if isReserved(result) { result = "_" + result }
    result = cut(result, limit: limit)
    return result.isEmpty ? nil : result
  }

  private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "<", ">", ":", "\"", "|", "?", "*": return "_"
    // The joiners of Persian, Indic scripts and emoji are the only invisible characters with a use.
    case "\u{200C}", "\u{200D}": return scalar
    default: break
    }
    if scalar.properties.isNoncharacterCodePoint { return nil }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return nil
    case .spaceSeparator: return " "
    default: return scalar
    }
  }

  /// Without white space and dots at either end.
  private static func trimmed(_ name: String) -> String {
    let isEdge = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "." }
    let scalars = name.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isEdge($0) }),
      let last = scalars.lastIndex(where: { !isEdge($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  /// Device names of Windows, with any ending; harmless here, but files travel.
  private static func isReserved(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }.uppercased().trimmed
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(stem) { return true }
    guard stem.count == 4, stem.hasPrefix("COM") || stem.hasPrefix("LPT") else { return false }
    return stem.last.map { "0123456789¹²³".contains($0) } ?? false
  }

  /// At most `limit` bytes, cut between characters before the ending, which is kept.
  private static func cut(_ name: String, limit: Int) -> String {
    guard name.utf8.count > limit else { return name }
    let ending = self.ending(of: name)
    let kept = ending.utf8.count < limit ? ending : ""
    var room = limit - kept.utf8.count
    var stem = ""
    for character in name.dropLast(kept.count) {
      let size = character.utf8.count
      guard size <= room else { break }
      stem.append(character)
      room -= size
    }
    if stem.isEmpty { stem = cutScalars(name, limit: limit - kept.utf8.count) }
    return trimmed(trimmed(stem) + kept)
  }

  /// One character may be longer than the limit when marks are heaped on it; then marks are cut off.
  private static func cutScalars(_ name: String, limit: Int) -> String {
    var result = String.UnicodeScalarView()
    var room = limit
    for scalar in name.unicodeScalars {
      let size = UTF8.width(scalar)
      guard size <= room else { break }
      result.append(scalar)
      room -= size
    }
    return String(result)
  }

  /// The ending with its dot, two of them after `.tar`; empty when there is none or it is long.
  private static func ending(of name: String) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last else { return "" }
    let isTar = parts.count > 2 && parts[parts.count - 2].lowercased() == "tar"
    let ending = "." + (isTar ? parts[parts.count - 2] + "." : "") + last
    return ending.utf8.count <= 32 ? ending : ""
  }
}
