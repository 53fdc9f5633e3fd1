/// How a terminal shows pictures.
package enum TerminalMethod: String, Sendable {
  /// The protocol of kitty.
  case kitty
  /// The protocol of iTerm2.
  case iterm2
  /// DEC's sixels.
  case sixel
  /// Block letters in colours.
  case symbols
}

/// The size of one letter's place in pixels.
package struct TerminalCell: Sendable, Equatable {
  /// The width, at least 1.
  package var width: Int
  /// The height, at least 1.
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }

  /// What is taken for granted of a terminal that does not tell.
  static let usual = TerminalCell(width: 10, height: 20)
  /// A cell of block letters stands for so many pixels, however large it is.
  static let blocks = TerminalCell(width: 3, height: 6)
}

/// Everything that decides how a picture is shown.
package struct TerminalLook: Sendable, Equatable {
  /// How pixels are sent.
  package var method: TerminalMethod
  /// Columns of the window.
  package var columns: Int
  /// The pixels of a cell.
  package var cell: TerminalCell
  /// Whether block letters have colours.
  package var hasColor: Bool
  /// Whether block letters may be more than ASCII.
  package var isUnicode: Bool

  /// The cells that pictures are put together from.
  ///
  /// Sixels come in rows of six pixels; chafa would scale a picture to the next lower number of them.
  var drawnCell: TerminalCell {
    method == .sixel ? TerminalCell(width: cell.width, height: 6) : cell
  }
}
