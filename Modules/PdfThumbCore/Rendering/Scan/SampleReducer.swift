/// Averages the rows of a picture of 8-bit parts into a smaller one as they come from the top, each pixel weighed by
/// the share of it that falls into the target's pixel.
package struct SampleReducer {
  /// A column or row of the result: which of the source's it takes, and how much of the outermost two in 256ths.
  private struct Reach {
    let first: Int
    let last: Int
    let firstWeight: UInt32
    let lastWeight: UInt32
    let weight: UInt64

    /// Whether it takes one of the source's, all of it.
    var isOne: Bool { first == last && firstWeight == 256 }

    func weight(of index: Int) -> UInt32 {
      index == first ? firstWeight : index == last ? lastWeight : 256
    }
  }

  /// The parts of the result's pixels, without gaps; zeros where no row came.
  private(set) var samples: [UInt8]
  private let parts: Int
  private let columns: [Reach]
  private let bands: [Reach]
  /// The sum of each column's rows in 256ths: 255 · 256 · 65,000 fits.
  private var sums: [UInt32]
  private var row = 0
  private var band = 0
  /// Whether the result is the source.
  private let isWhole: Bool

  /// - Parameters:
  ///   - size: The size of the source in pixels, at most 65,000 high.
  ///   - parts: The bytes of a pixel, 1 or 3.
  ///   - horizontal: Which columns, and into how many.
  ///   - vertical: Which rows, and into how many.
  init(_ size: PixelSize, parts: Int, _ horizontal: ScanAxis, _ vertical: ScanAxis) {
    self.parts = parts
    columns = Self.reaches(horizontal.edges(of: size.width, parts: 256), size.width)
    bands = Self.reaches(vertical.edges(of: size.height, parts: 256), size.height)
    // One more, for pixels of three parts are read as four.
    sums = [UInt32](repeating: 0, count: size.width * parts + 1)
    samples = [UInt8](repeating: 0, count: columns.count * parts * bands.count)
    isWhole =
      columns.count == size.width && bands.count == size.height
      && columns.allSatisfy(\.isOne) && bands.allSatisfy(\.isOne)
  }

  /// Averages a part of a picture that is there as a whole.
  ///
  /// - Returns: The parts of the result's pixels, without gaps.
  package static func reduce(
    _ source: [UInt8], size: PixelSize, parts: Int, _ horizontal: ScanAxis, _ vertical: ScanAxis
  ) -> [UInt8] {
    var reducer = SampleReducer(size, parts: parts, horizontal, vertical)
    let length = size.width * parts
    unsafe source.withUnsafeBytes { bytes in
      for y in 0..<size.height {
        unsafe reducer.add(
          UnsafeRawBufferPointer(rebasing: bytes[y * length..<(y + 1) * length]))
      }
    }
    return reducer.samples
  }

  /// Adds a row; at least as many bytes as the source is wide.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    defer { row += 1 }
    if isWhole { return unsafe copy(bytes) }
    // Where the result has more rows than the source, several take the same one.
    while band < bands.count, bands[band].first <= row {
      let reach = bands[band]
      unsafe add(bytes, weight: reach.weight(of: row))
      guard row == reach.last else { return }
      finish(reach)
    }
  }

  private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    let length = columns.count * parts
    guard row < bands.count, bytes.count >= length else { return }
    unsafe samples.withUnsafeMutableBytes { samples in
      unsafe UnsafeMutableRawBufferPointer(
        rebasing: samples[row * length..<(row + 1) * length]
      ).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
    }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, weight: UInt32) {
    let count = min(sums.count - 1, bytes.count)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      // Safety: both are at least `count` long; the compiler makes vectors of plain pointers only.
      guard let target = sums.baseAddress,
        let source = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      else { return }
      if weight == 256 {
        for index in 0..<count {
          unsafe target[index] &+= UInt32(source[index]) &<< 8
        }
      } else {
        for index in 0..<count {
          unsafe target[index] &+= UInt32(source[index]) &* weight
        }
      }
    }
  }

  private mutating func finish(_ reach: Reach) {
    let start = band * columns.count * parts
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      unsafe samples.withUnsafeMutableBufferPointer { samples in
        var place = start
        for column in columns {
          let share = column.weight &* reach.weight
          // Rounds as the division does: below 2³¹ the product is off by less than the next quotient is away.
          let inverse = share < 1 << 31 ? (1 + 0x1p-41) / Double(share) : 0
          if parts == 3, share < 1 << 24 {
            // 255 and a half of the share fit into 32 bits.
            let pixel = unsafe Self.sum(sums, column) &+ UInt32(truncatingIfNeeded: share / 2)
            for part in 0..<3 {
              unsafe samples[place &+ part] = UInt8(
                truncatingIfNeeded: Int(Double(pixel[part]) * inverse))
            }
            place &+= 3
            continue
          }
          for part in 0..<parts {
            let sum = unsafe Self.sum(sums, column, part: part, of: parts) &+ share / 2
            unsafe samples[place] =
              inverse > 0
              ? UInt8(truncatingIfNeeded: Int(Double(sum) * inverse)) : UInt8(clamping: sum / share)
            place &+= 1
          }
        }
      }
      unsafe sums.update(repeating: 0)
    }
    band += 1
  }

  /// The sums of a pixel's three parts, and of a fourth that does not count.
  @inline(__always)
  private static func sum(
    _ sums: UnsafeMutableBufferPointer<UInt32>, _ column: Reach
  ) -> SIMD4<UInt32> {
    // Safety: the last pixel has one sum behind it.
    let bytes = UnsafeRawBufferPointer(sums)
    @inline(__always) func pixel(_ index: Int) -> SIMD4<UInt32> {
      unsafe bytes.loadUnaligned(fromByteOffset: index &* 12, as: SIMD4<UInt32>.self)
    }
    let sum = pixel(column.first) &* column.firstWeight
    guard column.last > column.first else { return sum }
    var whole = SIMD4<UInt32>()
    var index = column.first &+ 1
    while index < column.last {
      whole &+= pixel(index)
      index &+= 1
    }
    return sum &+ (whole &<< 8) &+ pixel(column.last) &* column.lastWeight
  }

  @inline(__always)
  private static func sum(
    _ sums: UnsafeMutableBufferPointer<UInt32>, _ column: Reach, part: Int, of parts: Int
  ) -> UInt64 {
    var at = column.first &* parts &+ part
    let sum = UInt64(unsafe sums[at]) &* UInt64(column.firstWeight)
    guard column.last > column.first else { return sum }
    let end = column.last &* parts &+ part
    at &+= parts
    var whole: UInt64 = 0
    while at < end {
      whole &+= UInt64(unsafe sums[at])
      at &+= parts
    }
    return sum &+ whole &* 256 &+ UInt64(unsafe sums[end]) &* UInt64(column.lastWeight)
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
