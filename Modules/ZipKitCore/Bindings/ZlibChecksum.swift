internal import CZlib

/// zlib's CRC-32.
public enum ZlibChecksum {
  /// Continues a CRC-32 over more bytes; begins with 0.
  public static func crc32(_ crc: UInt32, _ bytes: RawSpan) -> UInt32 {
    // zlib answers a null pointer with the initial value instead of the one given.
    guard bytes.byteCount > 0 else { return crc }
    return unsafe bytes.withUnsafeBytes { unsafe cz_crc32(crc, $0.baseAddress, $0.count) }
  }
}
