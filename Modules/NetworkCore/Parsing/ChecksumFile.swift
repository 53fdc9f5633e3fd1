/// A file of checksums such as `SHA256SUMS`, in the forms of GNU and of BSD.
///
/// GNU: `HEX  NAME`, `HEX *NAME`, a backslash in front where the name has escapes. BSD:
/// `SHA256 (NAME) = HEX`. A file of one bare `HEX` is common beside a single download. Empty lines,
/// comments and a wrapping by PGP are passed over, as are algorithms that are not known here.
package struct ChecksumFile: Hashable, Sendable {
  /// One line: the name, `nil` for a bare digest, and the digest.
  package struct Entry: Hashable, Sendable {
    package var name: String?
    package var checksum: Checksum
    package var line: Int
  }

  /// The lines in their order.
  package var entries: [Entry] = []

  /// Parses the whole file.
  ///
  /// - Throws: The first line that is none of the forms, or that no entry came of all.
  package init(_ bytes: [UInt8]) throws(InputError) {
    var isArmour = false
    for (number, line) in try TextLines(bytes) {
      if line.hasPrefix("-----BEGIN PGP") {
        isArmour = true
      } else if line.hasPrefix("-----END PGP") {
        isArmour = false
      } else if isArmour {
        // The header of a signed message ends at an empty line; a signature ends at its last line.
        if line.trimmed.isEmpty, entries.isEmpty { isArmour = false }
      } else {
        let text = line.hasPrefix("- -") ? String(line.dropFirst(2)) : line
        if text.trimmed.isEmpty || text.hasPrefix("#") || text.hasPrefix(";") { continue }
        if let entry = try Self.entry(text, line: number) { entries.append(entry) }
      }
    }
    guard !entries.isEmpty else { throw InputError(.sumsLine, found: "", line: 1) }
  }

  /// The checksums for a file, the strongest first.
  ///
  /// - Parameter name: A name or path. An equal one wins; else the last components are compared. When
  ///   the file holds a single bare digest, it is taken to be for this name.
  /// - Returns: Nothing when no line is about the file, or when lines about it contradict each other.
  package func checksums(for name: String) -> [Checksum] {
    let wanted = Self.withoutDotSlash(name)
    var matches = entries.filter { $0.name.map(Self.withoutDotSlash) == wanted }
    if matches.isEmpty {
      let last = Self.lastComponent(wanted)
      matches = entries.filter { $0.name.map(Self.lastComponent) == last }
    }
    if matches.isEmpty, entries.count == 1, entries[0].name == nil { matches = entries }
    var found: [DigestAlgorithm: Checksum] = [:]
    for entry in matches {
      if let other = found[entry.checksum.algorithm], other != entry.checksum { return [] }
      found[entry.checksum.algorithm] = entry.checksum
    }
    return found.values.sorted { $0.algorithm.strength > $1.algorithm.strength }
  }

  private static func entry(_ line: String, line number: Int) throws(InputError) -> Entry? {
    do throws(InputError) {
      let isEscaped = line.hasPrefix("\\")
      let text = isEscaped ? line.dropFirst() : line[...]
      let entry: Entry?
      if let found = try bsdEntry(text, number) {
        entry = found
      } else {
        entry = try gnuEntry(text, number)
      }
      guard isEscaped, var entry, let name = entry.name else { return entry }
      guard let plain = unescaped(name) else { throw InputError(.name, found: name) }
      entry.name = plain
      return entry
    } catch {
      throw error.at(line: number)
    }
  }

  /// `SHA256 (NAME) = HEX`; the outer optional says that the form is another one.
  private static func bsdEntry(_ line: Substring, _ number: Int) throws(InputError) -> Entry?? {
    guard let open = line.firstIndex(of: "("), line[..<open].hasSuffix(" "),
      let close = line.lastIndex(of: ")"), open < close
    else { return .none }
    let tail = String(line[line.index(after: close)...]).trimmed
    guard tail.hasPrefix("=") else { return .none }
    let algorithm = String(line[..<open]).trimmed
    guard algorithm.utf8.allSatisfy({ isTokenByte($0) || $0 == 0x2F }) else { return .none }
    guard DigestAlgorithm(named: algorithm) != nil else { return .some(nil) }
    let name = String(line[line.index(after: open)..<close])
    guard !name.isEmpty else { throw InputError(.name, found: String(line)) }
    let checksum = try Checksum(name: algorithm, hex: String(tail.dropFirst()).trimmed)
    return .some(Entry(name: name, checksum: checksum, line: number))
  }

  /// `HEX  NAME`, `HEX *NAME` or a bare `HEX`.
  private static func gnuEntry(_ line: Substring, _ number: Int) throws(InputError) -> Entry? {
    let digits = line.prefix { !$0.isWhitespace }
    guard let bytes = hexDecoded(String(digits)) else {
      throw InputError(.sumsLine, found: String(line))
    }
    guard let algorithm = DigestAlgorithm(digitCount: digits.utf8.count),
      let checksum = Checksum(algorithm: algorithm, bytes: bytes)
    else { throw InputError(.digestLength, found: "\(digits.utf8.count) digits") }
    var name = line[digits.endIndex...]
    if name.allSatisfy(\.isWhitespace) { return Entry(name: nil, checksum: checksum, line: number) }
    // One space, then a space or an asterisk for the mode; some writers use a tab or one space only.
    name = name.dropFirst()
    if name.hasPrefix(" ") || name.hasPrefix("*") { name = name.dropFirst() }
    guard !name.isEmpty else { throw InputError(.name, found: String(line)) }
    return Entry(name: String(name), checksum: checksum, line: number)
  }

  private static func unescaped(_ name: String) -> String? {
    var result = String.UnicodeScalarView()
    var isEscape = false
    for character in name.unicodeScalars {
      if isEscape {
        switch character {
        case "n": result.append("\n")
        case "r": result.append("\r")
        case "\\": result.append("\\")
        default: return nil
        }
        isEscape = false
      } else if character == "\\" {
        isEscape = true
      } else {
        result.append(character)
      }
    }
    return isEscape ? nil : String(result)
  }

  private static func withoutDotSlash(_ name: String) -> String {
    name.utf8.starts(with: "./".utf8) ? String(name.unicodeScalars.dropFirst(2)) : name
  }

  private static func lastComponent(_ name: String) -> String {
    name.unicodeScalars.split(separator: "/").last.map { String($0) } ?? name
  }
}
