/// A list of files to fetch.
///
/// Four forms are read, told apart by the first line with content: one URL a line; fields divided by
/// tabs, in the order of ``Field`` or as a header line names them; one JSON object a line; a Metalink
/// document. Empty lines and lines starting with `#` are passed over.
package struct Manifest: Hashable, Sendable {
  /// One file.
  package struct Entry: Hashable, Sendable {
    /// Where it is.
    package var url: String
    /// The path to write it to, relative to the directory of the downloads.
    package var output: String?
    /// Its size in bytes.
    package var size: UInt64?
    /// Its digest.
    package var checksum: Checksum?
    /// Where else it is.
    package var mirrors: [String] = []
    /// The digests of its pieces; a Metalink may have them.
    package var pieces: PieceChecksums?
    /// The line of the manifest, from 1 on.
    package var line: Int
  }

  /// The fields of an entry.
  package enum Field: String, CaseIterable, Sendable {
    case url, output, size, checksum, mirrors
  }

  /// The files in their order.
  package var entries: [Entry] = []

  /// Parses a whole manifest; one without any entry is one of no files.
  ///
  /// - Throws: The first line that cannot be read, with its number and field, or that writes to a path
  ///   which another line writes to.
  package init(_ bytes: [UInt8]) throws(InputError) {
    if bytes.first(where: { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) })
      == UInt8(ascii: "<")
    {
      entries = try Metalink(bytes).files.map(Entry.init)
      return
    }
    var form: Form?
    var outputs: [String: Int] = [:]
    for (number, line) in try TextLines(bytes) {
      let text = line.trimmed
      if text.isEmpty || text.hasPrefix("#") { continue }
      do throws(InputError) {
        if form == nil {
          form = Form(firstLine: line)
          if case .table(let columns) = form, columns.isHeader { continue }
        }
        let entry = try form?.entry(line, number)
        guard let entry else { continue }
        if let output = entry.output, outputs.updateValue(number, forKey: output) != nil {
          throw InputError(.uniqueField, found: output, line: number, field: "output")
        }
        entries.append(entry)
      } catch {
        throw error.at(line: number)
      }
    }
  }
}

extension Manifest.Entry {
  /// The file of a Metalink: its first place, the others as mirrors, its strongest digest.
  init(_ file: Metalink.File) {
    url = file.places.first?.url ?? ""
    mirrors = file.places.dropFirst().map(\.url)
    output = file.name
    size = file.size
    checksum = file.checksums.first
    pieces = file.pieces
    line = file.line
  }
}

extension Manifest {
  /// The columns of a table.
  struct Columns {
    var fields: [Field]
    var isHeader: Bool

    /// The line names the columns, or is the first of the default order.
    init(firstLine: String) {
      let words = firstLine.split(separator: "\t", omittingEmptySubsequences: false).map {
        String($0).trimmed.lowercased()
      }
      let fields = words.compactMap(Field.init(rawValue:))
      isHeader = fields.count == words.count && fields.contains(.url)
      self.fields = isHeader ? fields : Field.allCases
    }
  }

  enum Form {
    case plain
    case table(Columns)
    case json

    init(firstLine: String) {
      if firstLine.trimmed.hasPrefix("{") {
        self = .json
      } else if firstLine.contains("\t") {
        self = .table(Columns(firstLine: firstLine))
      } else {
        self = .plain
      }
    }

    func entry(_ line: String, _ number: Int) throws(InputError) -> Entry {
      switch self {
      case .plain: try Manifest.entry([.url: line.trimmed], number)
      case .table(let columns): try Manifest.tableEntry(line, columns, number)
      case .json: try Manifest.jsonEntry(line, number)
      }
    }
  }

  static func tableEntry(
    _ line: String, _ columns: Columns, _ number: Int
  ) throws(InputError) -> Entry {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard cells.count <= columns.fields.count else {
      throw InputError(.manifestField, found: String(cells[columns.fields.count]))
    }
    var values: [Field: String] = [:]
    for (field, cell) in zip(columns.fields, cells) {
      let text = String(cell).trimmed
      guard values[field] == nil else {
        throw InputError(.uniqueField, found: text, field: field.rawValue)
      }
      if !text.isEmpty { values[field] = text }
    }
    return try entry(values, number)
  }

  static func jsonEntry(_ line: String, _ number: Int) throws(InputError) -> Entry {
    guard case .object(let members) = try JSONValue(Array(line.utf8)) else {
      throw InputError(.jsonObject, found: line)
    }
    var values: [Field: String] = [:]
    var mirrors: [String] = []
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let field = Field(rawValue: name) else {
        throw InputError(.manifestField, found: name)
      }
      switch (field, value) {
      case (_, .null): break
      case (.size, .number(let digits)): values[.size] = digits
      case (.mirrors, .array(let items)):
        for item in items {
          guard let text = item.string else {
            throw InputError(.jsonString, found: "\(item)", field: name)
          }
          mirrors.append(text)
        }
      default:
        guard let text = value.string else {
          throw InputError(.jsonString, found: "\(value)", field: name)
        }
        values[field] = text
      }
    }
    return try entry(values, number, mirrors: mirrors)
  }

  /// Checks the values and makes the entry; `mirrors` are those of a list, the field holds a text.
  static func entry(
    _ values: [Field: String], _ number: Int, mirrors: [String] = []
  ) throws(InputError) -> Entry {
    guard let url = values[.url] else { throw InputError(.url, found: "", field: "url") }
    try checkURL(url, .url)
    var entry = Entry(url: url, line: number)
    if let output = values[.output] {
      guard isContained(output) else {
        throw InputError(.safeName, found: output, field: "output")
      }
      entry.output = output
    }
    if let size = values[.size] {
      guard let bytes = decimal(Array(size.utf8)), bytes <= UInt64(Int64.max) else {
        throw InputError(.size, found: size, field: "size")
      }
      entry.size = bytes
    }
    if let spec = values[.checksum] {
      do { entry.checksum = try Checksum(spec) } catch {
        throw error.at(line: number, field: "checksum")
      }
    }
    entry.mirrors = mirrors + (values[.mirrors]?.split(separator: " ").map(String.init) ?? [])
    for mirror in entry.mirrors { try checkURL(mirror, .mirrors) }
    return entry
  }

  private static func checkURL(_ url: String, _ field: Field) throws(InputError) {
    do { _ = try URLParts(url) } catch {
      var error = error
      error.field = field.rawValue
      throw error
    }
  }

  /// Whether a path stays where it is put: relative, without `..`, without control characters.
  static func isContained(_ path: String) -> Bool {
    // By bytes: as a character, a slash takes an accent behind it along and is no slash any more.
    let slash = UInt8(ascii: "/")
    let parts = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
      .map { Substring($0) }
    return !path.isEmpty && path.utf8.first != slash
      && parts.allSatisfy { !["", ".", ".."].contains($0) && $0.utf8.count <= 255 }
      && !path.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
