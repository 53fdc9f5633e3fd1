/// A table that decodes a canonical prefix code: codes of one length are consecutive numbers in the order
/// of their symbols, shorter codes come first (RFC 1951, 3.2.2).
///
/// Codes are read from their first bit, which is the lowest bit of what is looked up.
struct PrefixCode {
  /// Why lengths do not make a code.
  enum Fault: Equatable {
    case tooMany
    case tooFew
    case none
  }

  /// The longest code.
  static let longest = 16
  private static let quickBits = 10

  /// By the next ten bits: symbol << 5 | length, or 0 when the code is longer or not in use.
  private var quick = [UInt16](repeating: 0, count: 1 << PrefixCode.quickBits)
  private var counts = [UInt16](repeating: 0, count: PrefixCode.longest + 1)
  private var symbols: [UInt16] = []

  /// A code without symbols.
  init() {}

  /// Makes the code of symbols with these lengths.
  /// - Parameters:
  ///   - lengths: Bits of each symbol's code, at most 16; 0 for a symbol that has none.
  ///   - allowsGaps: Whether some codes may stand for no symbol; a code of a single symbol always may.
  /// - Returns: What is wrong with the lengths, or nil.
  mutating func make(lengths: ArraySlice<UInt8>, allowsGaps: Bool = false) -> Fault? {
    var counts = [UInt16](repeating: 0, count: Self.longest + 1)
    for length in lengths { counts[Int(length)] += 1 }
    let used = lengths.count - Int(counts[0])
    counts[0] = 0
    guard used > 0 else { return Fault.none }
    var left = 1
    for length in 1...Self.longest {
      left = left << 1 - Int(counts[length])
      if left < 0 { return .tooMany }
    }
    if left > 0 && !allowsGaps && !(used == 1 && counts[1] == 1) { return .tooFew }
    self.counts = counts
    sort(lengths, count: used)
    fillQuickTable()
    return nil
  }

  /// Orders the symbols by length, then by number.
  private mutating func sort(_ lengths: ArraySlice<UInt8>, count: Int) {
    var next = [Int](repeating: 0, count: Self.longest + 2)
    for length in 1...Self.longest { next[length + 1] = next[length] + Int(counts[length]) }
    symbols = [UInt16](repeating: 0, count: count)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[next[Int(length)]] = UInt16(symbol)
      next[Int(length)] += 1
    }
  }

  private mutating func fillQuickTable() {
    for index in quick.indices { quick[index] = 0 }
    var code = 0
    var index = 0
    for length in 1...Self.quickBits {
      for _ in 0..<counts[length] {
        var reversed = 0
        for bit in 0..<length where code & (1 << bit) != 0 { reversed |= 1 << (length - 1 - bit) }
        let entry = symbols[index] << 5 | UInt16(length)
        for slot in stride(from: reversed, to: quick.count, by: 1 << length) { quick[slot] = entry }
        code += 1
        index += 1
      }
      code <<= 1
    }
  }

  /// Finds the symbol whose code the bits begin with.
  /// - Parameter bits: At least 16 bits, the first of the code lowest.
  /// - Returns: The symbol and the bits of its code, or nil when that code stands for none.
  @inline(__always)
  func find(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    let entry = quick[Int(truncatingIfNeeded: bits) & (1 << Self.quickBits - 1)]
    if entry != 0 { return (Int(entry >> 5), Int(entry & 31)) }
    return findLong(bits)
  }

  private func findLong(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    var code = 0
    var first = 0
    var index = 0
    for length in 1...Self.longest {
      code |= Int(truncatingIfNeeded: bits >> UInt64(length - 1)) & 1
      let count = Int(counts[length])
      if code - first < count { return (Int(symbols[index + code - first]), length) }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }
}
