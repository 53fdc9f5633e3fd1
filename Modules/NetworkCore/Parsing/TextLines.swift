/// The lines of a text file, numbered from 1, without their ends.
struct TextLines: Sequence {
  private let lines: [(number: Int, text: String)]

  /// Splits at LF, and drops a CR before it and a byte order mark at the start.
  ///
  /// - Throws: The first line that is no UTF-8.
  init(_ bytes: [UInt8]) throws(InputError) {
    var body = bytes[...]
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { body = body.dropFirst(3) }
    var result: [(Int, String)] = []
    for (index, raw) in body.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let line = raw.last == 0x0D ? raw.dropLast() : raw
      guard let text = String(validating: line, as: UTF8.self) else {
        throw InputError(.utf8, found: String(decoding: line, as: UTF8.self), line: index + 1)
      }
      result.append((index + 1, text))
    }
    lines = result
  }

  func makeIterator() -> IndexingIterator<[(number: Int, text: String)]> { lines.makeIterator() }
}
