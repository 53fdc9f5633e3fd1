/// A colour of three 8-bit parts.
public struct RGBColor: Sendable, Hashable {
  /// The red part.
  public var red: UInt8
  /// The green part.
  public var green: UInt8
  /// The blue part.
  public var blue: UInt8

  /// Creates a colour.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// White, the colour of paper.
  public static let white = RGBColor(red: 255, green: 255, blue: 255)
}

/// What lies under a page.
public enum PageGround: Sendable, Hashable {
  /// A colour; the picture has no transparent part.
  case color(RGBColor)
  /// Nothing; the picture has an alpha channel.
  case none
}

/// How a drawn page's pixels stand in memory, rows from the top, without gaps between them.
public enum PixelFormat: UInt8, Sendable, Hashable {
  /// Three bytes: red, green, blue.
  case rgb = 3
  /// Four bytes: red, green, blue, and alpha that is not premultiplied.
  case rgba = 4
  /// One byte of luminance.
  case gray = 1

  /// The number of bytes a pixel takes.
  public var bytesPerPixel: Int { Int(rawValue) }

  /// The number of bytes a picture of that size takes.
  public func byteCount(_ size: PixelSize) -> Int {
    let (row, tooWide) = size.width.multipliedReportingOverflow(by: bytesPerPixel)
    let (all, tooMany) = row.multipliedReportingOverflow(by: size.height)
    return tooWide || tooMany ? .max : all
  }
}

/// Which of a page's boxes is drawn.
public enum PageBox: String, Sendable, Hashable, CaseIterable {
  /// What a viewer shows.
  case crop
  /// The whole sheet.
  case media
  /// The finished page after trimming.
  case trim
}

/// Everything that decides what a page's picture looks like, apart from its size.
public struct RenderSettings: Sendable, Hashable {
  /// What lies under the page; white by default.
  public var ground: PageGround
  /// Whether the picture has luminance only; not by default.
  ///
  /// With no ground it keeps its colours.
  public var isGray: Bool
  /// Whether annotations are drawn, true by default; form fields always are.
  public var drawsAnnotations: Bool
  /// The box drawn; the crop box by default.
  public var box: PageBox
  /// A turn beyond the page's own, clockwise in degrees: 0 (the default), 90, 180 or 270.
  public var rotation: Int
  /// Whether pages that are images and nothing else are put together from those, decoded at a reduced size; true by
  /// default.
  ///
  /// That is many times quicker than drawing them, and differs from it by less than 2.5 of 255 on average.
  public var takesShortcuts: Bool
  /// Whether the thumbnail that a page carries may stand for its picture; not by default.
  public var embedded: EmbeddedThumbnails

  /// Creates settings.
  public init(
    ground: PageGround = .color(.white), isGray: Bool = false, drawsAnnotations: Bool = true,
    box: PageBox = .crop, rotation: Int = 0, takesShortcuts: Bool = true,
    embedded: EmbeddedThumbnails = .unused
  ) {
    self.ground = ground
    self.isGray = isGray
    self.drawsAnnotations = drawsAnnotations
    self.box = box
    self.rotation = rotation
    self.takesShortcuts = takesShortcuts
    self.embedded = embedded
  }

  /// The format of the pixels that drawing yields.
  public var format: PixelFormat {
    if ground == .none { .rgba } else if isGray { .gray } else { .rgb }
  }

  /// Whether the extra turn exchanges width and height.
  var swapsSides: Bool { rotation % 180 != 0 }
}

/// Where a picture's pixels came from.
public enum PictureSource: UInt8, Sendable, Hashable {
  /// The page was drawn.
  case render
  /// The page is one image, which was decoded at a reduced size.
  case scan
  /// The document carried the picture.
  case embedded
  /// The picture was made before.
  case cache
}

/// What is known about a picture after drawing it.
public struct DrawingReport: Sendable, Hashable {
  /// Where the pixels came from.
  public var source: PictureSource
  /// Whether every pixel has the ground's colour (or is transparent).
  public var isBlank: Bool
  /// The number of flaws poppler reported while drawing.
  public var flaws: Int
  /// Whether text may be missing: a font is neither in the document nor on this machine.
  public var lacksFonts: Bool
  /// Whether the document's table of objects had to be rebuilt, so that parts may be missing.
  public var isRepaired: Bool

