internal import ZipKitCore

/// Method 10: the format of PKWARE's Data Compression Library, a window of up to 4 KiB under fixed codes.
///
/// Two bytes tell whether literals are coded and how many low bits a distance has. As in imploding, every
/// bit of a code is turned over. The stream has an end mark, the longest length.
package struct DclImplode: WindowMethod {
  static var name: String { "DCL implode" }
  static var reach: Int { 1 << 12 }

  /// Bits of the codes of 256 literals: those of English text are short.
  package static let literalBits = lengths(of: [
    11, 124, 8, 7, 28, 7, 188, 13, 76, 4, 10, 8, 12, 10, 12, 10, 8, 23, 8, 9, 7, 6, 7, 8, 7, 6, 55,
    8, 23, 24, 12, 11, 7, 9, 11, 12, 6, 7, 22, 5, 7, 24, 6, 11, 9, 6, 7, 22, 7, 11, 38, 7, 9, 8, 25,
    11, 8, 11, 9, 12, 8, 12, 5, 38, 5, 38, 5, 11, 7, 5, 6, 21, 6, 10, 53, 8, 7, 24, 10, 27, 44, 253,
    253, 253, 252, 252, 252, 13, 12, 45, 12, 45, 12, 61, 12, 45, 44, 173,
  ])
  /// Bits of the codes of 16 ranges of lengths.
  package static let lengthBits = lengths(of: [2, 35, 36, 53, 38, 23])
  /// Bits of the codes of the high six bits of a distance.
  package static let distanceBits = lengths(of: [2, 20, 53, 230, 247, 151, 248])
  /// The shortest length of each range, and the bits that choose one in it.
  package static let ranges: [(first: Int, bits: Int)] =
    [(3, 0), (2, 0)] + (4...9).map { ($0, 0) }
    + (1...8).map { (8 + 1 << $0, $0) }
  private static let endLength = 519

  private struct Codes {
    var literals = PrefixCode()
    var lengths = PrefixCode()
    var distances = PrefixCode()
  }

  // Tables that are fixed make codes without fault, as a test asserts.
  private static let codes = {
    var codes = Codes()
    _ = codes.literals.make(lengths: literalBits[...])
    _ = codes.lengths.make(lengths: lengthBits[...])
    _ = codes.distances.make(lengths: distanceBits[...])
    return codes
  }()

  /// Expands runs: a length in the low half of each byte, one less than its number in the high one.
  private static func lengths(of runs: [UInt8]) -> [UInt8] {
    runs.flatMap { [UInt8](repeating: $0 & 15, count: Int($0 >> 4) + 1) }
  }

  private let codes = Self.codes
  /// What the stream's first two bytes say.
  private var form: (codesLiterals: Bool, lowBits: Int)?
  private var isEnded = false
  /// A match that the window had no room for.
  private var pending = (distance: 1, count: 0)

  init(_ coding: EntryCoding) {}

  mutating func decode(
    _ input: inout BitInput, _ window: inout HistoryWindow
  ) throws(DecodeError) -> StepOutcome {
    if form == nil {
      let mark = input.mark
      form = try readForm(&input)
      if form == nil {
        input.goBack(to: mark)
        return .needsInput
      }
    }
    guard let form else { return .needsInput }
    while !isEnded {
      if pending.count > 0 {
        pending.count -= window.copy(distance: pending.distance, count: pending.count)
        if pending.count > 0 { return .full }
      }
      if window.room == 0 { return .full }
      let mark = input.mark
      let literal = try readItem(form, &input, produced: window.produced)
      if input.isOverrun {
        (pending.count, isEnded) = (0, false)
        input.goBack(to: mark)
        return .needsInput
      }
      if let literal { window.append(literal) }
    }
    return .atEnd
  }

  private func readForm(
    _ input: inout BitInput
  ) throws(DecodeError) -> (codesLiterals: Bool, lowBits: Int)? {
    let kind = input.read(8)
    let bits = input.read(8)
    if input.isOverrun { return nil }
    guard kind <= 1 else {
      throw .value("a kind of literals", expected: "of 0 or 1", found: kind, at: 0)
    }
    guard bits >= 4, bits <= 6 else {
      throw .value("low bits of distances", expected: "from 4 to 6", found: bits, at: 1)
    }
    return (kind == 1, bits)
  }

  /// Reads a literal, a match into ``pending``, or the end mark.
  private mutating func readItem(
    _ form: (codesLiterals: Bool, lowBits: Int), _ input: inout BitInput, produced: UInt64
  ) throws(DecodeError) -> UInt8? {
    if input.read(1) == 0 {
      guard form.codesLiterals else { return UInt8(input.read(8)) }
      return UInt8(truncatingIfNeeded: try input.readInverted(codes.literals, "literal"))
    }
    let range = Self.ranges[try input.readInverted(codes.lengths, "length")]
    let length = range.first + input.read(range.bits)
    if length == Self.endLength {
      isEnded = true
      return nil
    }
    // Matches of two bytes are worth it only when near.
    let lowBits = length == 2 ? 2 : form.lowBits
    let high = try input.readInverted(codes.distances, "distance")
    let distance = high << lowBits + input.read(lowBits) + 1
    if !input.isOverrun, UInt64(distance) > produced {
      throw .distance(distance, produced: produced, at: input.offset)
    }
    pending = (distance, length)
    return nil
  }
}
