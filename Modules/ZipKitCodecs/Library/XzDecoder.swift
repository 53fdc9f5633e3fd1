internal import ZipKitCore

/// Method 95 over liblzma: one XZ stream, its own checks verified.
final class XzDecoder: EntryDecoder {
  private let handle = LzmaHandle()
  private var memoryLimit: UInt64

  init(_ coding: EntryCoding) throws(DecodeError) {
    memoryLimit = coding.memoryLimit
    try handle.beginXz(memoryLimit: memoryLimit)
  }

  func reset(for coding: EntryCoding) throws(DecodeError) -> Bool {
    memoryLimit = coding.memoryLimit
    try handle.beginXz(memoryLimit: memoryLimit)
    return true
  }

  /// Known once the block header is read; what liblzma takes without a dictionary before.
  var memoryNeed: UInt64 { handle.memoryUse }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    let (status, consumed) = handle.step(input, into: &output)
    if LzmaHandle.isMemoryLimit(status) {
      throw .memory("XZ", need: handle.memoryUse, limit: memoryLimit)
    }
    if let error = LzmaHandle.error(status, "XZ") { throw error }
    return DecodeStep(consumed: consumed, isFinished: LzmaHandle.isEnd(status))
  }
}
