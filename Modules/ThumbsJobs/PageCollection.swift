internal import Dialogue
internal import PdfThumbCore
internal import TerminalPictures

/// What the pictures of a run end in together, beside or in place of files of their own.
struct PageCollection {
  private var title = ""
  private var composed: ComposedPages?
  private var web: WebPages?
  private var terminal: TerminalPages?

  init(_ request: RunRequest, store: any ResultStore, terminal: TerminalPages?) {
    composed = ComposedPages(request, store: store)
    web = request.html.map { WebPages(directory: $0, format: request.format, store: store) }
    self.terminal = terminal
  }

  /// Whether pictures go anywhere but into files of their own.
  var isWanted: Bool { composed != nil || web != nil || terminal != nil }

  /// Begins the next document.
  mutating func begin(_ title: String) {
    self.title = title
    web?.begin(title)
    terminal?.begin(title)
  }

  mutating func add(_ thumbnail: Thumbnail) throws(PDFError) {
    try web?.add(thumbnail)
    composed?.add(thumbnail)
  }

  /// Keeps the place of a page that could not be drawn.
  mutating func addMissing(_ page: Int) { web?.addMissing(page) }

  /// Shows a page in the terminal, where that is wanted.
  mutating func show(_ thumbnail: Thumbnail) throws { try terminal?.add(thumbnail) }

  /// Ends the document.
  mutating func end() throws { try terminal?.end() }

  /// Whether a page of the document at hand has its thumbnail on the web page.
  func hasThumbnail(of page: Int) -> Bool { web?.hasThumbnail(of: page) ?? false }

  /// Adds the large picture of a page whose thumbnail is there.
  mutating func addView(_ view: Thumbnail) throws(PDFError) { try web?.addView(view) }

  /// Writes what is written at the end.
  func write() throws(PDFError) {
    try web?.write()
    try composed?.write(title: title)
  }
}
