/// Method 0: hands the bytes through.
final class StoredDecoder: EntryDecoder {
  private var left: UInt64

  init(_ coding: EntryCoding) { left = coding.compressedSize }

  var memoryNeed: UInt64 { 0 }

  func reset(for coding: EntryCoding) throws(DecodeError) -> Bool {
    left = coding.compressedSize
    return true
  }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    let room = min(input.byteCount, output.freeCapacity)
    let count = left < UInt64(room) ? Int(left) : room
    if count > 0 {
      // Safety: `count` bytes are there in the input and free in the output; they do not overlap, as the
      // output is exclusively ours.
      unsafe input.withUnsafeBytes { source in
        unsafe output.withUnsafeMutableBytes { target, used in
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[used..<(used + count)])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
          used += count
        }
      }
    }
    left -= UInt64(count)
    return DecodeStep(consumed: count, isFinished: left == 0)
  }
}
