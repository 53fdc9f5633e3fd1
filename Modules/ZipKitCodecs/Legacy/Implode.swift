internal import ZipKitCore

/// Method 6: a window of 4 or 8 KiB, coded by two or three Shannon-Fano trees (APPNOTE 5.3).
///
/// A Shannon-Fano code is a canonical prefix code with every bit turned over. The stream has no end of its
/// own: it ends with the declared size.
struct Implode: WindowMethod {
  static var name: String { "implode" }
  static var reach: Int { 1 << 13 }

  private struct Trees {
    var literals: PrefixCode?
    var lengths = PrefixCode()
    var distances = PrefixCode()
  }

  private let hasLiteralTree: Bool
  private let lowBits: Int
  private let shortest: Int
  private var left: UInt64
  private var trees: Trees?
  /// A match that the window had no room for.
  private var pending = (distance: 1, count: 0)

  init(_ coding: EntryCoding) { self.init(coding, followsWindow: false) }

  // `followsWindow`: whether the window's size decides about the shortest match, not the trees.
  init(_ coding: EntryCoding, followsWindow: Bool) {
    shortest = coding.flags.contains(followsWindow ? .methodBit1 : .methodBit2) ? 3 : 2
    lowBits = coding.flags.contains(.methodBit1) ? 7 : 6
    hasLiteralTree = coding.flags.contains(.methodBit2)
    left = coding.size ?? .max
  }

  mutating func decode(
    _ input: inout BitInput, _ window: inout HistoryWindow
  ) throws(DecodeError) -> StepOutcome {
    let mark = input.mark
    if trees == nil { trees = try readTrees(&input) }
    guard let trees else {
      input.goBack(to: mark)
      return .needsInput
    }
    while left > 0 {
      if pending.count > 0 {
        let copied = window.copy(distance: pending.distance, count: pending.count)
        pending.count -= copied
        left -= UInt64(copied)
        if pending.count > 0 { return .full }
        continue
      }
      if window.room == 0 { return .full }
      let mark = input.mark
      if let literal = try readItem(trees, &input) {
        if !input.isOverrun {
          window.append(literal)
          left -= 1
          continue
        }
      }
      if input.isOverrun {
        pending.count = 0
        input.goBack(to: mark)
        return .needsInput
      }
    }
    return .atEnd
  }

  /// Reads a literal, or a match into ``pending``.
  private mutating func readItem(
    _ trees: Trees, _ input: inout BitInput
  ) throws(DecodeError) -> UInt8? {
    if input.read(1) == 1 {
      guard let literals = trees.literals else { return UInt8(input.read(8)) }
      return UInt8(truncatingIfNeeded: try input.readInverted(literals, "literal"))
    }
    let low = input.read(lowBits)
    let high = try input.readInverted(trees.distances, "distance")
    var length = try input.readInverted(trees.lengths, "length")
    if length == 63 { length += input.read(8) }
    length += shortest
    pending = (high << lowBits + low + 1, Int(min(UInt64(length), left)))
    return nil
  }

  private func readTrees(_ input: inout BitInput) throws(DecodeError) -> Trees? {
    var trees = Trees()
    if hasLiteralTree { trees.literals = try readTree(256, "literal", &input) }
    guard let lengths = try readTree(64, "length", &input),
      let distances = try readTree(64, "distance", &input)
    else { return nil }
    trees.lengths = lengths
    trees.distances = distances
    return trees
  }

  /// Reads runs of code lengths; nil when the input ends before they do.
  private func readTree(
    _ symbols: Int, _ what: String, _ input: inout BitInput
  ) throws(DecodeError) -> PrefixCode? {
    let runs = input.read(8) + 1
    var lengths: [UInt8] = []
    for _ in 0..<runs {
      let length = UInt8(input.read(4) + 1)
      lengths += [UInt8](repeating: length, count: input.take(4) + 1)
      if input.isOverrun { return nil }
    }
    guard lengths.count == symbols else {
      throw .value("\(what) codes", expected: "\(symbols)", found: lengths.count, at: input.offset)
    }
    var code = PrefixCode()
    if let fault = code.make(lengths: lengths[...]) {
      throw .codeLengths(what, fault, at: input.offset)
    }
    return code
  }
}
