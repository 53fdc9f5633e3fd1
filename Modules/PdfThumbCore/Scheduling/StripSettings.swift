/// How a strip draws and how much it keeps.
public struct StripSettings: Sendable {
  /// The size of pictures across the strip, in pixels; 80 by default.
  public var across: Int
  /// The direction of the strip; horizontal by default.
  public var axis: StripLayout.Axis
  /// The distance between pages in pixels; 10 by default.
  public var spacing: Int
  /// What pictures look like.
  public var renderer: PageRenderer
  /// The file format in which pictures are kept and handed out.
  public var encoder: PictureEncoder
  /// Bytes of pictures kept; 32 MiB by default.
  public var budget: UInt64
  /// Movements within this time become one; 100 ms by default.
  public var coalescing: Duration
  /// Bytes of free memory below which only what is shown is kept; 50 MB by default.
  public var memoryThreshold: UInt64

  /// Whether thumbnails that the document carries are shown until pages are drawn; not by default.
  public var showsEmbedded: Bool

  /// Creates settings.
  public init(
    across: Int = 80, axis: StripLayout.Axis = .horizontal, spacing: Int = 10,
    renderer: PageRenderer = PageRenderer(), encoder: PictureEncoder = PictureEncoder(),
    budget: UInt64 = 32 << 20, coalescing: Duration = .milliseconds(100),
    memoryThreshold: UInt64 = 50_000_000, showsEmbedded: Bool = false
  ) {
    self.across = max(1, across)
    self.axis = axis
    self.spacing = max(0, spacing)
    self.renderer = renderer
    self.encoder = encoder
    self.budget = budget
    self.coalescing = coalescing
    self.memoryThreshold = memoryThreshold
    self.showsEmbedded = showsEmbedded
  }

  /// The size of one picture.
  var size: ThumbnailSize { axis == .horizontal ? .height(across) : .width(across) }
}

/// A page's picture in a strip.
public struct StripPicture: Sendable, Equatable {
  /// The page, counted from 0.
  public var page: Int
  /// How good the picture is.
  public var stage: ThumbnailStage
  /// The size in pixels.
  public var size: PixelSize
  /// The bytes of a picture file.
  public var file: [UInt8]

  /// Creates a picture.
  public init(page: Int, stage: ThumbnailStage, size: PixelSize, file: [UInt8]) {
    self.page = page
    self.stage = stage
    self.size = size
    self.file = file
  }
}

/// What happens in a strip.
public enum StripEvent: Sendable {
  /// Pages were measured: placeholders have other places and sizes.
  case layout(StripLayout)
  /// A picture is there.
  case picture(StripPicture)
  /// A page has no picture, and why.
  case failure(page: Int, PDFError)
  /// The pictures of these pages were let go of; they come again when they are near.
  case discarded([Int])
  /// Memory has become short, or is plentiful again.
  case memory(isLow: Bool)
}

/// Where a strip gets its pages from.
package protocol StripSource: Sendable {
  var pageCount: Int { get }
  /// The pages drawn at the same time.
  var capacity: Int { get }
  func geometry(of pages: Range<Int>) async throws -> [Result<PageGeometry, PDFError>]
  /// A picture, or `nil` where there is none of that stage.
  func picture(_ page: Int, stage: ThumbnailStage) async throws -> StripPicture?
}

/// A document as the source of a strip.
struct DocumentStripSource: StripSource {
  let document: ThumbnailDocument
  let settings: StripSettings

  var pageCount: Int { document.pageCount }
  var capacity: Int { document.capacity }

  func geometry(of pages: Range<Int>) async throws -> [Result<PageGeometry, PDFError>] {
    try await document.geometry(of: pages)
  }

  func picture(_ page: Int, stage: ThumbnailStage) async throws -> StripPicture? {
    var renderer = settings.renderer
    renderer.settings.embedded = stage == .embedded ? .required : .unused
    let drawn: DrawnPage
    do {
      drawn = try await document.draw(page, size: settings.size, renderer: renderer)
    } catch let error as PDFError where error.code == .noThumbnail {
      return nil
    }
    return StripPicture(
      page: page, stage: stage, size: drawn.picture.size,
      file: try settings.encoder.encode(drawn.picture))
  }
}
