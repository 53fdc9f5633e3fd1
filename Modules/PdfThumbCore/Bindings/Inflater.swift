internal import CZlib

/// zlib's inflating, one stream after another.
@safe
struct Inflater: ~Copyable {
  // Safety: zlib keeps the address; allocated by the initialiser and freed by `deinit`.
  private let stream: UnsafeMutablePointer<z_stream>
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  /// Whether the stream came to its end, its checksum being right.
  private(set) var isFinished = true

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

  /// Begins with a zlib stream (RFC 1950).
  ///
  /// - Parameter packed: The stream, which outlives the reading of it; bytes behind its end do not matter.
  /// - Returns: Whether it looks like one.
  @unsafe
  mutating func begin(_ packed: UnsafeRawBufferPointer) -> Bool {
    // Deflate, and not gzip's wrapping.
    guard let first = unsafe packed.first, first & 15 == 8, unsafe inflateReset(stream) == Z_OK
    else { return false }
    let source = unsafe packed.baseAddress?.assumingMemoryBound(to: UInt8.self)
    // Safety: zlib does not write to what it reads.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source)
    unsafe stream.pointee.avail_in = UInt32(clamping: packed.count)
    isFinished = false
    return true
  }

  /// Fills a buffer of less than 4 GiB with the next bytes.
  ///
  /// - Returns: The bytes written; fewer than there is room for at the end, and where the stream is damaged.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !isFinished else { return 0 }
    unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(clamping: buffer.count)
    while unsafe stream.pointee.avail_out > 0 {
      let status = unsafe inflate(stream, Z_NO_FLUSH)
      isFinished = status == Z_STREAM_END
      guard status == Z_OK else { break }
    }
    return buffer.count - Int(unsafe stream.pointee.avail_out)
  }

  /// Adds the bytes of a zlib stream to others.
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
    guard unsafe begin(packed) else { return false }
    var chunk: [UInt8] = []
    swap(&chunk, &self.chunk)
    defer { swap(&chunk, &self.chunk) }
    while !isFinished {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(into: $0) }
      bytes += chunk[..<count]
      guard bytes.count - start <= limit, isFinished || count == chunk.count else {
        bytes.removeLast(bytes.count - start)
        return false
      }
    }
    return true
  }
}
