/// A mapping of points: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`, as PDF and cairo write it.
struct AffineTransform: Sendable, Equatable {
  var a = 1.0
  var b = 0.0
  var c = 0.0
  var d = 1.0
  var tx = 0.0
  var ty = 0.0

  /// The mapping that does this first and `next` after it.
  func followed(by next: AffineTransform) -> AffineTransform {
    AffineTransform(
      a: a * next.a + b * next.c, b: a * next.b + b * next.d,
      c: c * next.a + d * next.c, d: c * next.b + d * next.d,
      tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
  }

  /// Turns a rectangle of `width` by `height` at the origin clockwise (y points down) and puts its corner
  /// back to the origin.
  static func turn(_ degrees: Int, width: Double, height: Double) -> AffineTransform {
    switch ((degrees % 360) + 360) % 360 {
    case 90: AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
    case 180: AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
    case 270: AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
    default: AffineTransform()
    }
  }

  /// Scales both axes.
  static func scale(_ x: Double, _ y: Double) -> AffineTransform {
    AffineTransform(a: x, d: y)
  }
}

extension AffineTransform {
  /// The mapping of six numbers, as PDF writes it; `nil` for another count or numbers without end.
  init?(_ numbers: [Double]) {
    guard numbers.count == 6, numbers.allSatisfy(\.isFinite) else { return nil }
    self.init(
      a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
  }

  /// Where a point goes.
  func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (a * x + c * y + tx, b * x + d * y + ty)
  }

  /// The smallest rectangle around what a rectangle becomes.
  func bounds(of box: PDFRectangle) -> PDFRectangle {
    let corners = [
      apply(box.left, box.bottom), apply(box.right, box.bottom), apply(box.left, box.top),
      apply(box.right, box.top),
    ]
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    return PDFRectangle(
      xs.reduce(.infinity, min), ys.reduce(.infinity, min), xs.reduce(-.infinity, max),
      ys.reduce(-.infinity, max))
  }

  /// Whether rectangles stay parallel to the axes, but for a ten-thousandth.
  var isParallel: Bool {
    let upright = abs(a) + abs(d)
    let turned = abs(b) + abs(c)
    return turned <= upright * 1e-4 || upright <= turned * 1e-4
  }
}
