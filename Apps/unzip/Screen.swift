import CommandLineSupport
import InfoZipForms
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

  func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// A remark, as part of the result or beside it.
  func remark(_ line: String, isResult: Bool) {
    if isResult { console.print("\(line)") } else { console.printError("\(line)") }
  }

  /// The head of everything said about an archive; a comment that is `wanted` is shown in any case.
  func archive(_ path: String, comment: String, wanted: Bool) {
    if quietness == 0 { console.print("\(ArchiveLine.head(path))") }
    guard quietness == 0 || wanted else { return }
    let text = escapedText(comment)
    if !text.isEmpty {
      console.print("\(trusted: text)", terminator: text.hasSuffix("\n") ? "" : "\n")
    }
  }

  /// A comment keeps its line breaks, each as one line feed.
  func escapedText(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    return lines.map { console.output.isTerminal ? NameEscaping.escape(String($0)) : String($0) }
      .joined(separator: "\n")
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
