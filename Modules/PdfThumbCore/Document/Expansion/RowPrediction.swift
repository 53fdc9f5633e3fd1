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
      for place in 0..<rowCount {
        let left = place < step ? 0 : unsafe bytes[target + place - step]
        unsafe bytes[target + place] = bytes[row + place] &+ left
      }
    case (2, let above?):
      for place in 0..<rowCount {
        unsafe bytes[target + place] = bytes[row + place] &+ bytes[above + place]
      }
    case (3, _):
      for place in 0..<rowCount {
        let left = place < step ? 0 : Int(unsafe bytes[target + place - step])
        let up = above.map { Int(unsafe bytes[$0 + place]) } ?? 0
        unsafe bytes[target + place] =
          bytes[row + place] &+ UInt8(truncatingIfNeeded: (left + up) / 2)
      }
    case (4, let above?):
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
