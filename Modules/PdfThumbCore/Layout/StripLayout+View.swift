extension StripLayout {
  /// The pages a view shows, in part or whole.
  ///
  /// - Parameters:
  ///   - offset: The distance from the strip's start to the view's, in pixels; may lie outside.
  ///   - viewLength: The view's length in pixels.
  /// - Returns: The pages, empty when only a gap is shown.
  public func visiblePages(offset: Int, viewLength: Int) -> Range<Int> {
    guard pageCount > 0, viewLength > 0, offset < length else { return 0..<0 }
    let (end, overflow) = offset.addingReportingOverflow(viewLength)
    guard overflow || end > 0 else { return 0..<0 }
    let last = lastPage(beginningAt: overflow ? length : end - 1)
    var first = lastPage(beginningAt: offset)
    // The gap behind a page belongs to no page.
    if self.offset(of: first) + length(of: first) <= offset { first += 1 }
    return first..<max(first, last + 1)
  }

  /// The page at a distance from the strip's start, or the nearest one; `nil` in an empty strip.
  public func page(at position: Int) -> Int? {
    guard pageCount > 0 else { return nil }
    let page = lastPage(beginningAt: position)
    let past = position - (offset(of: page) + length(of: page))
    return past >= 0 && past * 2 >= spacing ? min(page + 1, pageCount - 1) : page
  }

  /// Where a view has to start so that a page stands in its middle; kept within the strip.
  public func offset(toCenter page: Int, viewLength: Int) -> Int {
    let start = frame(of: page).offset
    return bounded(start - (viewLength - length(of: page)) / 2, viewLength: viewLength)
  }

  /// Where a view has to start so that a page begins at its start; kept within the strip.
  public func offset(toStart page: Int, viewLength: Int) -> Int {
    bounded(frame(of: page).offset, viewLength: viewLength)
  }

  /// Where a view has to start so that it moves as little as possible and shows a whole page.
  ///
  /// - Parameters:
  ///   - page: The page to show; one longer than the view is shown from its start.
  ///   - offset: Where the view starts now.
  ///   - viewLength: The view's length in pixels.
  /// - Returns: The distance from the strip's start to the view's, in pixels.
  public func offset(toReveal page: Int, from offset: Int, viewLength: Int) -> Int {
    let start = frame(of: page).offset
    let end = start + length(of: page)
    if start < offset || end - start > viewLength { return bounded(start, viewLength: viewLength) }
    return bounded(max(offset, end - viewLength), viewLength: viewLength)
  }

  private func bounded(_ offset: Int, viewLength: Int) -> Int {
    max(0, min(offset, length - viewLength))
  }
}
