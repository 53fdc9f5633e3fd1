internal import CZlib

/// The two things pictures need of zlib.
package enum Zlib {
  /// The bytes as a zlib stream (RFC 1950), or `nil` when zlib has no memory.
  package static func compress(_ bytes: [UInt8], level: Int) -> [UInt8]? {
    let room = Int(compressBound(uLong(bytes.count)))
    var failed = false
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      var length = uLongf(buffer.count)
      let status = unsafe compress2(
        buffer.baseAddress, &length, bytes, uLong(bytes.count), Int32(level))
      failed = status != Z_OK
      count = failed ? 0 : Int(length)
    }
    return failed ? nil : packed
  }

  /// The CRC-32 of PNG's chunks.
  static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe cz_crc32(0, $0.baseAddress, $0.count) }
  }
}
