/// A page's picture, not encoded.
public struct Picture: Sendable, Equatable {
  /// The size in pixels.
  public let size: PixelSize
  /// How the pixels stand in memory.
  public let format: PixelFormat
  /// The rows from the top, without gaps; always as many bytes as the format needs for the size.
  public let pixels: [UInt8]

  /// Creates a picture from pixels, or returns `nil` when their number is not what the size needs.
  public init?(size: PixelSize, format: PixelFormat, pixels: [UInt8]) {
    guard pixels.count == format.byteCount(size) else { return nil }
    self.size = size
    self.format = format
    self.pixels = pixels
  }

  /// Creates a picture and lets `fill` write its pixels.
  init<E: Error>(
    size: PixelSize, format: PixelFormat, fill: (inout MutableRawSpan) throws(E) -> Void
  ) throws(E) {
    var pixels = [UInt8](repeating: 0, count: format.byteCount(size))
    var span = pixels.mutableSpan
    // Safety: every pattern of bits is a UInt8.
    var bytes = unsafe span.mutableBytes
    try fill(&bytes)
    self.size = size
    self.format = format
    self.pixels = pixels
  }
}

extension PageRenderer {
  /// Draws one page into memory of its own; blocks like ``draw(_:of:size:into:)``.
  ///
  /// - Parameters:
  ///   - page: The page, counted from 0.
  ///   - document: The document; nothing else uses it meanwhile.
  ///   - size: The size of the picture; the page is stretched to it.
  /// - Returns: The picture and what is known about it.
  /// - Throws: What ``draw(_:of:size:into:)`` throws.
  public func picture(
    of page: Int, in document: inout PDFDocument, size: PixelSize
  ) throws(PDFError) -> (picture: Picture, report: DrawingReport) {
    try check(size, page: page)
    var report = DrawingReport()
    let picture = try Picture(size: size, format: settings.format) {
      (bytes) throws(PDFError) in
      report = try draw(page, of: &document, size: size, into: &bytes)
    }
    return (picture, report)
  }
}
