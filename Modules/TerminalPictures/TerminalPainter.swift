package import PdfThumbCore

/// Shows pictures of pages in a terminal, as many beside each other as fit.
///
/// What the terminal understands is known by its environment, never asked: an answer could come late and
/// be taken for what somebody typed. A multiplexer between the terminal and this program shows block
/// letters, whatever the terminal outside could do.
package struct TerminalPainter: Sendable {
  /// The variables by which terminals are known.
  package static let variables = [
    "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_NAME", "VTE_VERSION", "KITTY_PID", "KITTY_WINDOW_ID",
    "LC_TERMINAL", "MLTERM", "NVIM_TUI_ENABLE_TRUE_COLOR", "CTX_BACKEND", "TMUX", "STY",
  ]

  /// How pictures are shown.
  package let look: TerminalLook
  private let terminal: ChafaTerminal
  private var row = PageRow()

  /// Looks at what the terminal is.
  ///
  /// - Parameters:
  ///   - environment: The values of ``variables`` that are set.
  ///   - columns: The columns of the window.
  ///   - cell: The pixels of a cell, where the terminal tells.
  ///   - hasColor: Whether block letters have colours.
  ///   - isUnicode: Whether the locale has letters beyond ASCII.
  package init?(
    environment: [String: String], columns: Int, cell: TerminalCell?, hasColor: Bool,
    isUnicode: Bool
  ) {
    let term = environment["TERM"] ?? ""
    let isNested =
      environment["TMUX"] != nil || environment["STY"] != nil || term.hasPrefix("screen")
      || term.hasPrefix("tmux")
    var known = environment
    if isNested {
      for name in ["KITTY_PID", "KITTY_WINDOW_ID", "TERM_PROGRAM", "LC_TERMINAL", "MLTERM"] {
        known[name] = nil
      }
    }
    guard let terminal = ChafaTerminal(environment: known) else { return nil }
    self.terminal = terminal
    let method = isNested ? .symbols : terminal.method
    look = TerminalLook(
      method: method, columns: max(1, columns), cell: method == .symbols ? .blocks : cell ?? .usual,
      hasColor: hasColor, isUnicode: isUnicode)
  }

  /// Adds a page's picture.
  ///
  /// - Parameters:
  ///   - picture: The picture; one wider than the window is cut.
  ///   - caption: What stands below; letters beyond ASCII are left out.
  /// - Returns: The bytes of the row before, where the picture did not fit into it.
  package mutating func add(_ picture: Picture, caption: String) -> [UInt8] {
    let place = row.place(picture, in: look)
    let finished = place == nil ? finish() : []
    row.append(picture, caption: caption, at: place ?? 0, in: look)
    return finished
  }

  /// Ends the row.
  ///
  /// - Returns: The bytes that show it, captions and the end of the line included.
  package mutating func finish() -> [UInt8] {
    defer { row = PageRow() }
    guard row.columns > 0 else { return [] }
    let cell = look.drawnCell
    let pixels = row.pixels(cell: cell)
    let shown = terminal.show(
      pixels, columns: row.columns, rows: row.rows(of: cell), cell: cell, look: look)
    return (shown ?? []) + Array("\n\(row.captions)\n".utf8)
  }
}
