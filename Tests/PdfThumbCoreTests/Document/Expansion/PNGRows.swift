/// Rows as PNG's filters leave them.
enum PNGRows {
  /// Filters each row by another of the five filters (PNG specification, 9.2), whose number goes before it.
  static func filtered(_ samples: [UInt8], length: Int, step: Int, first: Int = 0) -> [UInt8] {
    var result: [UInt8] = []
    for row in 0..<samples.count / length {
      let filter = (row + first) % 5
      result.append(UInt8(filter))
      for column in 0..<length {
        func at(_ row: Int, _ column: Int) -> Int {
          row < 0 || column < 0 ? 0 : Int(samples[row * length + column])
        }
        let (left, up) = (at(row, column - step), at(row - 1, column))
        let corner = column < step ? 0 : at(row - 1, column - step)
        let guess = left + up - corner
        let nearest = [left, up, corner].min { abs(guess - $0) < abs(guess - $1) } ?? 0
        let prediction = [0, left, up, (left + up) / 2, nearest][filter]
        result.append(UInt8(truncatingIfNeeded: at(row, column) - prediction))
      }
    }
    return result
  }
}
