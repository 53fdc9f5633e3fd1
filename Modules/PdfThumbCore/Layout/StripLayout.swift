/// Where every page's picture stands in a strip, before any picture exists.
///
/// A strip runs along one axis: thumbnails side by side (``Axis/horizontal``), or pages one below the
/// other (``Axis/vertical``). Sizes across the axis are all the same; lengths along it follow each page's
/// own proportions. A page whose size is not known yet has an assumed one, so a document of any length is
/// laid out at once and its pages are measured as they come near. All positions are whole pixels.
public struct StripLayout: Sendable {
  /// The direction a strip runs in.
  public enum Axis: Sendable, Hashable {
    /// Pages side by side; ``StripLayout/across`` is their height.
    case horizontal
    /// Pages one below the other; ``StripLayout/across`` is their width.
    case vertical
  }

  /// The place of one page.
  public struct Frame: Sendable, Hashable {
    /// The page, counted from 0.
    public var page: Int
    /// The distance from the strip's start to the page's, in pixels.
    public var offset: Int
    /// The picture's size in pixels.
    public var size: PixelSize
    /// Whether the page's own size is known, or the placeholder has an assumed one.
    public var isMeasured: Bool
  }

  /// The direction of the strip.
  public let axis: Axis
  /// The size of every page across the axis, in pixels.
  public let across: Int
  /// The distance between two pages, in pixels; before the first and behind the last there is none.
  public let spacing: Int
  /// The number of pages.
  public let pageCount: Int

  private var measured: [Int32]
  private var sums: PrefixSums
  private let assumed: Int

  /// Lays out pages of unknown size.
  ///
  /// - Parameters:
  ///   - pageCount: The number of pages; not negative.
  ///   - axis: The direction, horizontal by default.
  ///   - across: The size across the axis in pixels, 80 by default; at least 1.
  ///   - spacing: The distance between pages in pixels, 10 by default; not negative.
  ///   - assumedProportion: Width through height of a page not measured yet; ISO A4's by default.
  public init(
    pageCount: Int, axis: Axis = .horizontal, across: Int = 80, spacing: Int = 10,
    assumedProportion: Double = 210.0 / 297.0
  ) {
    precondition(pageCount >= 0, "a strip has no negative number of pages")
    precondition(across >= 1 && spacing >= 0, "a strip's sizes are positive")
    self.axis = axis
    self.across = across
    self.spacing = spacing
    self.pageCount = pageCount
    assumed = Self.length(across, axis, width: assumedProportion, height: 1)
    measured = Array(repeating: 0, count: pageCount)
    sums = PrefixSums(count: pageCount, value: assumed)
  }

  /// Lays out pages of known sizes; see ``measure(_:)``.
  public init(
    pages: some Sequence<PageGeometry>, count: Int, axis: Axis = .horizontal, across: Int = 80,
    spacing: Int = 10
  ) {
    self.init(pageCount: count, axis: axis, across: across, spacing: spacing)
    for page in pages { measure(page) }
  }

  /// Replaces the assumed size of a page by its own; pages outside the strip are ignored.
  ///
  /// What follows it moves by the difference.
  public mutating func measure(_ page: PageGeometry) {
    guard measured.indices.contains(page.index) else { return }
    let length = Self.length(across, axis, width: page.width, height: page.height)
    sums.add(length - self.length(of: page.index), at: page.index)
    measured[page.index] = Int32(clamping: length)
  }

  /// The strip's whole length in pixels.
  public var length: Int {
    pageCount == 0 ? 0 : sums.sum(before: pageCount) + (pageCount - 1) * spacing
  }

  /// The place of a page.
  public func frame(of page: Int) -> Frame {
    precondition(measured.indices.contains(page), "the page lies outside the strip")
    let length = length(of: page)
    return Frame(
      page: page, offset: offset(of: page),
      size: axis == .horizontal
        ? PixelSize(width: length, height: across) : PixelSize(width: across, height: length),
      isMeasured: measured[page] != 0)
  }

  func offset(of page: Int) -> Int { sums.sum(before: page) + page * spacing }

  func length(of page: Int) -> Int { measured[page] == 0 ? assumed : Int(measured[page]) }

  /// The last page that begins at a position or before it; the first one for positions before the strip.
  func lastPage(beginningAt position: Int) -> Int {
    min(sums.index(at: position, spacing: spacing), pageCount - 1)
  }

  private static func length(_ across: Int, _ axis: Axis, width: Double, height: Double) -> Int {
    switch axis {
    case .horizontal:
      ThumbnailSize.height(across).pixels(pageWidth: width, pageHeight: height).width
    case .vertical:
      ThumbnailSize.width(across).pixels(pageWidth: width, pageHeight: height).height
    }
  }
}
