/// Averages the rows of a picture of 8-bit parts into a smaller one, each pixel weighed by the share of it that
/// falls into the target's pixel.
struct SampleReducer {
  /// A column or row of the result: which of the source's it takes, and how much of the outermost two in 256ths.
  private struct Reach {
    let first: Int
    let last: Int
    let firstWeight: UInt32
    let lastWeight: UInt32
    let weight: UInt64
  }

  /// Averages a part of a picture.
  ///
  /// - Parameters:
  ///   - source: The rows.
  ///   - bytesPerRow: The distance between rows.
  ///   - size: The size of the source in pixels.
  ///   - parts: The bytes of a pixel, 1 or 3.
  ///   - horizontal: Which columns, and into how many.
  ///   - vertical: Which rows, and into how many.
  /// - Returns: The parts of the result's pixels, without gaps.
  static func reduce(
    _ source: UnsafeRawBufferPointer, bytesPerRow: Int, size: PixelSize, parts: Int,
    _ horizontal: ScanAxis, _ vertical: ScanAxis
  ) -> [UInt8] {
    let columns = reaches(horizontal.edges(of: size.width, parts: 256), size.width)
    let weights = columns.flatMap { [UInt64](repeating: $0.weight, count: parts) }
    // Sums in 256ths of a column: 255 · 256 · 65,000 fits.
    var line = [UInt32](repeating: 0, count: columns.count * parts)
    var sums = [UInt64](repeating: 0, count: columns.count * parts)
    var result: [UInt8] = []
    result.reserveCapacity(sums.count * vertical.count)
    var lineAt = -1
    for reach in reaches(vertical.edges(of: size.height, parts: 256), size.height) {
      for index in sums.indices { sums[index] = 0 }
      for y in reach.first...reach.last {
        if y != lineAt {
          let row = unsafe UnsafeRawBufferPointer(
            rebasing: source[y * bytesPerRow..<y * bytesPerRow + size.width * parts])
          unsafe reduce(row, parts: parts, columns, into: &line)
          lineAt = y
        }
        let weight: UInt64 =
          y == reach.first
          ? UInt64(reach.firstWeight) : y == reach.last ? UInt64(reach.lastWeight) : 256
        for index in sums.indices { sums[index] &+= UInt64(line[index]) &* weight }
      }
      for index in sums.indices {
        let share = weights[index] &* reach.weight
        result.append(UInt8(clamping: (sums[index] &+ share / 2) / share))
      }
    }
    return result
  }

  private static func reduce(
    _ row: UnsafeRawBufferPointer, parts: Int, _ columns: [Reach], into line: inout [UInt32]
  ) {
    var place = 0
    for reach in columns {
      for part in 0..<parts {
        var at = reach.first &* parts &+ part
        var sum = UInt32(unsafe row[at]) &* reach.firstWeight
        if reach.last > reach.first {
          let end = reach.last &* parts &+ part
          at &+= parts
          var whole: UInt32 = 0
          while at < end {
            whole &+= UInt32(unsafe row[at])
            at &+= parts
          }
          sum &+= whole &* 256 &+ UInt32(unsafe row[end]) &* reach.lastWeight
        }
        line[place] = sum
        place &+= 1
      }
    }
  }

  private static func reaches(_ edges: [Int], _ length: Int) -> [Reach] {
    (1..<edges.count).map { index in
      let start = min(edges[index - 1], length * 256 - 1)
      let end = max(start + 1, edges[index])
      let first = start / 256
      let last = (end - 1) / 256
      return first == last
        ? Reach(
          first: first, last: last, firstWeight: UInt32(end - start), lastWeight: 0,
          weight: UInt64(end - start))
        : Reach(
          first: first, last: last, firstWeight: UInt32((first + 1) * 256 - start),
          lastWeight: UInt32(end - last * 256), weight: UInt64(end - start))
    }
  }
}
