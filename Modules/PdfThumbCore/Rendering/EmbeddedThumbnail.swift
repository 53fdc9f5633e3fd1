/// What is done with the thumbnails that documents carry (`/Thumb`, ISO 32000-1, 12.3.4).
public enum EmbeddedThumbnails: UInt8, Sendable, Hashable, CaseIterable {
  /// They are not looked at.
  case unused
  /// One that passes the checks is taken in place of drawing the page.
  case preferred
  /// Nothing is drawn: a page has the thumbnail that it carries or none.
  case required
}

/// Which embedded thumbnails can stand for their pages.
///
/// They may be stale, one pixel large, of another shape or white; of 61 documents that had some, 12 were of no
/// use. That one shows an older state of its page cannot be known without drawing that.
enum EmbeddedThumbnail {
  /// Longer sides are not decoded, for the library has no limit of its own.
  static let greatestSide = 1024

  /// Whether a picture of that size can become one of the size wanted.
  ///
  /// It has at least three quarters of the wanted pixels a side, and its proportions but for a pixel or three
  /// parts of a hundred.
  static func fits(_ found: PixelSize, wanted: PixelSize) -> Bool {
    guard max(found.width, found.height) <= greatestSide,
      4 * found.width >= 3 * wanted.width, 4 * found.height >= 3 * wanted.height
    else { return false }
    let width = Double(found.height) * Double(wanted.width) / Double(wanted.height)
    return abs(Double(found.width) - width) <= max(1.5, 0.03 * width)
  }

  /// Whether more is to be seen than one colour: whether the channels differ by 16 or more somewhere.
  static func isWorthShowing(_ pixels: UnsafeRawBufferPointer) -> Bool {
    var least: (UInt8, UInt8, UInt8) = (255, 255, 255)
    var greatest: (UInt8, UInt8, UInt8) = (0, 0, 0)
    for start in stride(from: 0, through: pixels.count - 4, by: 4) {
      let (blue, green, red) = unsafe (pixels[start], pixels[start + 1], pixels[start + 2])
      least = (min(least.0, blue), min(least.1, green), min(least.2, red))
      greatest = (max(greatest.0, blue), max(greatest.1, green), max(greatest.2, red))
    }
    return greatest.0 >= least.0
      && max(
        greatest.0 - least.0, greatest.1 - least.1, greatest.2 - least.2) >= 16
  }
}

extension PDFDocument {
  /// Fills in the thumbnail that a page carries, if it can stand for the picture asked for.
  ///
  /// - Returns: What is known about the picture; `nil` when the page is to be drawn, `pixels` then being untouched.
  /// - Throws: ``PDFError/Code/noThumbnail`` when it is that thumbnail or nothing.
  mutating func drawEmbedded(
    _ page: Int, _ handle: borrowing PopplerPageHandle, renderer: PageRenderer, size: PixelSize,
    into pixels: inout MutableRawSpan
  ) throws(PDFError) -> DrawingReport? {
    let settings = renderer.settings
    guard settings.embedded != .unused else { return nil }
    if let surface = embedded(page, handle, settings: settings, size: size) {
      _ = Self.reduce(surface, factor: 1, size: size, settings: settings, into: &pixels)
      return DrawingReport(source: .embedded, isRepaired: isRepaired(page))
    }
    guard settings.embedded == .preferred else { throw .noThumbnail(page) }
    return nil
  }

  private mutating func embedded(
    _ page: Int, _ handle: borrowing PopplerPageHandle, settings: RenderSettings, size: PixelSize
  ) -> CairoSurfaceHandle? {
    // It is a picture of the page as a viewer shows it over white. Nothing says whether it was turned with it.
    guard settings.ground != .none, settings.ground == .color(.white), settings.box == .crop,
      settings.rotation == 0, settings.drawsAnnotations, structure.boxes(of: page)?.rotation == 0,
      let found = handle.embeddedThumbnailSize(), EmbeddedThumbnail.fits(found, wanted: size),
      let picture = handle.embeddedThumbnail(), picture.size == found,
      let surface = CairoSurfaceHandle(size: size, hasAlpha: false)
    else { return nil }
    var isWorthShowing = false
    unsafe picture.withPixels { bytes, _ in
      isWorthShowing = unsafe EmbeddedThumbnail.isWorthShowing(bytes)
    }
    guard isWorthShowing else { return nil }
    surface.fill(.white)
    surface.draw(picture)
    guard surface.failure() == nil else { return nil }
    return consume surface
  }
}
