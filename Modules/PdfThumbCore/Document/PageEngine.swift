/// Draws the pages of one document for callers that must not block.
///
/// One engine runs poppler on threads of this process, another in worker processes. Calls may come from any
/// thread, several at a time; more than ``capacity`` of them wait for their turn in the order they came.
package protocol PageEngine: Sendable {
  /// What errors call the document.
  var name: String { get }
  /// The number of pages, at least 1.
  var pageCount: Int { get }
  /// The number of pages drawn at the same time.
  var capacity: Int { get }
  /// The geometry of pages; each with its own outcome.
  func geometry(
    of pages: Range<Int>, withBoxes: Bool
  ) async throws -> [Result<PageGeometry, PDFError>]
  /// The outline in reading order.
  func outline() async throws -> [OutlineEntry]
  /// What the document says of itself.
  func information() async throws -> DocumentInformation
  /// Says which pages will be asked for, which decides what is worth preparing.
  func expect(_ pages: [Int])
  /// Draws one page.
  func draw(_ page: Int, size: ThumbnailSize, renderer: PageRenderer) async throws -> DrawnPage
}

extension PageEngine {
  package func expect(_ pages: [Int]) {}
}

/// A page's picture and what is known about both.
public struct DrawnPage: Sendable {
  /// The picture.
  public var picture: Picture
  /// What is known about the picture.
  public var report: DrawingReport
  /// The page.
  public var page: PageGeometry

  /// Creates a drawn page.
  public init(picture: Picture, report: DrawingReport, page: PageGeometry) {
    self.picture = picture
    self.report = report
    self.page = page
  }
}
