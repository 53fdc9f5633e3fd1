internal import PdfThumbCore

/// Pictures beside each other, each beginning at a cell of its own.
struct PageRow {
  private struct Entry {
    var picture: Picture
    var caption: String
    var column: Int
    var columns: Int
  }

  private var entries: [Entry] = []
  /// The width in cells.
  private(set) var columns = 0
  /// The height in pixels.
  private(set) var height = 0

  /// Cells between two pictures.
  private static let gap = 2

  /// The column at which a picture fits into the row, or `nil` where it does not.
  func place(_ picture: Picture, in look: TerminalLook) -> Int? {
    guard !entries.isEmpty else { return 0 }
    let column = columns + Self.gap
    return column + Self.cells(picture.size.width, look.cell.width) <= look.columns ? column : nil
  }

  mutating func append(_ picture: Picture, caption: String, at column: Int, in look: TerminalLook) {
    let width = min(Self.cells(picture.size.width, look.cell.width), look.columns)
    entries.append(Entry(picture: picture, caption: caption, column: column, columns: width))
    columns = column + width
    height = max(height, picture.size.height)
  }

  /// The height in cells.
  func rows(of cell: TerminalCell) -> Int { Self.cells(height, cell.height) }

  /// The pictures on transparent ground, as red, green, blue and alpha, in ``columns`` by ``rows(of:)`` cells.
  func pixels(cell: TerminalCell) -> [UInt8] {
    let rows = rows(of: cell)
    let (width, height) = (columns * cell.width, rows * cell.height)
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    for entry in entries {
      let (picture, step) = (entry.picture, entry.picture.format.bytesPerPixel)
      let shown = min(picture.size.width, entry.columns * cell.width)
      for y in 0..<min(picture.size.height, height) {
        var source = y * picture.size.width * step
        var target = (y * width + entry.column * cell.width) * 4
        for _ in 0..<shown {
          for part in 0..<3 {
            pixels[target + part] = picture.pixels[source + (step == 1 ? 0 : part)]
          }
          pixels[target + 3] = step == 4 ? picture.pixels[source + 3] : 255
          source += step
          target += 4
        }
      }
    }
    return pixels
  }

  /// The captions below their pictures, in one line of ASCII.
  var captions: String {
    var line = ""
    for entry in entries {
      let letters = entry.caption.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }
      let caption = String(String.UnicodeScalarView(letters)).prefix(entry.columns)
      line += String(repeating: " ", count: max(0, entry.column - line.utf8.count)) + caption
    }
    return line
  }

  private static func cells(_ pixels: Int, _ size: Int) -> Int { (pixels + size - 1) / size }
}
