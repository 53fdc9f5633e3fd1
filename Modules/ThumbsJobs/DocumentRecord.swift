internal import Dialogue
internal import PdfThumbCore

/// What programs are told of a document as a whole.
enum DocumentRecord {
  static func of(
    _ document: ThumbnailDocument, title: String, confinement: JSONValue
  ) async throws -> JSONValue {
    let about = try await document.information()
    let outline = try await document.outline()
    let pages = try await document.geometry(withBoxes: true)
    let numbered = pages.enumerated().map { index, page in Self.page(index, page) }
    return .object([
      .init("document", .string(title)), .init("pages", .init(document.pageCount)),
      .init("title", .init(about.title)), .init("author", .init(about.author)),
      .init("version", .init(about.version)), .init("encrypted", .bool(about.isEncrypted)),
      .init("linearized", .bool(about.isLinearized)), .init("repaired", .bool(about.isRepaired)),
      .init("missingFonts", .array(about.missingFonts.map { .string($0) })),
      .init("outline", .array(outline.map(Self.entry))), .init("geometry", .array(numbered)),
      .init("confinement", confinement),
    ])
  }

  private static func entry(_ entry: OutlineEntry) -> JSONValue {
    .object([
      .init("title", .string(entry.title)), .init("level", .init(entry.level)),
      .init("page", entry.page.map { .init($0 + 1) } ?? .null),
    ])
  }

  private static func page(_ index: Int, _ page: Result<PageGeometry, PDFError>) -> JSONValue {
    switch page {
    case .failure(let error):
      return .object([
        .init("page", .init(index + 1)), .init("error", .string(error.code.description)),
      ])
    case .success(let page):
      var fields: [JSONValue.Field] = [
        .init("page", .init(index + 1)), .init("label", .string(page.label)),
        .init("width", .double(page.width)), .init("height", .double(page.height)),
      ]
      if let boxes = page.boxes {
        fields += [
          .init("rotation", .init(boxes.rotation)), .init("unit", .double(boxes.userUnit)),
          .init("media", box(boxes.media)), .init("crop", box(boxes.crop)),
          .init("trim", box(boxes.trim)),
        ]
      }
      return .object(fields)
    }
  }

  private static func box(_ box: PDFRectangle) -> JSONValue {
    .array([.double(box.left), .double(box.bottom), .double(box.right), .double(box.top)])
  }
}
