/// A rectangle in PDF points (1/72 inch), origin at the lower left, sides in ascending order.
public struct PDFRectangle: Sendable, Equatable {
  /// The left side.
  public var left: Double
  /// The lower side.
  public var bottom: Double
  /// The right side.
  public var right: Double
  /// The upper side.
  public var top: Double

  /// Creates a rectangle from two opposite corners, in any order.
  public init(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) {
    left = min(x0, x1)
    bottom = min(y0, y1)
    right = max(x0, x1)
    top = max(y0, y1)
  }

  /// The width in points.
  public var width: Double { right - left }
  /// The height in points.
  public var height: Double { top - bottom }

  /// The part both rectangles share, or `nil` when that is nothing.
  public func intersection(_ other: PDFRectangle) -> PDFRectangle? {
    let left = max(left, other.left)
    let right = min(right, other.right)
    let bottom = max(bottom, other.bottom)
    let top = min(top, other.top)
    guard left < right, bottom < top else { return nil }
    return PDFRectangle(left, bottom, right, top)
  }
}

/// The boxes and turn a page declares, as they stand in the file (ISO 32000-1, 14.11.2).
public struct PageBoxes: Sendable, Equatable {
  /// The sheet the page is printed on.
  public var media: PDFRectangle
  /// What a viewer shows; the media box when the page names none.
  public var crop: PDFRectangle
  /// The finished page after trimming; the crop box when the page names none.
  public var trim: PDFRectangle
  /// The clockwise turn in degrees: 0, 90, 180 or 270.
  public var rotation: Int
  /// The size of the boxes' unit in points, 1 by default and at most 75,000.
  public var userUnit: Double

  /// Creates the boxes of a page.
  public init(
    media: PDFRectangle, crop: PDFRectangle, trim: PDFRectangle, rotation: Int = 0,
    userUnit: Double = 1
  ) {
    self.media = media
    self.crop = crop
    self.trim = trim
    self.rotation = rotation
    self.userUnit = userUnit
  }
}

/// The size and name of one page, known without drawing it.
public struct PageGeometry: Sendable, Equatable {
  /// The page, counted from 0.
  public var index: Int
  /// The width as shown, after the page's own turn and unit, in points.
  public var width: Double
  /// The height as shown, after the page's own turn and unit, in points.
  public var height: Double
  /// The page's label ("iv", "A-3"), or its number where the document names none.
  public var label: String
  /// Everything the page declares, or `nil` where the structure could not be read.
  public var boxes: PageBoxes?

  /// Creates a geometry; sizes that are no positive finite number become US Letter's.
  public init(
    index: Int, width: Double, height: Double, label: String, boxes: PageBoxes? = nil
  ) {
    let isSane = width.isFinite && height.isFinite && width > 0 && height > 0
    self.index = index
    self.width = isSane ? width : 612
    self.height = isSane ? height : 792
    self.label = label
    self.boxes = boxes
  }
}

/// One entry of a document's outline.
public struct OutlineEntry: Sendable, Equatable {
  /// The title as shown.
  public var title: String
  /// The depth, 0 for the outermost.
  public var level: Int
  /// The page it leads to, counted from 0, or `nil` when it leads to none of this document.
  public var page: Int?

  /// Creates an outline entry.
  public init(title: String, level: Int, page: Int?) {
    self.title = title
    self.level = level
    self.page = page
  }
}
