internal import ZipKitCore

/// Methods 2 to 5: bytes predicted by the one before, then repeats marked by an escape (APPNOTE 5.2).
///
/// The stream has no end of its own: it ends with the declared size.
struct Reduce: WindowMethod {
  static var name: String { "reduce" }
  static var reach: Int { 1 << 12 }

  private static let escape: UInt8 = 144

  /// Where the repeats' state machine stands.
  private enum Expansion {
    case plain
    case escaped
    case longer(value: Int, length: Int)
    case distance(value: Int, length: Int)
  }

  private let factor: Int
  private var left: UInt64
  private var followers: [[UInt8]]?
  private var last: UInt8 = 0
  private var expansion = Expansion.plain
  /// A repeat that the window had no room for.
  private var pending = (distance: 1, count: 0)

  init(_ coding: EntryCoding) {
    factor = min(4, max(1, Int(coding.method.rawValue) - 1))
    left = coding.size ?? .max
  }

  mutating func decode(
    _ input: inout BitInput, _ window: inout HistoryWindow
  ) throws(DecodeError) -> StepOutcome {
    if followers == nil {
      let mark = input.mark
      let sets = Self.readFollowers(&input)
      if input.isOverrun {
        input.goBack(to: mark)
        return .needsInput
      }
      followers = sets
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
      let byte = try readByte(&input)
      if input.isOverrun {
        input.goBack(to: mark)
        return .needsInput
      }
      last = byte
      expand(byte, &window)
    }
    return .atEnd
  }

  /// The 256 sets of bytes that may follow a byte, written from the last to the first.
  private static func readFollowers(_ input: inout BitInput) -> [[UInt8]] {
    var sets = [[UInt8]](repeating: [], count: 256)
    for byte in sets.indices.reversed() {
      let count = input.read(6)
      for _ in 0..<count { sets[byte].append(UInt8(input.read(8))) }
      if input.isOverrun { break }
    }
    return sets
  }

  private func readByte(_ input: inout BitInput) throws(DecodeError) -> UInt8 {
    guard let set = followers?[Int(last)], !set.isEmpty, input.read(1) == 0 else {
      return UInt8(input.read(8))
    }
    // As many bits as the largest index has, and one for a set of one.
    let bits = max(1, Int.bitWidth - (set.count - 1).leadingZeroBitCount)
    let index = input.read(bits)
    if input.isOverrun { return 0 }
    guard index < set.count else {
      throw .value("a follower", expected: "below \(set.count)", found: index, at: input.offset)
    }
    return set[index]
  }

  private mutating func expand(_ byte: UInt8, _ window: inout HistoryWindow) {
    let lengthMask = 0xFF >> factor
    switch expansion {
    case .plain:
      if byte == Self.escape {
        expansion = .escaped
      } else {
        window.append(byte)
        left -= 1
      }
    case .escaped:
      if byte == 0 {
        window.append(Self.escape)
        left -= 1
        expansion = .plain
        return
      }
      let value = Int(byte)
      let length = value & lengthMask
      expansion =
        length == lengthMask
        ? .longer(value: value, length: length) : .distance(value: value, length: length)
    case .longer(let value, let length):
      expansion = .distance(value: value, length: length + Int(byte))
    case .distance(let value, let length):
      let count = UInt64(length + 3)
      pending = ((value >> (8 - factor)) * 256 + Int(byte) + 1, Int(min(count, left)))
      expansion = .plain
    }
  }
}
