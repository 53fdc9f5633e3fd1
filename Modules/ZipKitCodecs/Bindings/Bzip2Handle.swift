internal import CBzip2
internal import ZipKitCore

/// Owns one `bz_stream` set up for decompression.
@safe
struct Bzip2Handle: ~Copyable {
  // Safety: libbz2 checks that its state points back to the stream, so the stream lives on the heap and
  // never moves; allocated here, freed in deinit, used by one thread at a time.
  private let stream: UnsafeMutablePointer<bz_stream>

  init() throws(DecodeError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: bz_stream())
    guard unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else {
      unsafe stream.deallocate()
      throw .noMemory(for: "bzip2")
    }
  }

  deinit {
    unsafe BZ2_bzDecompressEnd(stream)
    unsafe stream.deallocate()
  }

  /// One call of `BZ2_bzDecompress`.
  /// - Returns: The library's number, which is `BZ_OK`, `BZ_STREAM_END` or an error, and the bytes used up.
  func step(_ input: RawSpan, into output: inout OutputRawSpan) -> (status: Int32, consumed: Int) {
    var status = BZ_OK
    let consumed = unsafe StreamRegions.lend(input, &output) { regions in
      // Safety: the library only reads its input, whose pointer is not const in its declaration.
      unsafe stream.pointee.next_in = unsafe UnsafeMutableRawPointer(mutating: regions.input)?
        .assumingMemoryBound(to: CChar.self)
      unsafe stream.pointee.avail_in = unsafe regions.given
      unsafe stream.pointee.next_out = unsafe UnsafeMutableRawPointer(regions.output)?
        .assumingMemoryBound(to: CChar.self)
      unsafe stream.pointee.avail_out = unsafe regions.room
      status = unsafe BZ2_bzDecompress(stream)
      return (
        Int(unsafe regions.given - stream.pointee.avail_in),
        Int(unsafe regions.room - stream.pointee.avail_out)
      )
    }
    return (status, consumed)
  }

  /// Whether a number of the library says that the stream is at its end.
  static func isEnd(_ status: Int32) -> Bool { status == BZ_STREAM_END }

  /// The error a number of the library stands for, or nil when it is none.
  static func error(_ status: Int32) -> DecodeError? {
    switch status {
    case BZ_OK, BZ_STREAM_END: nil
    case BZ_MEM_ERROR: .noMemory(for: "bzip2")
    case BZ_DATA_ERROR_MAGIC: .bzip2Magic(status)
    default: .bzip2Data(status)
    }
  }
}
