/// Poppler in worker processes: whatever a document does to it, this process goes on.
///
/// The document closes with the last reference to the engine.
final class ProcessEngine: PageEngine {
  let pageCount: Int
  let capacity: Int
  private let pool: WorkerPool
  private let file: DocumentFile

  var name: String { file.name }

  init(_ pool: WorkerPool, _ file: DocumentFile, _ opened: OpenedDocument) {
    self.pool = pool
    self.file = file
    pageCount = opened.pageCount
    capacity = pool.settings.workers
  }

  deinit { close() }

  func close() { pool.board.remove(file) }

  func expect(_ pages: [Int]) { file.expect(pages, of: pageCount) }

  func draw(_ page: Int, size: ThumbnailSize, renderer: PageRenderer) async throws -> DrawnPage {
    try check(page)
    let order = DrawOrder(page: page, size: size, renderer: renderer, few: file.few(with: page))
    guard case .drawn(let drawn) = try await pool.run(.draw(order), file) else {
      throw PDFError.closed()
    }
    return drawn
  }

  func geometry(
    of pages: Range<Int>, withBoxes: Bool
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

  func outline() async throws -> [OutlineEntry] {
    guard case .outline(let entries) = try await pool.run(.outline, file) else {
      throw PDFError.closed()
    }
    return entries
  }

  func information() async throws -> DocumentInformation {
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

extension ThumbnailDocument {
  /// Opens a document with worker processes of its own.
  ///
  /// The program calls ``ThumbnailWorker/runIfRequested()`` first in its `main`, or names another
  /// that does.
  ///
  /// - Parameters:
  ///   - source: Where the bytes come from; a file is read by the workers as it is needed.
  ///   - password: The user's or the owner's password, when one is needed.
  ///   - settings: The workers and their limits.
  /// - Returns: The open document.
  /// - Throws: ``PDFError``, `CancellationError`.
  public static func open(
    _ source: PDFSource, password: String? = nil, settings: IsolationSettings = IsolationSettings()
  ) async throws -> ThumbnailDocument {
    try await WorkerPool(settings).open(source, password: password)
  }
}
