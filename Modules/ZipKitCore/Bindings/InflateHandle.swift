internal import CZlib

/// Owns one `z_stream` set up for raw inflate.
@safe
struct InflateHandle: ~Copyable {
  // Safety: zlib keeps a pointer back to the stream it was initialised with, so the stream lives on the
  // heap and never moves; allocated here, freed in deinit, used by one thread at a time.
  private let stream: UnsafeMutablePointer<z_stream>

  init() throws(DecodeError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe cz_inflate_init_raw(stream)
    guard status == Z_OK else {
      unsafe stream.deallocate()
      throw DecodeError(.memory, "zlib has no memory for an inflate state", libraryCode: status)
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  func reset() { unsafe _ = inflateReset(stream) }

  /// Runs `inflate` once, on no more than its 32-bit counts can hold.
  func step(
    _ input: RawSpan, isWhole: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    let most = Int(UInt32.max)
    var status = Z_OK
    var consumed = 0
    unsafe input.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { target, used in
        let room = min(target.count - used, most)
        let given = min(source.count, most)
        // Safety: both regions outlive the call, and zlib only reads the first. next_in is not const in
        // zlib's declaration.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
          mutating: source.baseAddress?.assumingMemoryBound(to: Bytef.self))
        unsafe stream.pointee.avail_in = UInt32(given)
        unsafe stream.pointee.next_out =
          target.baseAddress?.advanced(by: used).assumingMemoryBound(to: Bytef.self)
        unsafe stream.pointee.avail_out = UInt32(room)
        // Z_FINISH lets zlib do without its window when everything fits.
        status = unsafe inflate(stream, isWhole ? Z_FINISH : Z_NO_FLUSH)
        used += room - Int(unsafe stream.pointee.avail_out)
        consumed = given - Int(unsafe stream.pointee.avail_in)
      }
    }
    switch status {
    case Z_STREAM_END: return DecodeStep(consumed: consumed, isFinished: true)
    case Z_OK, Z_BUF_ERROR: return DecodeStep(consumed: consumed, isFinished: false)
    default:
      let detail = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
      throw DecodeError(
        status == Z_MEM_ERROR ? .memory : .damaged,
        "expected deflate data, found \(detail ?? "what zlib calls error \(status)")",
        libraryCode: status)
    }
  }
}
