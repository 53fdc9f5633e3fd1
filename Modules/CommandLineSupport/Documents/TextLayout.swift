/// Wraps prose for help screens.
enum TextLayout {
  /// Breaks at blanks so that no line is wider than `width` columns; a longer word stands alone.
  static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if DisplayWidth.of(line) + 1 + DisplayWidth.of(word) <= width {
        line += " \(word)"
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// A paragraph, each line indented.
  static func paragraph(_ text: String, indent: Int = 0, width: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return wrap(text, width: width - indent).map { "\(margin)\($0)\n" }.joined()
  }

  /// A term in the left column and its text in the right one, which begins at `column`.
  ///
  /// A term too wide for its column has its text on the next line.
  static func entry(_ term: String, _ text: String, column: Int, width: Int) -> String {
    let margin = String(repeating: " ", count: column)
    var lines = wrap(text, width: width - column).map { margin + $0 }
    let head = "  \(term)"
    let gap = column - DisplayWidth.of(head)
    guard gap >= 2, !lines.isEmpty else { return ([head] + lines).map { "\($0)\n" }.joined() }
    lines[0] = head + String(repeating: " ", count: gap) + lines[0].dropFirst(column)
    return lines.map { "\($0)\n" }.joined()
  }
}
