internal import ZipKitCore

/// Method 6, with the doubt that PKZIP 1.01 and 1.02 left about the shortest match.
///
/// It is three bytes where literals have a tree of their own, and two otherwise (APPNOTE 5.3.8). Those
/// versions went by the size of the window instead. Where the two rules differ, the checksum decides.
final class ImplodeDecoder: EntryDecoder {
  private var inner: WindowDecoder<Implode>
  private var coding: EntryCoding
  private var isFirst = true

  init(_ coding: EntryCoding) {
    self.coding = coding
    inner = WindowDecoder(Implode(coding))
  }

  var memoryNeed: UInt64 { inner.memoryNeed }

  func reset(for coding: EntryCoding) throws(DecodeError) -> Bool {
    self.coding = coding
    isFirst = true
    inner = WindowDecoder(Implode(coding))
    return true
  }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    if isFirst, isFinal, isDoubtful, !isRight(Implode(coding), input) {
      let other = Implode(coding, followsWindow: true)
      if isRight(other, input) { inner = WindowDecoder(other) }
    }
    isFirst = false
    return try inner.decode(input, isFinal: isFinal, into: &output)
  }

  private var isDoubtful: Bool {
    coding.crc32 != 0
      && coding.flags.contains(.methodBit1) != coding.flags.contains(.methodBit2)
  }

  /// Whether a whole stream decodes to the declared checksum.
  private func isRight(_ method: Implode, _ input: RawSpan) -> Bool {
    let decoder = WindowDecoder(method)
    var crc: UInt32 = 0
    var position = 0
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let step: DecodeStep? = unsafe buffer.withUnsafeMutableBytes { raw in
        // Safety: the span lives inside this closure, over memory the array holds.
        var span = unsafe OutputRawSpan(buffer: raw, initializedCount: 0)
        let step = try? decoder.decode(
          input.extracting(position...), isFinal: true, into: &span)
        let made = unsafe span.finalize(for: raw)
        crc = unsafe IsalChecksum.crc32(crc, UnsafeRawBufferPointer(rebasing: raw[..<made]).bytes)
        return made == 0 && step?.consumed == 0 && step?.isFinished == false ? nil : step
      }
      guard let step else { return false }
      position += step.consumed
      if step.isFinished { return crc == coding.crc32 }
    }
  }
}
