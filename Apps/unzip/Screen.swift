import CommandLineSupport
import ZipKitCore

/// What goes to standard output, in Info-ZIP's forms.
struct Screen {
  let console: Console
  let isJSON: Bool

  init(_ console: Console, isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
  }

  /// 0 without `-q`, 1 and 2 with one and more.
  var quietness: Int { isJSON ? 2 : console.quietness }

  /// A name as it may be shown.
  func shown(_ name: String) -> String {
    console.output.isTerminal ? NameEscaping.escape(name) : name
  }

  /// Writes a table in large pieces.
  func table(
    _ entries: some Sequence<ZipEntry>, _ line: (ZipEntry, String, inout [UInt8]) -> Void
  ) throws {
    var output: [UInt8] = []
    output.reserveCapacity(1 << 16)
    for entry in entries {
      line(entry, shown(entry.name), &output)
      if output.count > 60_000 {
        try write(output)
        output.removeAll(keepingCapacity: true)
      }
    }
    try write(output)
  }

  func write(_ bytes: [UInt8]) throws { try unsafe console.write(bytes.span.bytes) }

  /// `  inflating: NAME`, the name filled up to 22 columns.
  func line(_ verb: String, _ name: String, _ rest: String = "") -> String {
    String(repeating: " ", count: max(0, 8 - verb.count)) + verb + "ing: " + padded(name) + "  "
      + rest
  }

  func padded(_ name: String) -> String {
    let name = shown(name)
    return name + String(repeating: " ", count: max(0, 22 - name.utf8.count))
  }

  /// The head of everything said about an archive; a comment that is `wanted` is shown in any case.
  func archive(_ path: String, comment: String, wanted: Bool) {
    if quietness == 0 { console.print("Archive:  \(path)") }
    guard quietness == 0 || wanted else { return }
    let text = escapedText(comment)
    if !text.isEmpty {
      console.print("\(trusted: text)", terminator: text.hasSuffix("\n") ? "" : "\n")
    }
  }

  /// Info-ZIP's two lines about bytes in front of an archive.
  func prefixWarning(_ path: String, _ archive: ZipArchive) -> [String] {
    [
      "warning [\(path)]:  \(archive.base) extra bytes at beginning or within zipfile",
      "  (attempting to process anyway)",
    ]
  }

  /// A comment keeps its line breaks, each as one line feed.
  func escapedText(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    return lines.map { console.output.isTerminal ? NameEscaping.escape(String($0)) : String($0) }
      .joined(separator: "\n")
  }

  /// The verb for an entry's method.
  static func verb(_ entry: ZipEntry) -> String {
    switch entry.codingMethod {
    case .deflated, .deflate64: "inflat"
    case .shrunk: "unshrink"
    case .imploded: "explod"
    case .bzip2: "bunzipp"
    default: "extract"
    }
  }

  // MARK: JSON

  func json(_ entry: ZipEntry) -> [(String, JSONValue)] {
    let moment = entry.modified
    return [
      ("index", .init(entry.index)), ("name", .string(entry.name)),
      ("kind", .string("\(entry.kind)")), ("size", .init(entry.size)),
      ("compressed", .init(entry.compressedSize)),
      ("method", .init(entry.codingMethod.rawValue)),
      ("method_name", JSONValue(entry.codingMethod.name)),
      ("crc32", .string(hex(entry.crc32))), ("encrypted", .bool(entry.isEncrypted)),
      ("modified", .init(moment.seconds)), ("mode", entry.unixMode.map { .init($0) } ?? .null),
      ("encoding", .string(encoding(entry))),
    ]
  }

  private func encoding(_ entry: ZipEntry) -> String {
    switch entry.nameOrigin {
    case .ascii: "ASCII"
    case .utf8Flag, .unicodeField, .utf8Guess: "UTF-8"
    case .encoding(let name): name
    }
  }

  private func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  func json(_ problem: ZipError) -> JSONValue {
    .object([
      .init("rule", .string(problem.code.id)), .init("message", .string(problem.message)),
      .init("offset", problem.offset.map { .init($0) } ?? .null),
    ])
  }
}
