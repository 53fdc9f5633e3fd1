/// A document whose pages are drawn without blocking the caller.
///
/// ```swift
/// let document = try await ThumbnailDocument.open(.path("manual.pdf"))
/// for try await thumbnail in document.thumbnails(size: .height(80)) {
///   let file = try thumbnail.result.get().file   // the bytes of a PNG file
/// }
/// ```
///
/// All calls may come from any thread. Errors of this module are ``PDFError``; a cancelled task gets
/// `CancellationError`, and what it had begun ends in the background.
public final class ThumbnailDocument: Sendable {
  private let engine: any PageEngine

  /// Wraps an engine.
  package init(engine: any PageEngine) { self.engine = engine }

  /// Opens a document and draws it on threads of this process.
  ///
  /// A document that crashes or hangs poppler takes the process with it: for documents of unknown origin
  /// choose worker processes.
  ///
  /// - Parameters:
  ///   - source: Where the bytes come from; they are read whole.
  ///   - password: The user's or the owner's password, when one is needed.
  ///   - threads: The number of pages drawn at the same time, 1 by default.
  /// - Returns: The open document.
  /// - Throws: ``PDFError``; its codes are those of ``PDFDocument/init(_:password:)``.
  public static func openInProcess(
    _ source: PDFSource, password: String? = nil, threads: Int = 1
  ) async throws -> ThumbnailDocument {
    ThumbnailDocument(
      engine: try await ThreadEngine.open(source, password: password, capacity: threads))
  }

  /// What errors call the document.
  public var name: String { engine.name }
  /// The number of pages, at least 1.
  public var pageCount: Int { engine.pageCount }
  /// The number of pages drawn at the same time.
  public var capacity: Int { engine.capacity }

  /// The size and label of pages, without drawing them.
  ///
  /// - Parameters:
  ///   - pages: The pages, counted from 0; all by default.
  ///   - withBoxes: Whether ``PageGeometry/boxes`` is filled in.
  /// - Returns: One outcome a page, in order.
  /// - Throws: ``PDFError`` when the document as a whole is lost.
  public func geometry(
    of pages: Range<Int>? = nil, withBoxes: Bool = false
  ) async throws -> [Result<PageGeometry, PDFError>] {
    try await engine.geometry(of: pages ?? 0..<pageCount, withBoxes: withBoxes)
  }

  /// The outline in reading order.
  public func outline() async throws -> [OutlineEntry] {
    try await engine.outline()
  }

  /// What the document says of itself.
  public func information() async throws -> DocumentInformation {
    try await engine.information()
  }

  /// Draws one page.
  ///
  /// - Parameters:
  ///   - page: The page, counted from 0.
  ///   - size: The size of its picture; 80 pixels high by default.
  ///   - renderer: What the picture looks like.
  /// - Returns: The picture, and what is known about it and the page.
  /// - Throws: ``PDFError`` for this page, `CancellationError`.
  public func draw(
    _ page: Int, size: ThumbnailSize = .height(80), renderer: PageRenderer = PageRenderer()
  ) async throws -> DrawnPage {
    try await engine.draw(page, size: size, renderer: renderer)
  }

  /// Draws and encodes pages, several at a time, delivered in the order asked.
  ///
  /// - Parameters:
  ///   - pages: The pages, counted from 0; all by default.
  ///   - size: The size of the pictures; 80 pixels high by default.
  ///   - renderer: What the pictures look like.
  ///   - encoder: The file format; PNG by default. With `nil` pictures are not encoded.
  /// - Returns: A sequence of one outcome a page. A page that fails does not end it.
  public func thumbnails(
    of pages: [Int]? = nil, size: ThumbnailSize = .height(80),
    renderer: PageRenderer = PageRenderer(), encoder: PictureEncoder? = PictureEncoder()
  ) -> ThumbnailSequence {
    ThumbnailSequence(
      document: self, pages: pages ?? Array(0..<pageCount), size: size, renderer: renderer,
      encoder: encoder)
  }

  /// Says which pages will be asked for, which decides what is worth preparing.
  func expect(_ pages: [Int]) { engine.expect(pages) }
}
