/// The carry-less range decoder of PPMd's variant I.
struct PpmdRangeDecoder {
  private static let top: UInt32 = 1 << 24
  private static let bottom: UInt32 = 1 << 15

  private var low: UInt32 = 0
  private var code: UInt32 = 0
  private var range = UInt32.max
  /// Bytes of the code still to be read at the beginning.
  private var missing = 4

  /// Takes the bytes that the next threshold depends on; false when the input ends before.
  @inline(__always)
  mutating func normalize(_ input: RawSpan, _ position: inout Int) -> Bool {
    while missing > 0 {
      guard let byte = Self.next(input, &position) else { return false }
      code = code << 8 | byte
      missing -= 1
    }
    while true {
      if low ^ (low &+ range) >= Self.top {
        guard range < Self.bottom else { return true }
      }
      guard let byte = Self.next(input, &position) else { return false }
      // The range is cut only together with the shift, as this may be tried again.
      if low ^ (low &+ range) >= Self.top { range = (0 &- low) & (Self.bottom - 1) }
      code = code << 8 | byte
      range <<= 8
      low <<= 8
    }
  }

  @inline(__always)
  private static func next(_ input: RawSpan, _ position: inout Int) -> UInt32? {
    guard position < input.byteCount else { return nil }
    defer { position += 1 }
    return UInt32(input.byte(at: position))
  }

  /// Divides the range into `total` parts and returns the part the code is in, which damage puts outside.
  @inline(__always)
  mutating func threshold(of total: UInt32) -> UInt32 {
    range /= max(total, 1)
    return code / max(range, 1)
  }

  /// Narrows the range to some of its parts.
  @inline(__always)
  mutating func narrow(from start: UInt32, count: UInt32) {
    let start = start &* range
    low &+= start
    code &-= start
    range &*= count
  }
}
