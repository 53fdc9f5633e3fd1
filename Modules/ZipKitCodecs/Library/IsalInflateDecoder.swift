internal import ZipKitCore

/// Method 8 over ISA-L.
final class IsalInflateDecoder: EntryDecoder {
  private let handle: IsalInflateHandle
  private var size: UInt64?
  private var isFirst = true

  init(_ coding: EntryCoding) throws(DecodeError) {
    handle = try IsalInflateHandle()
    size = coding.size
  }

  var memoryNeed: UInt64 { IsalInflateHandle.size }

  func reset(for coding: EntryCoding) throws(DecodeError) -> Bool {
    handle.reset()
    size = coding.size
    isFirst = true
    return true
  }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    defer { isFirst = false }
    if isFirst, isFinal, input.byteCount <= Int(UInt32.max), let size,
      UInt64(output.freeCapacity) >= size
    {
      // Everything is here and should fit: no history has to be kept. When the sizes lied, the same
      // bytes are taken the long way, which tells exactly how far they go.
      let whole = handle.step(input, isWhole: true, into: &output)
      if whole.status == 0, whole.isFinished {
        return DecodeStep(consumed: whole.consumed, isFinished: true)
      }
      handle.reset()
    }
    let outcome = handle.step(input, isWhole: false, into: &output)
    guard outcome.status >= 0 else { throw .deflateData(outcome.status) }
    return DecodeStep(consumed: outcome.consumed, isFinished: outcome.isFinished)
  }
}
