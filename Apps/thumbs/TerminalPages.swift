import CommandLineSupport
import PdfThumbCore
import SystemIO
import TerminalPictures

/// The pages of `--terminal`: shown in rows as they are drawn.
struct TerminalPages {
  private let console: Console
  private var painter: TerminalPainter
  private let namesDocuments: Bool

  /// Looks at the terminal behind standard output; a pipe counts as one of 80 columns.
  init(_ context: CommandContext, namesDocuments: Bool) throws {
    let console = context.console
    let size = Terminal.size(of: 1)
    var cell: TerminalCell?
    if let size, let pixels = Terminal.pixels(of: 1) {
      cell = TerminalCell(width: pixels.width / size.columns, height: pixels.height / size.rows)
    }
    var environment: [String: String] = [:]
    for name in TerminalPainter.variables { environment[name] = Environment[name] }
    guard
      let painter = TerminalPainter(
        environment: environment, columns: size?.columns ?? 80, cell: cell,
        hasColor: console.outputHasColor, isUnicode: CommandContext.hasUnicodeLocale)
    else {
      throw CommandFailure("--terminal", "expected what is known of terminals, found nothing")
    }
    self.painter = painter
    self.console = console
    self.namesDocuments = namesDocuments
  }

  func begin(_ title: String) {
    if namesDocuments { console.print("\(title)") }
  }

  mutating func add(_ thumbnail: Thumbnail) throws {
    let number = "\(thumbnail.page.index + 1)"
    let label = thumbnail.page.label
    try console.write(
      painter.add(thumbnail.picture, caption: label == number ? number : "\(number) \(label)"))
  }

  mutating func end() throws { try console.write(painter.finish()) }
}
