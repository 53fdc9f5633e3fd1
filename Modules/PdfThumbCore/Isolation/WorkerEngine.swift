package import SystemIO

/// What a worker process does with a document; the loop around it speaks with the parent.
///
/// All calls come from the worker's one thread, `open` first.
package protocol WorkerEngine: AnyObject {
  /// Opens the one document of this worker.
  func open(_ memory: ImmortalMemory, password: String?) throws(PDFError) -> OpenedDocument
  /// Prepares for drawing some pages and hardly any others.
  func narrow(to pages: Range<Int>)
  /// The geometry of a page, with its label.
  func geometry(of page: Int, withBoxes: Bool) throws(PDFError) -> PageGeometry
  /// The outline in reading order.
  func outline() throws(PDFError) -> [OutlineEntry]
  /// What the document says of itself.
  func information() throws(PDFError) -> DocumentInformation
  /// Draws a page into exactly the bytes given.
  func draw(
    _ page: Int, renderer: PageRenderer, size: PixelSize, into pixels: inout MutableRawSpan
  ) throws(PDFError) -> DrawingReport
  /// Makes a copy of the document that is quicker to draw from.
  ///
  /// - Parameters:
  ///   - quickly: Whether there is to be none that takes long to make.
  ///   - store: Gets its bytes and says whether there was room for them.
  /// - Returns: The number of bytes stored, 0 when there is no copy.
  func prepare(quickly: Bool, _ store: (UnsafeRawBufferPointer) -> Bool) -> Int
  /// Draws from such a copy from now on.
  func adopt(_ memory: ImmortalMemory) throws(PDFError) -> OpenedDocument
}

/// What is known of a document as soon as it is open.
package struct OpenedDocument: Sendable, Equatable {
  /// At least 1.
  package var pageCount: Int
  /// The number of objects it says it has.
  package var objectCount: Int

  package init(pageCount: Int, objectCount: Int = 0) {
    self.pageCount = pageCount
    self.objectCount = objectCount
  }
}

/// The engine of the product: poppler.
package final class PDFWorkerEngine: WorkerEngine {
  private var document: PDFDocument?

  package init() {}

  package func open(
    _ memory: ImmortalMemory, password: String?
  ) throws(PDFError) -> OpenedDocument {
    var opened = try unsafe PDFDocument(
      immortal: memory.bytes, room: memory.room, name: "document", password: password)
    let result = OpenedDocument(
      pageCount: opened.pageCount, objectCount: opened.structure.objectCount())
    document = consume opened
    return result
  }

  package func narrow(to pages: Range<Int>) {
    try? use { $0.narrow(to: pages) }
  }

  package func geometry(of page: Int, withBoxes: Bool) throws(PDFError) -> PageGeometry {
    try use { (document) throws(PDFError) in
      try document.geometry(of: page, withBoxes: withBoxes)
    }
  }

  package func outline() throws(PDFError) -> [OutlineEntry] { try use { $0.outline() } }

  package func information() throws(PDFError) -> DocumentInformation {
    try use { $0.information() }
  }

  package func draw(
    _ page: Int, renderer: PageRenderer, size: PixelSize, into pixels: inout MutableRawSpan
  ) throws(PDFError) -> DrawingReport {
    try use { (document) throws(PDFError) in
      try renderer.draw(page, of: &document, size: size, into: &pixels)
    }
  }

  package func prepare(quickly: Bool, _ store: (UnsafeRawBufferPointer) -> Bool) -> Int {
    (try? use { unsafe $0.expand(quickly: quickly, store) }) ?? 0
  }

  package func adopt(_ memory: ImmortalMemory) throws(PDFError) -> OpenedDocument {
    try use { (document) throws(PDFError) in
      try unsafe document.adopt(immortal: memory.bytes, room: memory.room)
      return OpenedDocument(pageCount: document.pageCount)
    }
  }

  private func use<Value>(
    _ body: (inout PDFDocument) throws(PDFError) -> Value
  ) throws(PDFError) -> Value {
    guard var open = document.take() else { throw .workerWithoutDocument() }
    do {
      let value = try body(&open)
      document = consume open
      return value
    } catch {
      document = consume open
      throw error
    }
  }
}
