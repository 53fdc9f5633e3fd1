import CommandLineSupport
import Dialogue
import PdfThumbCore
import SystemIO

/// The pictures of a run that end together in one result: a sheet, a strip with an index, a web page.
struct PageCollection {
  let settings: ThumbsSettings
  private var title = ""
  private var thumbnails: [Thumbnail] = []
  private var web: WebPages?
  private var terminal: TerminalPages?

  init(settings: ThumbsSettings, context: CommandContext) throws {
    self.settings = settings
    web = settings.html.map { WebPages(directory: $0) }
    if settings.isTerminal {
      terminal = try TerminalPages(context, namesDocuments: settings.files.count > 1)
    }
  }

  var isWanted: Bool { isComposed || web != nil || terminal != nil }

  private var isComposed: Bool { settings.sheet != nil || settings.sprite != nil }

  /// Begins the next document.
  mutating func begin(_ title: String) {
    self.title = title
    web?.begin(title)
    terminal?.begin(title)
  }

  /// Shows a page in the terminal, where that is wanted.
  mutating func show(_ thumbnail: Thumbnail) throws { try terminal?.add(thumbnail) }

  /// Ends the document.
  mutating func end() throws { try terminal?.end() }

  mutating func add(_ thumbnail: Thumbnail) throws(PDFError) {
    try web?.add(thumbnail, format: settings.format)
    guard isComposed else { return }
    var kept = thumbnail
    kept.file = []
    thumbnails.append(kept)
  }

  /// Keeps the place of a page that could not be drawn.
  mutating func addMissing(_ page: Int) { web?.addMissing(page) }

  /// Whether a page of the document at hand has its thumbnail on the web page.
  func hasThumbnail(of page: Int) -> Bool { web?.hasThumbnail(of: page) ?? false }

  /// Adds the large picture of a page whose thumbnail is there.
  mutating func addView(_ view: Thumbnail) throws(PDFError) { try web?.addView(view) }

  func write() throws(PDFError) {
    try web?.write()
    guard !thumbnails.isEmpty else { return }
    if let path = settings.sheet {
      let sheet = ContactSheet(columns: settings.columns, count: thumbnails.count)
      let composed = try sheet.compose(thumbnails.map(\.picture))
      try ResultFile.write(try encoder(for: path).encode(composed.sheet), to: path)
    }
    if let path = settings.sprite {
      let strip = ContactSheet(
        columns: thumbnails.count, count: thumbnails.count, margin: 0, ground: .white)
      let composed = try strip.compose(thumbnails.map(\.picture))
      try ResultFile.write(try encoder(for: path).encode(composed.sheet), to: path)
      let index = index(composed.places, sheet: composed.sheet.size, path: path)
      try ResultFile.write(Array((index.text + "\n").utf8), to: path + ".json")
    }
  }

  private func encoder(for path: String) -> PictureEncoder {
    let format: PictureFormat =
      switch Path.split(name: Path.name(of: path)).pathExtension.lowercased() {
      case "jpg", "jpeg": .jpeg
      case "webp": .webp
      case "png": .png
      default: settings.format
      }
    return PictureEncoder(format: format, quality: settings.quality)
  }

  private func index(
    _ places: [ContactSheet.Place], sheet: PixelSize, path: String
  ) -> JSONValue {
    let pages = zip(thumbnails, places).map { thumbnail, place -> JSONValue in
      .object([
        .init("page", .init(thumbnail.page.index + 1)),
        .init("label", .string(thumbnail.page.label)),
        .init("x", .init(place.x)), .init("y", .init(place.y)),
        .init("w", .init(place.size.width)), .init("h", .init(place.size.height)),
        .init("points", .array([.double(thumbnail.page.width), .double(thumbnail.page.height)])),
      ])
    }
    return .object([
      .init("document", .string(title)), .init("image", .string(Path.name(of: path))),
      .init("width", .init(sheet.width)), .init("height", .init(sheet.height)),
      .init("pages", .array(pages)),
    ])
  }
}
