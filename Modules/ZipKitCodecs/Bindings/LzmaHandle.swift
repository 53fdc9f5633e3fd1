internal import CLzma
internal import ZipKitCore

/// Owns one `lzma_stream` set up as a decoder.
@safe
struct LzmaHandle: ~Copyable {
  // Safety: allocated here, freed in deinit after lzma_end, used by one thread at a time.
  private let stream: UnsafeMutablePointer<lzma_stream>

  /// An empty stream, to be set up by ``beginRaw(_:size:)`` or ``beginXz(memoryLimit:)``.
  init() {
    unsafe stream = .allocate(capacity: 1)
    // LZMA_STREAM_INIT is all zeros.
    unsafe stream.initialize(to: lzma_stream())
  }

  deinit {
    unsafe lzma_end(stream)
    unsafe stream.deallocate()
  }

  /// Makes it a decoder of a raw LZMA1 stream.
  ///
  /// It ends after `size` bytes, or at an end mark when that is nil.
  func beginRaw(_ properties: LzmaProperties, size: UInt64?) throws(DecodeError) {
    let status = unsafe clzma_raw_decoder(
      stream, properties.dictionary, properties.literalContext, properties.literalPosition,
      properties.position, size == nil ? 0 : 1, size ?? 0)
    if let error = Self.error(status, "LZMA") { throw error }
  }

  /// Makes it a decoder of an XZ stream.
  func beginXz(memoryLimit: UInt64) throws(DecodeError) {
    let status = unsafe lzma_stream_decoder(stream, max(memoryLimit, 1), 0)
    if let error = Self.error(status, "XZ") { throw error }
  }

  /// Bytes a raw decoder takes, or nil when liblzma does not know such properties.
  static func memory(for properties: LzmaProperties) -> UInt64? {
    let need = clzma_raw_decoder_memory(
      properties.dictionary, properties.literalContext, properties.literalPosition,
      properties.position)
    return need == UInt64.max ? nil : need
  }

  /// Bytes the decoder takes, or would take to go on.
  var memoryUse: UInt64 { unsafe lzma_memusage(stream) }

  /// One call of `lzma_code`, never with `LZMA_FINISH`: after that, the library wants to be given exactly what
  /// it left, while a caller may give less at a time.
  /// - Returns: The library's number and the bytes used up.
  func step(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) -> (status: lzma_ret, consumed: Int) {
    var status = LZMA_OK
    let consumed = unsafe StreamRegions.lend(input, &output) { regions in
      unsafe stream.pointee.next_in = unsafe regions.input
      unsafe stream.pointee.avail_in = unsafe Int(regions.given)
      unsafe stream.pointee.next_out = unsafe regions.output
      unsafe stream.pointee.avail_out = unsafe Int(regions.room)
      status = unsafe lzma_code(stream, LZMA_RUN)
      return (
        unsafe Int(regions.given) - stream.pointee.avail_in,
        unsafe Int(regions.room) - stream.pointee.avail_out
      )
    }
    return (status, consumed)
  }

  /// Whether a number of the library says that the stream is at its end.
  static func isEnd(_ status: lzma_ret) -> Bool { status == LZMA_STREAM_END }

  /// Whether a number of the library says that the memory limit is in the way.
  static func isMemoryLimit(_ status: lzma_ret) -> Bool { status == LZMA_MEMLIMIT_ERROR }

  /// The error a number of the library stands for, or nil when it is none.
  static func error(_ status: lzma_ret, _ method: String) -> DecodeError? {
    let number = Int32(status.rawValue)
    switch status {
    case LZMA_OK, LZMA_STREAM_END, LZMA_NO_CHECK, LZMA_GET_CHECK, LZMA_BUF_ERROR: return nil
    case LZMA_MEM_ERROR: return .noMemory(for: method)
    case LZMA_FORMAT_ERROR: return .xzMagic(number)
    case LZMA_OPTIONS_ERROR: return .lzmaOptions(method, number)
    default: return .lzmaData(method, number)
    }
  }
}
