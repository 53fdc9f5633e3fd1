/// Method 8 over zlib.
final class InflateDecoder: EntryDecoder {
  private let handle: InflateHandle
  private var isFirst = true

  init() throws(DecodeError) { handle = try InflateHandle() }

  /// The state of zlib 1.2 and 1.3 with its 32 KiB window.
  var memoryNeed: UInt64 { 48 << 10 }

  func reset(for coding: EntryCoding) throws(DecodeError) -> Bool {
    handle.reset()
    isFirst = true
    return true
  }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    defer { isFirst = false }
    return try handle.step(input, isWhole: isFirst && isFinal, into: &output)
  }
}
