import PdfThumbCore
import Testing

@Suite struct StripLayoutTests {
  private func pages(_ sizes: [(Double, Double)]) -> [PageGeometry] {
    sizes.enumerated().map {
      PageGeometry(index: $0.offset, width: $0.element.0, height: $0.element.1, label: "")
    }
  }

  /// Widths 40, 80, 160 at a height of 80.
  private var three: StripLayout {
    StripLayout(pages: pages([(100, 200), (100, 100), (200, 100)]), count: 3)
  }

  @Test func `pages stand side by side with their own widths`() {
    let frames = (0..<3).map { three.frame(of: $0) }
    #expect(frames.map(\.offset) == [0, 50, 140])
    #expect(frames.map(\.size.width) == [40, 80, 160])
    #expect(frames.allSatisfy { $0.size.height == 80 && $0.isMeasured })
    #expect(three.length == 300)
  }

  @Test func `pages below each other have their own heights`() {
    let layout = StripLayout(
      pages: pages([(100, 200), (200, 100)]), count: 2, axis: .vertical, across: 50, spacing: 0)
    #expect(layout.frame(of: 1).offset == 100)
    #expect(layout.frame(of: 1).size == PixelSize(width: 50, height: 25))
    #expect(layout.length == 125)
  }

  @Test(
    arguments: [
      (0, 1, 0..<1), (0, 40, 0..<1), (0, 50, 0..<1), (0, 51, 0..<2), (39, 1, 0..<1),
      (40, 10, 1..<1), (41, 5, 1..<1), (45, 6, 1..<2), (0, 1000, 0..<3), (-50, 60, 0..<1),
      (-50, 50, 0..<0), (299, 10, 2..<3), (300, 10, 0..<0), (130, 10, 2..<2), (129, 12, 1..<3),
      (Int.max - 5, 100, 0..<0), (0, 0, 0..<0), (0, Int.max, 0..<3), (5, Int.max, 0..<3),
    ])
  func `the visible pages are those that show`(offset: Int, length: Int, expected: Range<Int>) {
    let found = three.visiblePages(offset: offset, viewLength: length)
    #expect(found == expected || (found.isEmpty && expected.isEmpty))
  }

  @Test func `the visible pages agree with a plain search in every position`() {
    var layout = StripLayout(pageCount: 37, spacing: 7)
    for page in pages((0..<37).map { (Double(20 + $0 * 13 % 90), 100) }) where page.index % 3 != 0 {
      layout.measure(page)
    }
    let frames = (0..<37).map { layout.frame(of: $0) }
    var differing: [Int] = []
    for offset in -30..<layout.length + 30 {
      for length in [1, 6, 20, 300] {
        let shown = frames.filter {
          $0.offset < offset + length && $0.offset + $0.size.width > offset
        }.map(\.page)
        if Array(layout.visiblePages(offset: offset, viewLength: length)) != shown {
          differing.append(offset)
        }
      }
    }
    #expect(differing.isEmpty)
  }

  @Test(arguments: [
    (-5, 0), (0, 0), (39, 0), (44, 0), (45, 1), (49, 1), (50, 1), (139, 2), (999, 2),
  ])
  func `a position belongs to the nearest page`(position: Int, page: Int) {
    #expect(three.page(at: position) == page)
  }

  @Test func `a view jumps to a page and stays within the strip`() {
    #expect(three.offset(toCenter: 0, viewLength: 100) == 0)
    #expect(three.offset(toCenter: 1, viewLength: 100) == 40)
    #expect(three.offset(toCenter: 2, viewLength: 100) == 170)
    #expect(three.offset(toStart: 2, viewLength: 100) == 140)
    #expect(three.offset(toStart: 2, viewLength: 1000) == 0)
    #expect(three.offset(toReveal: 1, from: 0, viewLength: 100) == 30)
    #expect(three.offset(toReveal: 1, from: 45, viewLength: 100) == 45)
    #expect(three.offset(toReveal: 0, from: 45, viewLength: 100) == 0)
    #expect(three.offset(toReveal: 2, from: 0, viewLength: 100) == 140)
  }

  @Test func `pages not measured have the assumed proportions`() {
    var layout = StripLayout(pageCount: 100_000)
    #expect(layout.frame(of: 99_999).offset == 99_999 * 67)
    #expect(!layout.frame(of: 5).isMeasured)
    layout.measure(PageGeometry(index: 5, width: 160, height: 80, label: ""))
    layout.measure(PageGeometry(index: 100_000, width: 160, height: 80, label: ""))
    #expect(layout.frame(of: 5).isMeasured)
    #expect(layout.frame(of: 6).offset == 5 * 67 + 160 + 10)
  }

  @Test func `an empty strip shows nothing`() {
    let layout = StripLayout(pageCount: 0)
    #expect(layout.length == 0)
    #expect(layout.visiblePages(offset: 0, viewLength: 100).isEmpty)
    #expect(layout.page(at: 0) == nil)
  }
}

@Suite struct StripWindowTests {
  @Test func `the shown come first and then as many ahead`() {
    var window = StripWindow(pageCount: 20)
    let moved = window.move(to: 0..<4)
    #expect(moved)
    #expect(window.drawingOrder == [0, 1, 2, 3, 4, 5, 6, 7])
    let movedAgain = window.move(to: 0..<4)
    #expect(!movedAgain)
    window.move(to: 8..<12)
    #expect(window.direction == .forward)
    window.move(to: 5..<9)
    #expect(window.direction == .backward)
    #expect(window.drawingOrder == [8, 7, 6, 5, 4, 3, 2, 1])
    window.move(to: 18..<25)
    #expect(window.drawingOrder == [18, 19])
    #expect(window.distance(of: 18) == 0)
    #expect(window.distance(of: 15) == 3)
    window.move(to: 0..<3)
    #expect(window.distance(of: 3) == 1)
    #expect(window.ahead.isEmpty)
  }
}
