internal import ZipKitCore

/// Method 14 over liblzma: a nine byte header and a raw LZMA stream, with an end mark or without.
final class LzmaDecoder: EntryDecoder {
  private let handle = LzmaHandle()
  private var header: [UInt8] = []
  private var size: UInt64?
  private var hasEndMark: Bool
  private var produced: UInt64 = 0
  private var memoryLimit: UInt64
  private(set) var memoryNeed: UInt64 = 0

  init(_ coding: EntryCoding) {
    size = coding.size
    hasEndMark = coding.flags.contains(.methodBit1)
    memoryLimit = coding.memoryLimit
  }

  func reset(for coding: EntryCoding) throws(DecodeError) -> Bool {
    header = []
    produced = 0
    size = coding.size
    hasEndMark = coding.flags.contains(.methodBit1)
    memoryLimit = coding.memoryLimit
    return true
  }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    var taken = 0
    if header.count < LzmaProperties.headerSize {
      taken = min(LzmaProperties.headerSize - header.count, input.byteCount)
      for index in 0..<taken { header.append(input.byte(at: index)) }
      guard header.count == LzmaProperties.headerSize else {
        if isFinal { throw .lzmaHeader(found: header.count) }
        return DecodeStep(consumed: taken, isFinished: false)
      }
      try begin()
    }
    let before = output.byteCount
    let (status, consumed) = handle.step(input.extracting(taken...), into: &output)
    produced += UInt64(output.byteCount - before)
    if let error = LzmaHandle.error(status, "LZMA") {
      // Some writers leave out the flag of an end mark and write one. All bytes are there then.
      guard !hasEndMark, produced == size else { throw error }
      return DecodeStep(consumed: input.byteCount, isFinished: true)
    }
    return DecodeStep(consumed: taken + consumed, isFinished: LzmaHandle.isEnd(status))
  }

  /// Sets up the decoder by the header, which is whole.
  private func begin() throws(DecodeError) {
    var properties = try LzmaProperties(header: header)
    properties.fitDictionary(to: size ?? .max)
    guard let need = LzmaHandle.memory(for: properties) else {
      throw .lzmaProperties(UInt32(header[4]))
    }
    guard need <= memoryLimit else { throw .memory("LZMA", need: need, limit: memoryLimit) }
    memoryNeed = need
    try handle.beginRaw(properties, size: hasEndMark ? nil : size)
  }
}
