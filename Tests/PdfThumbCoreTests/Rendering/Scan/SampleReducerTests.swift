import PdfThumbCore
import TestSupport
import Testing

@Suite struct `Samples averaged into fewer` {
  /// How much of each of the source's columns or rows falls into a target's, in 256ths.
  private static func weights(of length: Int, into count: Int) -> [[(index: Int, weight: Int)]] {
    let edges = (0...count).map {
      Int((Double($0) / Double(count) * Double(length * 256)).rounded())
    }
    return (0..<count).map { target in
      (0..<length).compactMap { index in
        let weight = min(edges[target + 1], (index + 1) * 256) - max(edges[target], index * 256)
        return weight > 0 ? (index, weight) : nil
      }
    }
  }

  private static func expected(
    _ source: [UInt8], size: PixelSize, parts: Int, into target: PixelSize
  ) -> [UInt8] {
    let columns = weights(of: size.width, into: target.width)
    let rows = weights(of: size.height, into: target.height)
    var result: [UInt8] = []
    for row in rows {
      for column in columns {
        for part in 0..<parts {
          var (sum, share) = (0, 0)
          for (y, height) in row {
            for (x, width) in column {
              sum += Int(source[(y * size.width + x) * parts + part]) * width * height
              share += width * height
            }
          }
          result.append(UInt8((sum + share / 2) / share))
        }
      }
    }
    return result
  }

  /// Whole factors, odd ones, hardly any, and so great that sums take more than 32 bits.
  @Test(
    arguments: [1, 3],
    [
      (30, 20, 10, 10), (31, 23, 10, 7), (7, 5, 6, 5), (7, 5, 7, 5), (1, 1, 1, 1), (64, 3, 1, 3),
      (40, 40, 2, 2), (41, 39, 2, 2), (600, 500, 1, 1),
    ])
  func `are the true averages`(parts: Int, sizes: (Int, Int, Int, Int)) {
    let size = PixelSize(width: sizes.0, height: sizes.1)
    let target = PixelSize(width: sizes.2, height: sizes.3)
    for source in [
      SeededRandom.bytes(size.width * size.height * parts),
      [UInt8](repeating: 255, count: size.width * size.height * parts),
    ] {
      let found = SampleReducer.reduce(
        source, size: size, parts: parts,
        ScanAxis(start: 0, step: 1 / Double(target.width), count: target.width),
        ScanAxis(start: 0, step: 1 / Double(target.height), count: target.height))
      #expect(found == Self.expected(source, size: size, parts: parts, into: target))
    }
  }
}
