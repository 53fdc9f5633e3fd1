/// A terminal's screen in memory, with the few escape sequences that Courier writes.
///
/// It wraps as xterm does, at the character after the last column, and when its width changes it
/// lays its lines out anew, as most terminals of today do.
package struct ScreenModel {
  private struct Cell {
    var character: Character
    /// A wide character is followed by an empty cell.
    var isTail = false
  }

  private struct Row {
    var cells: [Cell] = []
    /// Whether the row goes on in the next one because the screen was too narrow.
    var isWrapped = false
  }

  package private(set) var columns: Int
  private var rows: [Row] = [Row()]
  private var line = 0
  private var column = 0
  /// Escape sequences that it does not know.
  package private(set) var unknown: [String] = []

  package init(columns: Int) { self.columns = columns }

  /// The rows as text, without blanks and empty rows at the end.
  package var lines: [String] {
    var lines = rows.map { row -> String in
      let text = String(row.cells.filter { !$0.isTail }.map(\.character))
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Takes in what a program wrote to its descriptor, as the terminal driver passes it on.
  package mutating func feed(unprocessed text: String) {
    feed(text.replacing("\n", with: "\r\n"))
  }

  /// Takes in what came out of the driver.
  package mutating func feed(_ text: String) {
    // A carriage return and line feed is one Character in Swift.
    var rest = Substring(
      text.unicodeScalars.reduce(into: "") { result, scalar in
        if scalar == "\n", result.unicodeScalars.last == "\r" { result += "\u{0}" }
        result.unicodeScalars.append(scalar)
      })
    while let character = rest.popFirst() {
      switch character {
      case "\u{0}": break
      case "\r": column = 0
      case "\n":
        rows[line].isWrapped = false
        nextLine()
      case "\u{1B}": escape(&rest)
      default: put(character)
      }
    }
  }

  private mutating func nextLine() {
    line += 1
    if line == rows.count { rows.append(Row()) }
  }

  private mutating func escape(_ rest: inout Substring) {
    guard rest.popFirst() == "[" else { return unknown.append("ESC") }
    let number = rest.prefix { $0.isNumber || $0 == ";" }
    rest = rest.dropFirst(number.count)
    switch rest.popFirst() {
    case "m": break
    case "A": line = max(0, line - (Int(number) ?? 1))
    case "J" where number.isEmpty:
      rows.removeSubrange((line + 1)...)
      rows[line].cells.removeSubrange(min(column, rows[line].cells.count)...)
      rows[line].isWrapped = false
    case "K" where number.isEmpty:
      rows[line].cells.removeSubrange(min(column, rows[line].cells.count)...)
    case let final: unknown.append("[\(number)\(final.map { String($0) } ?? "")")
    }
  }

  private mutating func put(_ character: Character) {
    let width = ScreenModel.width(of: character)
    if column + width > columns {
      rows[line].isWrapped = true
      nextLine()
      column = 0
    }
    while rows[line].cells.count < column + width { rows[line].cells.append(Cell(character: " ")) }
    rows[line].cells[column] = Cell(character: character)
    if width == 2 { rows[line].cells[column + 1] = Cell(character: " ", isTail: true) }
    column += width
  }

  /// Changes the width; wrapped lines are joined and wrapped anew.
  package mutating func resize(columns: Int) {
    var lines: [(text: [Character], hasCursor: Bool)] = []
    var text: [Character] = []
    var hasCursor = false
    for (index, row) in rows.enumerated() {
      text += row.cells.filter { !$0.isTail }.map(\.character)
      hasCursor = hasCursor || index == line
      if row.isWrapped, index < rows.count - 1 { continue }
      lines.append((text, hasCursor))
      (text, hasCursor) = ([], false)
    }
    self = ScreenModel(columns: columns)
    var cursor = (line: 0, column: 0)
    for (index, entry) in lines.enumerated() {
      for character in entry.text { put(character) }
      if entry.hasCursor { cursor = (line, column) }
      if index < lines.count - 1 {
        nextLine()
        column = 0
      }
    }
    // Courier leaves the cursor at the end of what it has drawn.
    (line, column) = cursor
  }

  private static func width(of character: Character) -> Int {
    guard let value = character.unicodeScalars.first?.value else { return 0 }
    let wide: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]
    return wide.contains { $0.contains(value) } ? 2 : 1
  }
}
