internal import ZipKitCore

/// Method 12 over libbz2.
final class Bzip2Decoder: EntryDecoder {
  private let handle: Bzip2Handle

  init() throws(DecodeError) { handle = try Bzip2Handle() }

  /// What libbz2 takes for blocks of 900 kB, the largest there are.
  var memoryNeed: UInt64 { 3_700_000 }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    let (status, consumed) = handle.step(input, into: &output)
    if let error = Bzip2Handle.error(status) { throw error }
    return DecodeStep(consumed: consumed, isFinished: Bzip2Handle.isEnd(status))
  }
}
