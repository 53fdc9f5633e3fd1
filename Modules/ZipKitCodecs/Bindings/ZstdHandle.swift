internal import CZstd
internal import ZipKitCore

/// Owns one `ZSTD_DCtx`.
@safe
struct ZstdHandle: ~Copyable {
  // Safety: created by ZSTD_createDCtx, freed in deinit, used by one thread at a time.
  private let context: OpaquePointer

  /// What one call did.
  enum Outcome {
    /// The frame goes on.
    case more
    /// The frame is complete and all of it is out.
    case endOfFrame
    case failed(DecodeError)
  }

  // `windowLog` is the largest window a frame may ask for, as a power of two.
  init(windowLog: Int32) throws(DecodeError) {
    guard let context = unsafe ZSTD_createDCtx() else { throw .noMemory(for: "Zstandard") }
    unsafe self.context = unsafe context
    unsafe _ = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowLog)
  }

  deinit { unsafe _ = ZSTD_freeDCtx(context) }

  /// Makes the context ready for another entry; parameters stay.
  func reset() { unsafe _ = ZSTD_DCtx_reset(context, ZSTD_reset_session_only) }

  /// Bytes the context holds at the moment.
  var size: UInt64 { UInt64(unsafe ZSTD_sizeof_DCtx(context)) }

  /// The smallest window limit the library accepts, as a power of two.
  static var smallestWindowLog: Int32 { ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).lowerBound }

  /// The largest window limit the library accepts, as a power of two.
  static var largestWindowLog: Int32 { ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound }

  /// One call of `ZSTD_decompressStream`.
  func step(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) -> (outcome: Outcome, consumed: Int) {
    var code = 0
    let consumed = unsafe StreamRegions.lend(input, &output) { regions in
      var source = unsafe ZSTD_inBuffer(src: regions.input, size: Int(regions.given), pos: 0)
      var target = unsafe ZSTD_outBuffer(dst: regions.output, size: Int(regions.room), pos: 0)
      code = unsafe ZSTD_decompressStream(context, &target, &source)
      return unsafe (source.pos, target.pos)
    }
    if ZSTD_isError(code) != 0 {
      let number = czstd_error_code(code)
      if czstd_is_window_too_large(code) != 0 { return (.failed(.zstdWindow(number)), consumed) }
      let reason = unsafe String(cString: ZSTD_getErrorName(code))
      return (.failed(.zstdData(reason, number)), consumed)
    }
    return (code == 0 ? .endOfFrame : .more, consumed)
  }
}
