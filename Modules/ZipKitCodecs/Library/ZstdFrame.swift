internal import ZipKitCore

/// What a Zstandard frame says of its size, and the size that it has.
struct ZstdFrame {
  /// Bytes of the longest header there is, with its magic (RFC 8878, 3.1.1.1).
  private static let longestHead = 18

  private var head: [UInt8] = []
  /// Bytes that came out of it.
  private(set) var size: UInt64 = 0

  /// Takes note of the frame's next bytes, and of how many came out of it for them.
  mutating func add(_ bytes: RawSpan, holding count: UInt64) {
    size += count
    for index in 0..<min(bytes.byteCount, Self.longestHead - head.count) {
      head.append(bytes.byte(at: index))
    }
  }

  /// The size that the frame declares; `nil` when it does not, or when it is a skippable frame.
  var declaredSize: UInt64? {
    guard head.count > 4, head[0] == 0x28 else { return nil }
    let descriptor = head[4]
    let isSingleSegment = descriptor & 0x20 != 0
    let count = [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
    let start = 5 + (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][Int(descriptor & 3)]
    guard count > 0, head.count >= start + count else { return nil }
    let field = head[start..<start + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // Two bytes begin where one ends.
    return count == 2 ? field + 256 : field
  }
}
