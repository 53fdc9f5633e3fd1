internal import Dialogue
internal import PdfThumbCore
internal import SystemIO

/// All pages of a run in one picture: a sheet, or a strip with an index.
struct ComposedPages {
  private let request: RunRequest
  private let store: any ResultStore
  private var thumbnails: [Thumbnail] = []

  /// Keeps nothing where neither is asked for.
  init?(_ request: RunRequest, store: any ResultStore) {
    guard request.sheet != nil || request.sprite != nil else { return nil }
    self.request = request
    self.store = store
  }

  mutating func add(_ thumbnail: Thumbnail) {
    var kept = thumbnail
    kept.file = []
    thumbnails.append(kept)
  }

  /// Writes the pictures; `title` is the last document's.
  func write(title: String) throws(PDFError) {
    guard !thumbnails.isEmpty else { return }
    if let path = request.sheet {
      let sheet = ContactSheet(columns: request.columns, count: thumbnails.count)
      let composed = try sheet.compose(thumbnails.map(\.picture))
      try store.write(try encoder(for: path).encode(composed.sheet), to: path)
    }
    if let path = request.sprite {
      let strip = ContactSheet(
        columns: thumbnails.count, count: thumbnails.count, margin: 0, ground: .white)
      let composed = try strip.compose(thumbnails.map(\.picture))
      try store.write(try encoder(for: path).encode(composed.sheet), to: path)
      let index = index(composed.places, sheet: composed.sheet.size, path: path, title: title)
      try store.write(Array((index.text + "\n").utf8), to: path + ".json")
    }
  }

  private func encoder(for path: String) -> PictureEncoder {
    let format: PictureFormat =
      switch Path.split(name: Path.name(of: path)).pathExtension.lowercased() {
      case "jpg", "jpeg": .jpeg
      case "webp": .webp
      case "png": .png
      default: request.format
      }
    return PictureEncoder(format: format, quality: request.quality)
  }

  private func index(
    _ places: [ContactSheet.Place], sheet: PixelSize, path: String, title: String
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
