internal import CZlib

/// One `z_stream` that takes a content coding off.
@safe
final class InflateHandle {
  /// What a step led to.
  enum Step: Equatable {
    /// The input is used up.
    case needsInput
    /// The output is full.
    case needsRoom
    /// The stream ended, its trailer checked.
    case ended
    /// The stream is damaged; at its trailer or before.
    case damaged(atTrailer: Bool)
  }

  // A class with its stream on the heap, because zlib keeps the stream's address.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates a stream; `nil` when zlib has no memory.
  ///
  /// - Parameter isRaw: Whether the deflate stream has neither gzip nor zlib wrapping.
  init?(isRaw: Bool) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = isRaw ? unsafe cz_inflate_init_raw(stream) : unsafe cz_inflate_init_wrapped(stream)
    guard status == Z_OK else { return nil }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  /// Begins another stream (the next member of a gzip file).
  func reset() { unsafe _ = inflateReset(stream) }

  /// Inflates from one buffer into another.
  ///
  /// - Returns: What it led to, how many bytes were used and how many were made.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> (step: Step, used: Int, made: Int) {
    guard let from = input.baseAddress, let to = output.baseAddress else {
      return (.needsInput, 0, 0)
    }
    // Safety: zlib reads through `next_in` without writing, in spite of its type.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: from.assumingMemoryBound(to: Bytef.self))
    unsafe stream.pointee.avail_in = uInt(clamping: input.count)
    unsafe stream.pointee.next_out = to.assumingMemoryBound(to: Bytef.self)
    unsafe stream.pointee.avail_out = uInt(clamping: output.count)
    let status = unsafe inflate(stream, Z_NO_FLUSH)
    let used = unsafe input.count - Int(stream.pointee.avail_in)
    let made = unsafe output.count - Int(stream.pointee.avail_out)
    switch status {
    case Z_STREAM_END: return (.ended, used, made)
    case Z_OK, Z_BUF_ERROR:
      return (unsafe stream.pointee.avail_out == 0 ? .needsRoom : .needsInput, used, made)
    default:
      let text = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? ""
      return (
        .damaged(atTrailer: ["incorrect data check", "incorrect length check"].contains(text)),
        used, made
      )
    }
  }
}