  /// Creates a report.
  public init(
    source: PictureSource = .render, isBlank: Bool = false, flaws: Int = 0,
    lacksFonts: Bool = false, isRepaired: Bool = false
  ) {
    self.source = source
    self.isBlank = isBlank
    self.flaws = flaws
    self.lacksFonts = lacksFonts
    self.isRepaired = isRepaired
  }
}

/// Draws pages into memory the caller owns.
///
/// Pages are drawn several times larger than asked for and averaged down: at 80 pixels of height that is the
/// difference between text and blots, and between hairlines and bars.
public struct PageRenderer: Sendable {
  /// What the picture looks like.
  public var settings: RenderSettings
  /// The greatest number of pixels of one picture; 64 million by default.
  public var greatestPixelCount: UInt64

  /// Creates a renderer.
  public init(settings: RenderSettings = RenderSettings(), greatestPixelCount: UInt64 = 64_000_000)
  {
    self.settings = settings
    self.greatestPixelCount = greatestPixelCount
  }

  /// The size in pixels that a page's picture has.
  ///
  /// - Throws: ``PDFError/Code/pageTooLarge`` when that is beyond ``greatestPixelCount`` or 32,767 pixels a side.
  public func pixelSize(of page: PageGeometry, size: ThumbnailSize) throws(PDFError) -> PixelSize {
    let shown = page.shownSize(settings.box)
    let (width, height) =
      settings.swapsSides ? (shown.height, shown.width) : (shown.width, shown.height)
    let pixels = size.pixels(pageWidth: width, pageHeight: height)
    try check(pixels, page: page.index)
    return pixels
  }

  /// Draws one page; blocks, so call it on a thread of your own or in a worker process.
  ///
  /// - Parameters:
  ///   - page: The page, counted from 0.
  ///   - document: The document; nothing else uses it meanwhile.
  ///   - size: The size of the picture; the page is stretched to it.
  ///   - pixels: Receives the rows, from the top, in ``RenderSettings/format``; at least as long as the format's
  ///     byte count for the size. May be shared memory.
  /// - Returns: What is known about the picture.
  /// - Throws: ``PDFError`` with ``PDFError/Code/pageOutOfRange``, ``PDFError/Code/pageMissing``,
  ///   ``PDFError/Code/pageTooLarge``, ``PDFError/Code/outOfMemory`` or ``PDFError/Code/renderFailed``.
  public func draw(
    _ page: Int, of document: inout PDFDocument, size: PixelSize, into pixels: inout MutableRawSpan
  ) throws(PDFError) -> DrawingReport {
    try check(size, page: page)
    precondition(
      pixels.byteCount >= settings.format.byteCount(size), "the buffer is too small for the picture"
    )
    return try document.draw(page, renderer: self, size: size, into: &pixels)
  }

  func check(_ size: PixelSize, page: Int) throws(PDFError) {
    guard size.pixelCount <= greatestPixelCount, max(size.width, size.height) <= 32_767 else {
      throw .pageTooLarge(page, pixels: size.pixelCount, limit: greatestPixelCount)
    }
  }

  /// How many times larger a picture of that height is drawn, where there is room.
  static func supersampling(height: Int) -> Int { height <= 200 ? 4 : height <= 700 ? 2 : 1 }

  /// How many times larger than asked for a picture is drawn.
  func supersampling(for size: PixelSize) -> Int {
    let longest = max(size.width, size.height)
    let wanted = Self.supersampling(height: size.height)
    for factor in stride(from: wanted, to: 1, by: -1)
    where longest * factor <= 16_384
      && size.pixelCount * UInt64(factor * factor) <= greatestPixelCount
    {
      return factor
    }
    return 1
  }
}

extension PageGeometry {
  /// The size of a box as shown, after the page's own turn and unit, in points.
  public func shownSize(_ box: PageBox) -> (width: Double, height: Double) {
    guard box != .crop, let boxes else { return (width, height) }
    let rectangle = box == .media ? boxes.media : boxes.trim
    guard rectangle.width > 0, rectangle.height > 0 else { return (width, height) }
    let (width, height) = (rectangle.width * boxes.userUnit, rectangle.height * boxes.userUnit)
    return boxes.rotation % 180 == 0 ? (width, height) : (height, width)
  }
}
