internal import ZipKitCore

/// Method 9: deflate (RFC 1951) with a window of 64 KiB, two more distance codes, and a length code 285
/// that stands for 3 and 16 more bits.
struct Deflate64: WindowMethod {
  static var name: String { "Deflate64" }
  static var reach: Int { 1 << 16 }

  private enum State {
    case blockHeader
    case stored(left: Int)
    case coded
    case end
  }

  private static let lengthBases: [UInt16] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 3,
  ]
  private static let lengthBits: [UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 16,
  ]
  /// The order in which code lengths of the code length code are sent (RFC 1951, 3.2.7).
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  private static let endOfBlock = 256

  private var state = State.blockHeader
  private var isLastBlock = false
  private var literals = PrefixCode()
  private var distances = PrefixCode()
  /// A match that the window had no room for.
  private var pending = (distance: 0, count: 0)

  init(_ coding: EntryCoding) {}

  mutating func decode(
    _ input: inout BitInput, _ window: inout HistoryWindow
  ) throws(DecodeError) -> StepOutcome {
    while true {
      switch state {
      case .end: return .atEnd
      case .blockHeader:
        let mark = input.mark
        try readBlockHeader(&input)
        if input.isOverrun {
          input.goBack(to: mark)
          state = .blockHeader
          return .needsInput
        }
      case .stored(let left):
        if left == 0 {
          endBlock()
          continue
        }
        if window.room == 0 { return .full }
        let mark = input.mark
        let byte = UInt8(input.read(8))
        if input.isOverrun {
          input.goBack(to: mark)
          return .needsInput
        }
        window.append(byte)
        state = .stored(left: left - 1)
      case .coded:
        if let outcome = try decodeSymbols(&input, &window) { return outcome }
      }
    }
  }

  private mutating func endBlock() { state = isLastBlock ? .end : .blockHeader }

  // MARK: Headers

  private mutating func readBlockHeader(_ input: inout BitInput) throws(DecodeError) {
    isLastBlock = input.read(1) == 1
    let type = input.take(2)
    if input.isOverrun { return }
    switch type {
    case 0:
      input.alignToByte()
      let length = input.read(16)
      let inverse = input.read(16)
      if input.isOverrun { return }
      guard length == inverse ^ 0xFFFF else {
        throw .value(
          "a stored length", expected: "followed by its complement \(length ^ 0xFFFF)",
          found: inverse, at: input.offset)
      }
      state = .stored(left: length)
    case 1:
      try setUp(
        [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
          + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8),
        literalCount: 288, distances: [UInt8](repeating: 5, count: 32), at: input.offset)
    case 2: try readCodes(&input)
    default:
      throw .value("a block type", expected: "of 0 to 2", found: type, at: input.offset)
    }
  }

  private mutating func readCodes(_ input: inout BitInput) throws(DecodeError) {
    let literalCount = input.read(5) + 257
    let distanceCount = input.take(5) + 1
    let lengthCount = input.take(4) + 4
    var lengthLengths = [UInt8](repeating: 0, count: Self.lengthOrder.count)
    for index in 0..<lengthCount { lengthLengths[Self.lengthOrder[index]] = UInt8(input.read(3)) }
    if input.isOverrun { return }
    guard literalCount <= 286 else {
      throw .value("literal codes", expected: "at most 286", found: literalCount, at: input.offset)
    }
    var code = PrefixCode()
    if let fault = code.make(lengths: lengthLengths[...]) {
      throw .codeLengths("length", fault, at: input.offset)
    }
    var lengths: [UInt8] = []
    while lengths.count < literalCount + distanceCount {
      input.refill()
      guard let (symbol, bits) = code.find(input.ahead) else {
        if input.isOverrun { return }
        throw .unusedCode("length", at: input.offset)
      }
      input.drop(bits)
      switch symbol {
      case 16:
        guard let last = lengths.last else {
          throw .value("a repeated length", expected: "after another", found: 0, at: input.offset)
        }
        lengths += [UInt8](repeating: last, count: 3 + input.take(2))
      case 17: lengths += [UInt8](repeating: 0, count: 3 + input.take(3))
      case 18: lengths += [UInt8](repeating: 0, count: 11 + input.take(7))
      default: lengths.append(UInt8(symbol))
      }
      if input.isOverrun { return }
    }
    guard lengths.count == literalCount + distanceCount else {
      throw .value(
        "code lengths", expected: "\(literalCount + distanceCount)", found: lengths.count,
        at: input.offset)
    }
    try setUp(
      Array(lengths[..<literalCount]), literalCount: literalCount,
      distances: Array(lengths[literalCount...]), at: input.offset)
  }

  private mutating func setUp(
    _ literalLengths: [UInt8], literalCount: Int, distances distanceLengths: [UInt8],
    at offset: UInt64
  ) throws(DecodeError) {
    guard literalLengths[Self.endOfBlock] > 0 else {
      throw .value(
        "a code for the end of the block", expected: "of 1 to 15 bits", found: 0, at: offset)
    }
    if let fault = literals.make(lengths: literalLengths[...]) {
      throw .codeLengths("literal", fault, at: offset)
    }
    distances = PrefixCode()
    // A block of literals alone has no distances.
    if let fault = distances.make(lengths: distanceLengths[...]), fault != .none {
      throw .codeLengths("distance", fault, at: offset)
    }
    state = .coded
  }

  // MARK: Symbols

  /// Decodes symbols of a block.
  /// - Returns: nil at the end of the block.
  private mutating func decodeSymbols(
    _ input: inout BitInput, _ window: inout HistoryWindow
  ) throws(DecodeError) -> StepOutcome? {
    pending.count -= window.copy(distance: max(1, pending.distance), count: pending.count)
    while window.room > 0 {
      let mark = input.mark
      input.refill()
      guard let (symbol, bits) = literals.find(input.ahead) else {
        return try missing("literal", input: &input, mark)
      }
      input.drop(bits)
      if symbol < Self.endOfBlock {
        if input.isOverrun {
          input.goBack(to: mark)
          return .needsInput
        }
        window.append(UInt8(symbol))
        continue
      }
      if symbol == Self.endOfBlock {
        if input.isOverrun {
          input.goBack(to: mark)
          return .needsInput
        }
        endBlock()
        return nil
      }
      if let outcome = try decodeMatch(symbol - 257, &input, &window, mark) { return outcome }
    }
    return .full
  }

  private mutating func decodeMatch(
    _ lengthCode: Int, _ input: inout BitInput, _ window: inout HistoryWindow,
    _ mark: BitInput.Mark
  ) throws(DecodeError) -> StepOutcome? {
    guard lengthCode < Self.lengthBases.count else {
      return try missing("length", input: &input, mark)
    }
    let length =
      Int(Self.lengthBases[lengthCode]) + input.take(Int(Self.lengthBits[lengthCode]))
    input.refill()
    guard let (code, bits) = distances.find(input.ahead) else {
      return try missing("distance", input: &input, mark)
    }
    input.drop(bits)
    // Codes 4 and up come in pairs with one more extra bit each.
    let extra = max(0, code / 2 - 1)
    let base = code < 2 ? code : (2 + code & 1) << extra
    let distance = base + input.take(extra) + 1
    if input.isOverrun {
      input.goBack(to: mark)
      return .needsInput
    }
    guard UInt64(distance) <= window.produced, distance <= Self.reach else {
      throw .distance(distance, produced: window.produced, at: input.offset)
    }
    let copied = window.copy(distance: distance, count: length)
    pending = (distance, length - copied)
    return nil
  }

  /// A code without a symbol: an error, unless bits were missing.
  private func missing(
    _ what: String, input: inout BitInput, _ mark: BitInput.Mark
  ) throws(DecodeError) -> StepOutcome {
    input.drop(PrefixCode.longest)
    guard input.isOverrun else { throw .unusedCode(what, at: input.offset) }
    input.goBack(to: mark)
    return .needsInput
  }
}
