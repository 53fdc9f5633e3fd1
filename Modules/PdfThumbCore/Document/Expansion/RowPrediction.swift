/// How rows were changed before they were packed: PNG's prediction (ISO 32000-1, 7.4.4.4; PNG specification, 9.2).
///
/// Each row has a byte before it that names the filter it went through.
package struct RowPrediction: Equatable {
  /// The bytes of a row, without the one that names the filter; at least 1.
  package let rowCount: Int
  /// The bytes from one pixel to the next, at least 1.
  package let step: Int

  /// Reads the parameters of a stream; `nil` for measures that no image has, and for predictors that are not PNG's.
  package init?(predictor: Int, colors: Int, bits: Int, columns: Int) {
    guard (10...15).contains(predictor), (1...32).contains(colors), (1...16).contains(bits),
      (1...1_000_000).contains(columns)
    else { return nil }
    rowCount = (colors * bits * columns + 7) / 8
    step = max(1, colors * bits / 8)
  }

  /// Undoes the filter of one row.
  ///
  /// - Parameters:
  ///   - bytes: Where the rows are.
  ///   - source: The place of the byte that names the filter, before the row's own.
  ///   - target: Where the row goes, not behind its place now.
  ///   - above: The place of the row above, undone; `nil` for the first one, which has zeros above it.
  /// - Returns: Whether there is such a filter.
  @unsafe
  func undo(
    in bytes: UnsafeMutableRawBufferPointer, from source: Int, to target: Int, above: Int?
  ) -> Bool {
    let row = source + 1
    switch (unsafe bytes[source], above) {
    case (0, _), (2, nil):
      if row != target {
        for place in 0..<rowCount { unsafe bytes[target + place] = bytes[row + place] }
      }
    // Where there is nothing above, what is left is the nearest.
    case (1, _), (4, nil):
      if isInThrees {
        unsafe undoPixels(in: bytes, from: row, to: target, above: nil) { left, _, _ in left }
        return true
      }
      for place in 0..<rowCount {
        let left = place < step ? 0 : unsafe bytes[target + place - step]
        unsafe bytes[target + place] = bytes[row + place] &+ left
      }
    case (2, let above?): unsafe add(above, in: bytes, from: row, to: target)
    case (3, _):
      for place in 0..<rowCount {
        let left = place < step ? 0 : Int(unsafe bytes[target + place - step])
        let up = above.map { Int(unsafe bytes[$0 + place]) } ?? 0
        unsafe bytes[target + place] =
          bytes[row + place] &+ UInt8(truncatingIfNeeded: (left + up) / 2)
      }
    case (4, let above?):
      if isInThrees {
        unsafe undoPixels(in: bytes, from: row, to: target, above: above) { left, up, corner in
          Self.nearest(left, up, corner)
        }
        return true
      }
      for place in 0..<rowCount {
        let left = place < step ? 0 : Int(unsafe bytes[target + place - step])
        let corner = place < step ? 0 : Int(unsafe bytes[above + place - step])
        let nearest = Self.nearest(left, Int(unsafe bytes[above + place]), corner)
        unsafe bytes[target + place] =
          bytes[row + place] &+ UInt8(truncatingIfNeeded: nearest)
      }
    default: return false
    }
    return true
  }

  /// Whether rows are pixels of three bytes.
  private var isInThrees: Bool { step == 3 && rowCount.isMultiple(of: 3) }

  /// Adds the row above to a row.
  @unsafe
  private func add(
    _ above: Int, in bytes: UnsafeMutableRawBufferPointer, from row: Int, to target: Int
  ) {
    var place = 0
    // A block is read before it is written over; the target is not behind the row.
    while place + 16 <= rowCount {
      let fresh = unsafe bytes.loadUnaligned(fromByteOffset: row + place, as: SIMD16<UInt8>.self)
      let up = unsafe bytes.loadUnaligned(fromByteOffset: above + place, as: SIMD16<UInt8>.self)
      unsafe bytes.storeBytes(of: fresh &+ up, toByteOffset: target + place, as: SIMD16<UInt8>.self)
      place += 16
    }
    for place in place..<rowCount {
      unsafe bytes[target + place] = bytes[row + place] &+ bytes[above + place]
    }
  }

  /// Undoes the filter of a row of RGB pixels, all parts of one at once, by what a pixel was guessed to be by those to
  /// the left, above, and left of that one.
  @unsafe @inline(__always)
  private func undoPixels(
    in bytes: UnsafeMutableRawBufferPointer, from row: Int, to target: Int, above: Int?,
    _ guess: (SIMD4<Int16>, SIMD4<Int16>, SIMD4<Int16>) -> SIMD4<Int16>
  ) {
    @inline(__always) func pixel(_ place: Int) -> SIMD4<Int16> {
      SIMD4(
        Int16(unsafe bytes[place]), Int16(unsafe bytes[place + 1]),
        Int16(unsafe bytes[place + 2]), 0)
    }
    var left = SIMD4<Int16>()
    var corner = SIMD4<Int16>()
    for place in stride(from: 0, to: rowCount - 2, by: 3) {
      let up = if let above { pixel(above + place) } else { SIMD4<Int16>() }
      left = (pixel(row + place) &+ guess(left, up, corner)) & 255
      corner = up
      for part in 0..<3 {
        unsafe bytes[target + place + part] = UInt8(truncatingIfNeeded: left[part])
      }
    }
  }

  /// Paeth's predictor for all parts of a pixel.
  @inline(__always)
  private static func nearest(
    _ left: SIMD4<Int16>, _ up: SIMD4<Int16>, _ corner: SIMD4<Int16>
  ) -> SIMD4<Int16> {
    // How far the guess, left + up - corner, is from each of them.
    let (toLeft, toUp) = (up &- corner, left &- corner)
    let toCorner = toLeft &+ toUp
    let (byLeft, byUp, byCorner) = (size(toLeft), size(toUp), size(toCorner))
    let other = corner.replacing(with: up, where: byUp .<= byCorner)
    return other.replacing(with: left, where: (byLeft .<= byUp) .& (byLeft .<= byCorner))
  }

  @inline(__always)
  private static func size(_ value: SIMD4<Int16>) -> SIMD4<Int16> {
    value.replacing(with: 0 &- value, where: value .< 0)
  }

  /// Paeth's predictor.
  private static func nearest(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let guess = left + up - corner
    let (toLeft, toUp, toCorner) = (abs(guess - left), abs(guess - up), abs(guess - corner))
    if toLeft <= toUp, toLeft <= toCorner { return left }
    return toUp <= toCorner ? up : corner
  }

  /// Undoes the filters of all rows from `start` on and takes the bytes that named them out.
  ///
  /// - Returns: Whether they were whole rows with filters that there are.
  package func undo(in bytes: inout [UInt8], from start: Int) -> Bool {
    let stride = rowCount + 1
    let rows = (bytes.count - start) / stride
    guard (bytes.count - start) % stride == 0 else { return false }
    let isSound = unsafe bytes.withUnsafeMutableBytes { bytes in
      (0..<rows).allSatisfy { index in
        let target = start + index * rowCount
        return unsafe undo(
          in: bytes, from: start + index * stride, to: target,
          above: index > 0 ? target - rowCount : nil)
      }
    }
    guard isSound else { return false }
    bytes.removeLast(rows)
    return true
  }
}
