/// A size in whole pixels, at least 1 by 1.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int

  /// Creates a size; sides below 1 become 1.
  public init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }

  /// The number of pixels, or `UInt64.max` when it does not fit.
  public var pixelCount: UInt64 {
    let (count, overflow) = UInt64(width).multipliedReportingOverflow(by: UInt64(height))
    return overflow ? .max : count
  }

  /// The size with its sides exchanged.
  public var turned: PixelSize { PixelSize(width: height, height: width) }

  /// The size as `62x80`.
  public var description: String { "\(width)x\(height)" }
}

/// How large a page's picture shall be; the page's proportions are always kept.
public enum ThumbnailSize: Sendable, Hashable {
  /// As many pixels high.
  case height(Int)
  /// As many pixels wide.
  case width(Int)
  /// As large as fits into a box of pixels.
  case fit(width: Int, height: Int)
  /// As many pixels a point (1/72 inch).
  case scale(Double)

  /// A picture is never more than this many times longer than the side that was asked for.
  static let greatestProportion = 100.0

  /// The size of the picture of a page.
  ///
  /// A page so long and narrow that the free side would be over 100 times the given one is drawn
  /// smaller, so that it is 100 times.
  ///
  /// - Parameters:
  ///   - pageWidth: The page's width in points, positive and finite.
  ///   - pageHeight: The page's height in points, positive and finite.
  /// - Returns: The size in pixels, at least 1 by 1.
  public func pixels(pageWidth: Double, pageHeight: Double) -> PixelSize {
    let scale: Double
    switch self {
    case .height(let height):
      let wanted = Double(max(1, height)) / pageHeight
      scale = min(wanted, Double(max(1, height)) * Self.greatestProportion / pageWidth)
    case .width(let width):
      let wanted = Double(max(1, width)) / pageWidth
      scale = min(wanted, Double(max(1, width)) * Self.greatestProportion / pageHeight)
    case .fit(let width, let height):
      scale = min(Double(max(1, width)) / pageWidth, Double(max(1, height)) / pageHeight)
    case .scale(let factor):
      scale = factor.isFinite && factor > 0 ? factor : 1
    }
    return PixelSize(width: Self.side(pageWidth * scale), height: Self.side(pageHeight * scale))
  }

  private static func side(_ length: Double) -> Int {
    Int(min(max(1, length.rounded()), 1e9))
  }
}
