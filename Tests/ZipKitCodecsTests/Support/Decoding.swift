import Testing
import ZipKitCodecs
import ZipKitCore

/// What came out of a decoder, and how it ended.
struct Decoded: CustomTestStringConvertible {
  var bytes: [UInt8] = []
  var consumed = 0
  var isFinished = false
  var error: DecodeError?
  /// Calls that neither took nor gave anything although they could have.
  var idleCalls = 0

  /// Whether the stream ended without error after these bytes, all of it used.
  func isWhole(_ plain: ArraySlice<UInt8>, consumed: Int) -> Bool {
    error == nil && isFinished && bytes[...] == plain && self.consumed == consumed
  }

  var testDescription: String {
    "\(bytes.count) bytes of \(consumed), finished: \(isFinished), idle: \(idleCalls), \(error?.message ?? "no error")"
  }
}

/// Feeds a decoder in pieces, as an extraction does: `piece` bytes of input and `room` bytes of output at
/// a time, up to `limit` bytes of output.
func run(
  _ decoder: any EntryDecoder, _ input: [UInt8], piece: Int = .max, room: Int = 1 << 16,
  limit: Int = 1 << 26, beginsWhole: Bool = false
) -> Decoded {
  var result = Decoded()
  var begin = 0
  var end = beginsWhole ? input.count : 0
  var isFirst = true
  var buffer = [UInt8](repeating: 0xEE, count: room)
  do throws(DecodeError) {
    while !result.isFinished && result.bytes.count < limit {
      // More input only when the last call used up what it had.
      if begin == end { end = min(input.count, piece > input.count ? input.count : end + piece) }
      let isFinal = end == input.count
      let (step, made) = try call(
        decoder, unsafe input.span.bytes.extracting(begin..<end), isFinal, &buffer)
      result.bytes += buffer[..<made]
      begin += step.consumed
      result.consumed = begin
      result.isFinished = step.isFinished
      if isFirst, beginsWhole { end = min(input.count, begin + piece) }
      isFirst = false
      if step.consumed == 0 && made == 0 && !step.isFinished {
        result.idleCalls += 1
        if isFinal || result.idleCalls > input.count + 8 { break }
        end = min(input.count, end + piece)
      }
    }
  } catch {
    result.error = error
  }
  return result
}

private func call(
  _ decoder: any EntryDecoder, _ input: RawSpan, _ isFinal: Bool, _ buffer: inout [UInt8]
) throws(DecodeError) -> (DecodeStep, Int) {
  var step = DecodeStep(consumed: 0, isFinished: false)
  var made = 0
  var failure: DecodeError?
  unsafe buffer.withUnsafeMutableBytes { memory in
    var output = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
    do throws(DecodeError) {
      step = try decoder.decode(input, isFinal: isFinal, into: &output)
    } catch {
      failure = error
    }
    made = unsafe output.finalize(for: memory)
  }
  if let failure { throw failure }
  return (step, made)
}

/// A decoder out of the complete registry.
func decoder(for coding: EntryCoding) throws -> any EntryDecoder {
  guard let decoder = try DecoderRegistry.complete.decoder(for: coding) else {
    throw DecodeError(.unsupported, "no decoder of method \(coding.method.rawValue)")
  }
  return decoder
}
