/// Poppler in worker processes.
struct IsolatedEngine: PageEngine {
  let document: IsolatedDocument
  let capacity: Int

  var name: String { document.name }
  var pageCount: Int { document.pageCount }

  func geometry(
    of pages: Range<Int>, withBoxes: Bool
  ) async throws -> [Result<PageGeometry, PDFError>] {
    try await document.geometries(of: pages, withBoxes: withBoxes)
  }

  func outline() async throws -> [OutlineEntry] { try await document.outline() }

  func information() async throws -> DocumentInformation { try await document.information() }

  func draw(_ page: Int, size: ThumbnailSize, renderer: PageRenderer) async throws -> DrawnPage {
    let drawn = try await document.draw(page, size: size, renderer: renderer)
    return DrawnPage(picture: drawn.picture, report: drawn.report, page: drawn.geometry)
  }
}

extension ThumbnailDocument {
  /// Opens a document and draws it in worker processes, which a document can neither leave nor hang.
  ///
  /// The program's `main` calls ``ThumbnailWorker/runIfRequested()`` first, or `settings` name a program that
  /// does.
  ///
  /// - Parameters:
  ///   - source: Where the bytes come from.
  ///   - password: The user's or the owner's password, when one is needed.
  ///   - settings: The workers and what a page may cost.
  /// - Returns: The open document.
  /// - Throws: ``PDFError``, also ``PDFError/Code/isolationUnavailable``; `CancellationError`.
  public static func open(
    _ source: PDFSource, password: String? = nil, settings: IsolationSettings = IsolationSettings()
  ) async throws -> ThumbnailDocument {
    let document = try await IsolatedDocument.open(source, password: password, settings: settings)
    return ThumbnailDocument(
      engine: IsolatedEngine(document: document, capacity: settings.workers))
  }
}
