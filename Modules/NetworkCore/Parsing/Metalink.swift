/// A Metalink 4 document: files with their sizes, digests and places.
///
/// Source: RFC 5854. Signatures, languages and places that are not URLs of files (torrents) are passed
/// over.
package struct Metalink: Hashable, Sendable {
  /// A place of a file.
  package struct Place: Hashable, Sendable {
    package var url: String
    /// 1 is tried first, 999999 last and the default.
    package var priority: Int
    /// The country it is in, two small letters.
    package var location: String?
  }

  /// One file.
  package struct File: Hashable, Sendable {
    /// The path to write it to, relative to the directory of the downloads; checked to stay in it.
    package var name: String
    package var size: UInt64?
    /// The strongest first.
    package var checksums: [Checksum]
    package var pieces: PieceChecksums?
    /// By priority, then as in the document.
    package var places: [Place]
    /// The line of the document, from 1 on.
    package var line: Int
  }

  private static let space = "urn:ietf:params:xml:ns:metalink|"

  /// The files in their order.
  package var files: [File]

  /// Parses a document.
  ///
  /// - Throws: The line and element that cannot be used: no XML, no Metalink, a name that leaves the
  ///   directory or stands twice, a malformed size, digest or URL, a file without a place.
  package init(_ bytes: [UInt8]) throws(InputError) {
    let root = try XMLElement(parsing: bytes)
    guard root.name == Self.space + "metalink" else {
      throw InputError(.metalink, found: root.name, line: root.line)
    }
    var files: [File] = []
    var names: Set<String> = []
    for element in root.children where element.name == Self.space + "file" {
      let file = try Self.file(element)
      guard names.insert(file.name).inserted else {
        throw InputError(.uniqueField, found: file.name, line: element.line, field: "name")
      }
      files.append(file)
    }
    guard !files.isEmpty else { throw InputError(.metalink, found: "no file", line: root.line) }
    self.files = files
  }

  private static func file(_ element: XMLElement) throws(InputError) -> File {
    let name = element.attributes["name"] ?? ""
    guard Manifest.isContained(name) else {
      throw InputError(.safeName, found: name, line: element.line, field: "name")
    }
    var file = File(name: name, checksums: [], places: [], line: element.line)
    for child in element.children where child.name.hasPrefix(space) {
      let text = child.text.trimmed
      switch child.name.dropFirst(space.count) {
      case "size": file.size = try number(text, child, "size")
      case "hash":
        if let checksum = try checksum(text, child) { file.checksums.append(checksum) }
      case "pieces": file.pieces = try pieces(child)
      case "url": file.places.append(try place(text, child))
      default: break
      }
    }
    guard !file.places.isEmpty else {
      throw InputError(.url, found: "", line: element.line, field: "url")
    }
    file.checksums.sort { $0.algorithm.strength > $1.algorithm.strength }
    // Stable: places of one priority stay in the order of the document.
    file.places = file.places.enumerated().sorted {
      ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset)
    }.map(\.element)
    try checkPieces(file)
    return file
  }

  private static func number(
    _ text: String, _ element: XMLElement, _ field: String
  ) throws(InputError) -> UInt64 {
    guard let value = decimal(Array(text.utf8)), value <= UInt64(Int64.max) else {
      throw InputError(.size, found: text, line: element.line, field: field)
    }
    return value
  }

  /// A digest, or `nil` for an algorithm that is not known here.
  private static func checksum(
    _ hex: String, _ element: XMLElement, type: String? = nil
  ) throws(InputError) -> Checksum? {
    let type = type ?? element.attributes["type"] ?? ""
    guard DigestAlgorithm(named: type) != nil else { return nil }
    do throws(InputError) {
      return try Checksum(name: type, hex: hex)
    } catch {
      throw error.at(line: element.line, field: "hash")
    }
  }

  private static func pieces(_ element: XMLElement) throws(InputError) -> PieceChecksums? {
    let length = try number(element.attributes["length"] ?? "", element, "length")
    guard length > 0 else {
      throw InputError(.size, found: "0", line: element.line, field: "length")
    }
    var checksums: [Checksum] = []
    for child in element.children where child.name == space + "hash" {
      guard
        let checksum = try checksum(
          child.text.trimmed, child, type: element.attributes["type"] ?? "")
      else { return nil }
      checksums.append(checksum)
    }
    return PieceChecksums(length: length, checksums: checksums)
  }

  /// Pieces are only of use when they cover the file exactly.
  private static func checkPieces(_ file: File) throws(InputError) {
    guard let pieces = file.pieces, let size = file.size else { return }
    let needed = PieceChecksums.count(covering: size, length: pieces.length)
    guard needed == UInt64(pieces.checksums.count) else {
      throw InputError(
        .number, found: "\(pieces.checksums.count) pieces where \(needed) cover the file",
        line: file.line, field: "pieces")
    }
  }

  private static func place(_ url: String, _ element: XMLElement) throws(InputError) -> Place {
    do throws(InputError) {
      _ = try URLParts(url)
    } catch {
      throw error.at(line: element.line, field: "url")
    }
    var priority = 999_999
    if let text = element.attributes["priority"] {
      let value = try number(text, element, "priority")
      guard (1...999_999).contains(value) else {
        throw InputError(.number, found: text, line: element.line, field: "priority")
      }
      priority = Int(value)
    }
    return Place(
      url: url, priority: priority, location: element.attributes["location"]?.lowercased())
  }
}
