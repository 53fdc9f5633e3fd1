internal import CZlib

/// zlib's inflating, one stream after another.
@safe
struct Inflater: ~Copyable {
  // Safety: zlib keeps the address; allocated by the initialiser and freed by `deinit`.
  private let stream: UnsafeMutablePointer<z_stream>
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// Allocates its state, or returns `nil` when there is no memory.
  init?() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe cz_inflate_init_wrapped(stream) == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Adds the bytes of a zlib stream (RFC 1950) to others.
  ///
  /// - Parameters:
  ///   - packed: The stream; bytes behind its end do not matter.
  ///   - bytes: What is added to; as it was when there is an error.
  ///   - limit: The most bytes that are added.
  /// - Returns: Whether the stream is whole and its bytes are no more than that.
  mutating func expand(
    _ packed: UnsafeRawBufferPointer, into bytes: inout [UInt8], limit: Int
  ) -> Bool {
    let start = bytes.count
    // Deflate, and not gzip's wrapping.
    guard let first = unsafe packed.first, first & 15 == 8, unsafe inflateReset(stream) == Z_OK
    else {
      return false
    }
    let source = unsafe packed.baseAddress?.assumingMemoryBound(to: UInt8.self)
    // Safety: zlib does not write to what it reads.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source)
    unsafe stream.pointee.avail_in = UInt32(clamping: packed.count)
    while true {
      let (status, count) = unsafe chunk.withUnsafeMutableBufferPointer { buffer in
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(clamping: buffer.count)
        let status = unsafe inflate(stream, Z_NO_FLUSH)
        return (status, buffer.count - Int(unsafe stream.pointee.avail_out))
      }
      bytes += chunk[..<count]
      guard bytes.count - start <= limit, status == Z_STREAM_END || (status == Z_OK && count > 0)
      else {
        bytes.removeLast(bytes.count - start)
        return false
      }
      if status == Z_STREAM_END { return true }
    }
  }
}
