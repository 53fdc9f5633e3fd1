internal import ZipKitCore

/// Method 98: PPMd variant I, revision 1 (APPNOTE 5.10).
///
/// The stream ends with the declared size.
final class PpmdDecoder: EntryDecoder {
  private static let smallestOrder = 2

  private var header: [UInt8] = []
  private var model: PpmdModel?
  private var range = PpmdRangeDecoder()
  private var left: UInt64
  private var consumed: UInt64 = 0
  private let compressedSize: UInt64
  /// Whether the end mark was seen.
  private var isMarked = false
  private let memoryLimit: UInt64
  private(set) var memoryNeed: UInt64 = 8 << 10

  init(_ coding: EntryCoding) {
    left = coding.size ?? .max
    compressedSize = coding.compressedSize
    memoryLimit = coding.memoryLimit
  }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    var position = 0
    while header.count < 2, position < input.byteCount {
      header.append(input.byte(at: position))
      position += 1
      if header.count == 2 { try begin() }
    }
    defer { consumed += UInt64(position) }
    let isDone = try decodeSymbols(input, &position, isFinal: isFinal, into: &output)
    return DecodeStep(consumed: position, isFinished: isDone)
  }

  /// Decodes as far as input and output go; true at the end.
  private func decodeSymbols(
    _ input: RawSpan, _ position: inout Int, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> Bool {
    // For as long as it works, the model belongs to nobody else, which would be found out at every symbol.
    guard var model = model.take() else {
      if isFinal { throw .endsEarly("PPMd", at: consumed + UInt64(position)) }
      return false
    }
    var isDone = false
    var failure: DecodeError?
    do throws(DecodeError) {
      isDone = try decodeSymbols(&model, input, &position, isFinal: isFinal, into: &output)
    } catch {
      failure = error
    }
    self.model = consume model
    if let failure { throw failure }
    return isDone
  }

  private func decodeSymbols(
    _ model: inout PpmdModel, _ input: RawSpan, _ position: inout Int, isFinal: Bool,
    into output: inout OutputRawSpan
  ) throws(DecodeError) -> Bool {
    var range = range
    defer { self.range = range }
    var stop: PpmdSymbol?
    unsafe output.withUnsafeMutableBytes { target, used in
      let end = left < UInt64(target.count - used) ? used + Int(left) : target.count
      let start = used
      // Safety: `used` stays below `end`, which is no more than there is room for.
      while used < end {
        let symbol = model.decode(&range, input, &position)
        guard case .byte(let byte) = symbol else {
          stop = symbol
          break
        }
        unsafe target[used] = byte
        used += 1
      }
      left -= UInt64(used - start)
    }
    switch stop {
    case .needsInput:
      if isFinal { throw .endsEarly("PPMd", at: consumed + UInt64(position)) }
      return false
    case .end:
      guard left == .max else { throw .ppmdData(at: consumed + UInt64(position)) }
      return true
    case .damaged: throw .ppmdData(at: consumed + UInt64(position))
    case .byte, nil: break
    }
    return left == 0 && finish(&model, &range, input, &position, isFinal: isFinal)
  }

  /// Uses up what the coder wrote behind the last byte: the rest of its code, and an end mark where a
  /// writer put one; false when it is not all there yet.
  private func finish(
    _ model: inout PpmdModel, _ range: inout PpmdRangeDecoder, _ input: RawSpan,
    _ position: inout Int, isFinal: Bool
  ) -> Bool {
    guard range.normalize(input, &position) else { return isFinal }
    guard !isMarked, consumed + UInt64(position) < compressedSize else { return true }
    switch model.decode(&range, input, &position) {
    case .needsInput: return isFinal
    case .end:
      isMarked = true
      return range.normalize(input, &position) || isFinal
    default: return true
    }
  }

  /// Sets up the model by the two bytes in front.
  private func begin() throws(DecodeError) {
    let value = Int(header[0]) | Int(header[1]) << 8
    let order = value & 15 + 1
    let megabytes = value >> 4 & 255 + 1
    guard order >= Self.smallestOrder else {
      throw .value("a PPMd order", expected: "of 2 to 16", found: order, at: 0)
    }
    let restoration: PpmdModel.Restoration
    switch value >> 12 {
    case 0: restoration = .restart
    case 1: restoration = .cutOff
    default: throw .ppmdRestoration(value >> 12)
    }
    let need = UInt64(megabytes) << 20
    guard need <= memoryLimit else { throw .memory("PPMd", need: need, limit: memoryLimit) }
    memoryNeed = need
    model = PpmdModel(order: order, memory: UInt32(megabytes) << 20, restoration: restoration)
  }
}
