/// An open document whose pages are drawn by a pool's workers.
///
/// All members may be used from any thread, many at a time. The document closes with its last
/// reference.
public final class IsolatedDocument: Sendable {
  /// What errors call the document.
  public var name: String { file.name }
  /// The number of pages, at least 1.
  public let pageCount: Int

  private let pool: WorkerPool
  private let file: DocumentFile

  init(_ pool: WorkerPool, _ file: DocumentFile, _ opened: OpenedDocument) {
    self.pool = pool
    self.file = file
    pageCount = opened.pageCount
  }

  deinit { close() }

  /// Opens a document with workers of its own.
  ///
  /// - Parameters:
  ///   - source: Where the bytes come from.
  ///   - password: The user's or the owner's password, when one is needed.
  ///   - settings: The workers and their limits.
  /// - Returns: The open document.
  /// - Throws: ``PDFError``, `CancellationError`.
  public static func open(
    _ source: PDFSource, password: String? = nil, settings: IsolationSettings = IsolationSettings()
  ) async throws -> IsolatedDocument {
    try await WorkerPool(settings).open(source, password: password)
  }

  /// Lets go of the workers; whoever waits for a page gets an error.
  public func close() { pool.board.remove(file) }

  /// Draws one page.
  ///
  /// - Parameters:
  ///   - page: The page, counted from 0.
  ///   - size: How large.
  ///   - renderer: What the picture looks like.
  /// - Returns: The picture and what is known about it.
  /// - Throws: ``PDFError`` that names the page; `CancellationError`.
  public func draw(
    _ page: Int, size: ThumbnailSize, renderer: PageRenderer = PageRenderer()
  ) async throws -> IsolatedPage {
    try await draw(page, size: size, renderer: renderer) { $0 }
  }

  /// Draws one page and makes something of it, such as an encoded picture.
  ///
  /// - Parameters:
  ///   - page: The page, counted from 0.
  ///   - size: How large.
  ///   - renderer: What the picture looks like.
  ///   - then: Runs on the worker's thread in this process, while the worker draws the next page.
  /// - Returns: What `then` returned.
  /// - Throws: ``PDFError`` that names the page; what `then` throws; `CancellationError`.
  public func draw<Value: Sendable>(
    _ page: Int, size: ThumbnailSize, renderer: PageRenderer = PageRenderer(),
    then: @escaping @Sendable (IsolatedPage) throws -> Value
  ) async throws -> Value {
    try check(page)
    let order = DrawOrder(page: page, size: size, renderer: renderer)
    return try await pool.run(.draw(order), file) { answer in
      guard case .drawn(let drawn) = answer else { throw PDFError.closed() }
      return try then(drawn)
    }
  }

  /// The geometry and labels of pages, without drawing them; about 0.1 ms a page.
  ///
  /// - Parameters:
  ///   - pages: Pages, counted from 0; those outside the document are left out.
  ///   - withBoxes: Whether ``PageGeometry/boxes`` is filled in.
  /// - Returns: For each page its geometry, or why there is none.
  /// - Throws: ``PDFError`` when the worker is lost; `CancellationError`.
  public func geometries(
    of pages: Range<Int>, withBoxes: Bool = false
  ) async throws -> [Result<PageGeometry, PDFError>] {
    let pages = pages.clamped(to: 0..<pageCount)
    var found: [Result<PageGeometry, PDFError>] = []
    while found.count < pages.count {
      let first = pages.lowerBound + found.count
      let count = min(pages.count - found.count, 1000)
      let order = WorkJob.Order.describe(first: first, count: count, withBoxes: withBoxes)
      guard case .described(let some) = try await pool.run(order, file), !some.isEmpty else {
        throw PDFError.closed()
      }
      found += some
    }
    return found
  }

  /// The outline in reading order, at most 10,000 entries.
  ///
  /// - Throws: ``PDFError`` when the worker is lost; `CancellationError`.
  public func outline() async throws -> [OutlineEntry] {
    guard case .outline(let entries) = try await pool.run(.outline, file) else {
      throw PDFError.closed()
    }
    return entries
  }

  /// What the document says of itself.
  ///
  /// - Throws: ``PDFError`` when the worker is lost; `CancellationError`.
  public func information() async throws -> DocumentInformation {
    guard case .information(let information) = try await pool.run(.information, file) else {
      throw PDFError.closed()
    }
    return information
  }

  private func check(_ page: Int) throws(PDFError) {
    guard (0..<pageCount).contains(page) else {
      throw PDFError.pageOutOfRange(page, count: pageCount).about(name)
    }
  }
}
