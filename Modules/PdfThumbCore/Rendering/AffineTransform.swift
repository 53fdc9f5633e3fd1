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
