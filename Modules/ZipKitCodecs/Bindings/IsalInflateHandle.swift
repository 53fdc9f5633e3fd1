internal import CIsal
internal import ZipKitCore

/// Owns one `inflate_state` of ISA-L, set up for a raw deflate stream.
@safe
struct IsalInflateHandle: ~Copyable {
  // Safety: allocated by cisal_inflate_new, freed in deinit, used by one thread at a time; the library
  // keeps no pointer into the caller's buffers between calls that it would follow.
  private let state: OpaquePointer

  /// What one call did.
  struct Outcome {
    /// The number the library returned.
    var status: Int32
    var consumed: Int
    var isFinished: Bool
  }

  /// Bytes of one state.
  static var size: UInt64 { UInt64(cisal_inflate_size()) }

  init() throws(DecodeError) {
    guard let state = unsafe cisal_inflate_new() else { throw .noMemory(for: "inflate") }
    unsafe self.state = unsafe state
    reset()
  }

  deinit { unsafe cisal_inflate_free(state) }

  func reset() { unsafe cisal_inflate_reset(state) }

  /// One call of `isal_inflate`, or of `isal_inflate_stateless` where the caller vouches that the whole
  /// stream is there and its output fits.
  func step(_ input: RawSpan, isWhole: Bool, into output: inout OutputRawSpan) -> Outcome {
    var status: Int32 = 0
    var finished: Int32 = 0
    let consumed = unsafe StreamRegions.lend(input, &output) { regions in
      var consumed: UInt32 = 0
      var produced: UInt32 = 0
      status = unsafe cisal_inflate_step(
        state, regions.input, regions.given, regions.output, regions.room, isWhole ? 1 : 0,
        &consumed, &produced, &finished)
      // A stateless call that overflows or ends early cannot be continued: its output does not count.
      if isWhole && (status != 0 || finished == 0) { return (0, 0) }
      return (Int(consumed), Int(produced))
    }
    return Outcome(status: status, consumed: consumed, isFinished: finished != 0)
  }
}

/// ISA-L's CRC-32.
enum IsalChecksum {
  /// Continues a CRC-32 over more bytes; begins with 0.
  static func crc32(_ crc: UInt32, _ bytes: RawSpan) -> UInt32 {
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, buffer.count > 0 else { return crc }
      return unsafe cisal_crc32(crc, base, buffer.count)
    }
  }
}

/// The CRC-32 of bzip2's blocks, over ISA-L: that of zip with the highest bit of each byte first.
enum BlockChecksum {
  /// Continues a CRC-32 over more bytes; begins with 0.
  static func crc32(_ crc: UInt32, _ bytes: RawSpan) -> UInt32 {
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, buffer.count > 0 else { return crc }
      return unsafe cisal_crc32_high_first(crc, base, buffer.count)
    }
  }
}
