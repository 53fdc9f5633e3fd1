internal import ZipKitCore

/// Method 1: LZW with codes of 9 to 13 bits and a partial clear (APPNOTE 5.1).
///
/// The stream has no end of its own: it ends with the declared size.
struct Shrink: WindowMethod {
  static var name: String { "shrink" }
  static var reach: Int { 1 }

  private static let codes = 1 << 13
  private static let escape = 256
  /// Marks a code that stands for nothing yet.
  private static let free: UInt16 = 0xFFFF
  /// Marks a code that stands for a single byte.
  private static let root: UInt16 = 0xFFFE

  private var left: UInt64
  private var codeSize = 9
  private var parents = [UInt16](repeating: Shrink.free, count: Shrink.codes)
  private var values = [UInt8](repeating: 0, count: Shrink.codes)
  private var lastTaken = Shrink.escape
  private var previous: Int?
  private var firstByte: UInt8 = 0
  /// A string, last byte first, and how much of it is still to be handed on.
  private var string = [UInt8](repeating: 0, count: Shrink.codes)
  private var waiting = 0

  init(_ coding: EntryCoding) {
    left = coding.size ?? .max
    for code in 0..<256 {
      parents[code] = Self.root
      values[code] = UInt8(code)
    }
  }

  mutating func decode(
    _ input: inout BitInput, _ window: inout HistoryWindow
  ) throws(DecodeError) -> StepOutcome {
    while true {
      while waiting > 0 && left > 0 {
        if window.room == 0 { return .full }
        waiting -= 1
        window.append(string[waiting])
        left -= 1
      }
      if left == 0 { return .atEnd }
      let mark = input.mark
      let code = input.read(codeSize)
      let order = code == Self.escape ? input.read(codeSize) : 0
      if input.isOverrun {
        input.goBack(to: mark)
        return .needsInput
      }
      if code == Self.escape {
        try obey(order, at: input.offset)
      } else {
        try expand(code, at: input.offset)
      }
    }
  }

  /// What follows an escape: 1 makes the codes longer, 2 clears codes that nothing is built on.
  private mutating func obey(_ order: Int, at offset: UInt64) throws(DecodeError) {
    switch order {
    case 1:
      guard codeSize < 13 else {
        throw .value("a code size", expected: "of at most 13", found: codeSize + 1, at: offset)
      }
      codeSize += 1
    case 2: clearLeaves()
    default: throw .value("an escape", expected: "of 1 or 2", found: order, at: offset)
    }
  }

  private mutating func clearLeaves() {
    var isParent = [Bool](repeating: false, count: Self.codes)
    for code in (Self.escape + 1)..<Self.codes where parents[code] < UInt16(Self.codes) {
      isParent[Int(parents[code])] = true
    }
    for code in (Self.escape + 1)..<Self.codes where !isParent[code] { parents[code] = Self.free }
    lastTaken = Self.escape
  }

  private mutating func expand(_ code: Int, at offset: UInt64) throws(DecodeError) {
    guard let previous else {
      guard code < Self.escape else {
        throw .value("a first code", expected: "below 256", found: code, at: offset)
      }
      string[0] = UInt8(code)
      waiting = 1
      firstByte = UInt8(code)
      self.previous = code
      return
    }
    var count = 0
    var walk = code
    if parents[walk] == Self.free {
      // A code not yet made stands for the previous string and its first byte once more.
      string[0] = firstByte
      count = 1
      walk = previous
    }
    while true {
      guard count < string.count, parents[walk] != Self.free else {
        throw .unusedCode("shrink", at: offset)
      }
      string[count] = values[walk]
      count += 1
      guard parents[walk] != Self.root else { break }
      walk = Int(parents[walk])
    }
    waiting = count
    firstByte = string[count - 1]
    addString(to: previous)
    self.previous = code
  }

  /// Gives the next free code to the previous string with one more byte; when all are taken, none.
  private mutating func addString(to previous: Int) {
    var code = lastTaken + 1
    while code < Self.codes, parents[code] != Self.free { code += 1 }
    lastTaken = min(code, Self.codes - 1)
    guard code < Self.codes else { return }
    parents[code] = UInt16(previous)
    values[code] = firstByte
  }
}
