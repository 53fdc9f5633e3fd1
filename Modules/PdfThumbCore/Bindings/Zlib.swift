internal import CZlib

/// The two things pictures need of zlib.
package enum Zlib {
  /// The bytes as a zlib stream (RFC 1950), or `nil` when zlib has no memory.
  package static func compress(_ bytes: [UInt8], level: Int) -> [UInt8]? {
    guard let length = UInt32(exactly: bytes.count) else { return nil }
    var stream = unsafe z_stream()
    // Safety: zlib keeps the address, which is the same within this call.
    return unsafe withUnsafeMutablePointer(to: &stream) { stream in
      // A small window is cleared in half the time, and finds all that a thumbnail repeats.
      let windowBits: Int32 = bytes.count <= 1 << 15 ? 13 : 15
      guard unsafe cz_deflate_init(stream, Int32(level), windowBits) == Z_OK else { return nil }
      defer { unsafe deflateEnd(stream) }
      let room = Int(unsafe deflateBound(stream, uLong(length)))
      var status = Z_OK
      let packed = unsafe bytes.withUnsafeBufferPointer { source in
        // zlib does not write to what it reads.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.pointee.avail_in = length
        return unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
          unsafe stream.pointee.next_out = buffer.baseAddress
          unsafe stream.pointee.avail_out = UInt32(clamping: buffer.count)
          status = unsafe deflate(stream, Z_FINISH)
          count = buffer.count - Int(unsafe stream.pointee.avail_out)
        }
      }
      return status == Z_STREAM_END ? packed : nil
    }
  }

  /// The bytes of a zlib stream, or `nil` when it is damaged or they are more than `limit`.
  static func expand(_ packed: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    guard var inflater = Inflater() else { return nil }
    var bytes: [UInt8] = []
    return unsafe inflater.expand(packed, into: &bytes, limit: limit) ? bytes : nil
  }

  /// The CRC-32 of PNG's chunks.
  static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe cz_crc32(0, $0.baseAddress, $0.count) }
  }
}
