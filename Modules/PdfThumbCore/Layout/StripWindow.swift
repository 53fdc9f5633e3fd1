/// What a view on a strip shows, and which way it moves.
///
/// It answers what to draw first: the pages shown, then as many again in the direction of the last
/// movement, nearest first.
public struct StripWindow: Sendable, Equatable {
  /// The way a view moves along its strip.
  public enum Direction: Sendable, Hashable {
    /// Towards the last page.
    case forward
    /// Towards the first page.
    case backward
  }

  /// The pages shown.
  public private(set) var visible: Range<Int>
  /// The direction of the last movement; forward at first.
  public private(set) var direction = Direction.forward
  private let pageCount: Int

  /// Creates a window over no page yet.
  ///
  /// - Parameter pageCount: The number of pages of the document.
  public init(pageCount: Int) {
    self.pageCount = max(0, pageCount)
    visible = 0..<0
  }

  /// Notes what the view shows now.
  ///
  /// - Parameter pages: The pages shown; what lies outside the document is left out.
  /// - Returns: Whether anything changed.
  @discardableResult
  public mutating func move(to pages: Range<Int>) -> Bool {
    let pages = pages.clamped(to: 0..<pageCount)
    guard pages != visible else { return false }
    if !visible.isEmpty, !pages.isEmpty {
      let isBackward =
        pages.lowerBound < visible.lowerBound
        || (pages.lowerBound == visible.lowerBound && pages.upperBound < visible.upperBound)
      direction = isBackward ? .backward : .forward
    }
    visible = pages
    return true
  }

  /// As many pages as are shown, next to them in the direction of movement.
  public var ahead: Range<Int> {
    switch direction {
    case .forward: visible.upperBound..<min(pageCount, visible.upperBound + visible.count)
    case .backward: max(0, visible.lowerBound - visible.count)..<visible.lowerBound
    }
  }

  /// The pages to draw, most urgent first: those shown, then those ahead.
  public var drawingOrder: [Int] {
    switch direction {
    case .forward: Array(visible) + Array(ahead)
    case .backward: visible.reversed() + ahead.reversed()
    }
  }

  /// The number of pages between a page and what is shown; 0 for a page that is.
  public func distance(of page: Int) -> Int {
    if page < visible.lowerBound { return visible.lowerBound - page }
    return max(0, page - visible.upperBound + 1)
  }
}
