/// Digests of the pieces that a file divides into, so that damage can be mended without a whole download.
///
/// Source: RFC 5854 section 4.2.13, `metalink:pieces`.
public struct PieceChecksums: Hashable, Sendable {
  /// The length of each piece but the last, in bytes; more than 0.
  public let length: UInt64
  /// The digest of each piece, in order.
  public let checksums: [Checksum]

  /// Creates a list; `nil` for pieces of no length.
  public init?(length: UInt64, checksums: [Checksum]) {
    guard length > 0 else { return nil }
    (self.length, self.checksums) = (length, checksums)
  }

  /// How many pieces cover a file.
  static func count(covering size: UInt64, length: UInt64) -> UInt64 {
    size / length + (size % length == 0 ? 0 : 1)
  }

  /// Whether the pieces cover a file of a size exactly.
  func covers(_ size: UInt64) -> Bool {
    Self.count(covering: size, length: length) == UInt64(checksums.count)
  }

  /// Where a piece of a file is; the index must be one of ``checksums``.
  func range(of index: Int, size: UInt64) -> Range<UInt64> {
    let start = min(size, UInt64(index) * length)
    return start..<min(size, start + min(length, size - start))
  }
}
