internal import SystemIO

extension TerminalPainter {
  /// Looks at the terminal behind standard output; a pipe counts as one of 80 columns.
  ///
  /// - Parameters:
  ///   - hasColor: Whether block letters have colours.
  ///   - isUnicode: Whether the locale has letters beyond ASCII.
  package init?(standardOutputHasColor hasColor: Bool, isUnicode: Bool) {
    let size = Terminal.size(of: 1)
    var cell: TerminalCell?
    if let size, let pixels = Terminal.pixels(of: 1) {
      cell = TerminalCell(width: pixels.width / size.columns, height: pixels.height / size.rows)
    }
    var environment: [String: String] = [:]
    for name in Self.variables { environment[name] = Environment[name] }
    self.init(
      environment: environment, columns: size?.columns ?? 80, cell: cell, hasColor: hasColor,
      isUnicode: isUnicode)
  }
}
