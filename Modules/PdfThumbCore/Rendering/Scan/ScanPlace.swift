/// A part of an image along one of its sides, divided evenly.
package struct ScanAxis: Equatable {
  /// Where the part begins, 0 being the image's first column or row and 1 behind its last.
  var start: Double
  /// The share of the image that one division takes.
  var step: Double
  /// The number of divisions.
  var count: Int

  package init(start: Double, step: Double, count: Int) {
    self.start = start
    self.step = step
    self.count = count
  }

  /// The divisions that the whole image has, at least.
  var wholeCount: Int { Int(min(1e6, (1 / step - 1e-6).rounded(.up))) }

  /// Where divisions begin and the last one ends.
  ///
  /// - Parameters:
  ///   - length: The image's columns or rows.
  ///   - parts: In how many parts of a column or row to count.
  /// - Returns: One more than ``count`` places, ascending, from 0 to `length * parts`.
  func edges(of length: Int, parts: Int = 1) -> [Int] {
    let whole = Double(length * parts)
    return (0...count).map { index in
      Int(min(max(0, (start + step * Double(index)) * whole), whole).rounded())
    }
  }
}

/// Where an image lies on the canvas, as far as it is seen.
struct ScanPlace: Equatable {
  /// The columns of the canvas that it fills.
  let columns: Range<Int>
  /// The rows of the canvas that it fills.
  let rows: Range<Int>
  /// Whether the image's rows are the canvas's columns.
  let isTurned: Bool
  /// Whether the image runs against the canvas from left to right.
  let isFlippedAcross: Bool
  /// Whether the image runs against the canvas from top to bottom.
  let isFlippedDown: Bool
  private let across: ScanAxis
  private let down: ScanAxis

  /// Where the unit square of an image goes, or `nil` when it is not parallel to the canvas.
  ///
  /// An image's first row is the top of the unit square, whose y points up (ISO 32000-1, 8.9.5.1); the canvas's y
  /// points down. A pixel belongs to the image whose middle it covers.
  init?(_ matrix: AffineTransform, clip: ScanClip) {
    // Half a pixel of slant over the whole image does not show.
    let isUpright = abs(matrix.b) < 0.5 && abs(matrix.c) < 0.5
    guard isUpright || (abs(matrix.a) < 0.5 && abs(matrix.d) < 0.5) else { return nil }
    let x0 = matrix.tx
    let x1 = matrix.tx + (isUpright ? matrix.a : matrix.c)
    let y0 = matrix.ty
    let y1 = matrix.ty + (isUpright ? matrix.d : matrix.b)
    guard [x0, x1, y0, y1].allSatisfy({ $0.isFinite && abs($0) < 1e6 }), abs(x1 - x0) >= 1,
      abs(y1 - y0) >= 1
    else { return nil }
    isTurned = !isUpright
    // Upright, the image's columns follow +x of the unit square and its rows -y.
    isFlippedAcross = isUpright ? x1 < x0 : x1 > x0
    isFlippedDown = isUpright ? y1 > y0 : y1 < y0
    columns = ScanClip.range(min(x0, x1), max(x0, x1)).clamped(to: clip.columns)
    rows = ScanClip.range(min(y0, y1), max(y0, y1)).clamped(to: clip.rows)
    across = Self.axis(min(x0, x1), max(x0, x1), columns, isFlipped: isFlippedAcross)
    down = Self.axis(min(y0, y1), max(y0, y1), rows, isFlipped: isFlippedDown)
  }

  /// Whether nothing of the image is seen.
  var isEmpty: Bool { columns.isEmpty || rows.isEmpty }
  /// The image's columns that are seen.
  var horizontal: ScanAxis { isTurned ? down : across }
  /// The image's rows that are seen.
  var vertical: ScanAxis { isTurned ? across : down }

  private static func axis(
    _ from: Double, _ to: Double, _ seen: Range<Int>, isFlipped: Bool
  ) -> ScanAxis {
    let length = to - from
    let start = isFlipped ? to - Double(seen.upperBound) : Double(seen.lowerBound) - from
    return ScanAxis(start: start / length, step: 1 / length, count: seen.count)
  }
}

/// The columns and rows of a canvas that may be touched.
struct ScanClip: Equatable {
  var columns: Range<Int>
  var rows: Range<Int>

  /// The pixels of a canvas whose middles a rectangle covers.
  init(_ rectangle: PDFRectangle, on size: PixelSize) {
    columns = Self.range(rectangle.left, rectangle.right).clamped(to: 0..<size.width)
    rows = Self.range(rectangle.bottom, rectangle.top).clamped(to: 0..<size.height)
  }

  static func range(_ from: Double, _ to: Double) -> Range<Int> {
    let low = Int(min(max((from - 1e-6).rounded(), -1e6), 1e6))
    let high = Int(min(max((to - 1e-6).rounded(), -1e6), 1e6))
    return low..<max(low, high)
  }
}
