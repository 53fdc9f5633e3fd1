internal import Dialogue
internal import InfoZipForms
internal import ZipKitCore

/// What a job says, in Info-ZIP's forms, as loud as is asked for.
struct Voice: Sendable {
  let frontEnd: any FrontEnd
  let isJSON: Bool
  /// Whether warnings are part of the result, as those of a test are for Info-ZIP.
  let remarksAreResults: Bool
  /// 0 for everything, 1 and 2 for less and less.
  let quietness: Int

  init(_ request: UnzipRequest, _ frontEnd: any FrontEnd) {
    self.frontEnd = frontEnd
    isJSON = request.isJSON
    remarksAreResults = request.action == .test && !request.isJSON
    quietness = request.isJSON ? 2 : request.quietness
  }

  /// That of a list, which has no degrees of quiet.
  init(_ frontEnd: any FrontEnd, remarksAreResults: Bool) {
    self.frontEnd = frontEnd
    isJSON = false
    self.remarksAreResults = remarksAreResults
    quietness = 0
  }

  /// A text from outside as results may show it.
  func shown(_ text: String) -> String { frontEnd.shown(text) }

  /// A comment keeps its line breaks, each as one line feed.
  func shownLines(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { shown(String($0)) }.joined(separator: "\n")
  }

  /// Writes a table in large pieces.
  func table(
    _ entries: some Sequence<ZipEntry>, _ line: (ZipEntry, String, inout [UInt8]) -> Void
  ) throws {
    var output: [UInt8] = []
    output.reserveCapacity(1 << 16)
    for entry in entries {
      let warning = ArchiveLine.unicodeName(entry)
      if output.count > 60_000 || !warning.isEmpty {
        try write(output)
        output.removeAll(keepingCapacity: true)
        caution(warning)
      }
      line(entry, shown(entry.name), &output)
    }
    try write(output)
  }

  func write(_ text: String) throws { try write(Array(text.utf8)) }

  private func write(_ bytes: [UInt8]) throws { try unsafe frontEnd.write(bytes.span.bytes) }

  /// Lines of warning, part of the result or beside it.
  func caution(_ lines: [String]) {
    for line in lines {
      if remarksAreResults { frontEnd.result(shown(line)) } else { frontEnd.remark(line) }
    }
  }

  /// The head of everything said about an archive; a comment that is `wanted` is shown in any case.
  func archive(_ path: String, comment: String, wanted: Bool) {
    if quietness == 0 { frontEnd.result(shown(ArchiveLine.head(path))) }
    guard quietness == 0 || wanted else { return }
    let text = shownLines(comment)
    // The end of its last line is the end of the line told.
    if !text.isEmpty { frontEnd.result(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
  }
}
