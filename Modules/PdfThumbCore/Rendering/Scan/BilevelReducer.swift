/// Averages the rows of a picture of two values into a smaller one, as they come from the top.
///
/// A row is given by where its value changes, which is all that fax coding tells, so no pixel is ever stored: a run
/// counts where it begins and where it ends, and one sum a band of rows does the rest.
struct BilevelReducer {
  /// The share of ones in each pixel of the result, from 0 to 255.
  private(set) var shares: [UInt8] = []
  private let columns: [Int]
  private let rows: [Int]
  private var edges: [Int32]
  private var row = 0
  private var band = 0

  /// Whether averaging takes whole pixels without showing it: two or more of them become one.
  static func suits(_ size: PixelSize, _ horizontal: ScanAxis, _ vertical: ScanAxis) -> Bool {
    Double(size.width) * horizontal.step >= 2 && Double(size.height) * vertical.step >= 2
  }

  /// - Parameters:
  ///   - size: The size of the image in pixels.
  ///   - horizontal: What of the rows is averaged.
  ///   - vertical: Which rows are averaged.
  init(_ size: PixelSize, _ horizontal: ScanAxis, _ vertical: ScanAxis) {
    columns = horizontal.edges(of: size.width)
    rows = vertical.edges(of: size.height)
    shares.reserveCapacity(horizontal.count * vertical.count)
    edges = [Int32](repeating: 0, count: size.width + 1)
  }

  /// Adds a row.
  ///
  /// - Parameter changes: Where runs of ones begin and end in turn, ascending, at most the image's width; beyond an
  ///   odd number of them the row is ones to its end.
  mutating func add(_ changes: Span<Int32>) {
    defer { row += 1 }
    guard band < rows.count - 1, row >= rows[0] else { return }
    var step: Int32 = 1
    for index in changes.indices {
      edges[Int(changes[index])] &+= step
      step = -step
    }
    if row + 1 == rows[band + 1] { finishBand() }
  }

  private mutating func finishBand() {
    let height = rows[band + 1] - rows[band]
    var level: Int32 = 0
    var column = 0
    while column < columns[0] {
      level &+= edges[column]
      column += 1
    }
    for index in 1..<columns.count {
      let end = columns[index]
      let count = max(1, (end - column) * height)
      var sum: Int32 = 0
      while column < end {
        level &+= edges[column]
        sum &+= level
        column += 1
      }
      shares.append(UInt8(clamping: (Int(sum) * 255 + count / 2) / count))
    }
    for index in edges.indices { edges[index] = 0 }
    band += 1
  }
}

/// Where the bits of a row change.
struct BitChanges {
  /// The changes of the last row, the first one from 0 to 1.
  private(set) var places: [Int32] = []

  /// Finds the changes of a row.
  ///
  /// - Parameters:
  ///   - row: The bits, the first one highest; at least as many as `width`.
  ///   - width: The number of bits.
  mutating func find(in row: UnsafeRawBufferPointer, width: Int) {
    places.removeAll(keepingCapacity: true)
    var previous: UInt64 = 0
    var base = 0
    while base < width {
      let start = base / 8
      var word: UInt64 = 0
      if start + 8 <= row.count {
        word = UInt64(bigEndian: unsafe row.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      } else {
        for index in 0..<8 {
          word = word &<< 8 | (start + index < row.count ? UInt64(unsafe row[start + index]) : 0)
        }
      }
      var changes = word ^ (word &>> 1 | previous &<< 63)
      previous = word & 1
      while changes != 0 {
        let bit = changes.leadingZeroBitCount
        guard base + bit < width else { return }
        places.append(Int32(truncatingIfNeeded: base + bit))
        changes &= ~(1 &<< UInt64(63 - bit))
      }
      base += 64
    }
  }
}
