/// The prefix codes of one bzip2 block: up to six tables, of which each fifty symbols choose one.
@safe
struct Bzip2Codes: ~Copyable {
  static let mostTables = 6
  static let mostSymbols = 258
  static let longest = 20
  /// Bits that the quick table is looked up with.
  static let quickBits = 10

  private static let quickSize = 1 << quickBits
  private static let lengths = longest + 2

  // Safety: allocated with the sizes below for every table, freed in deinit; a table number is below
  // `mostTables`, and places within a table come from lengths that were checked.
  /// By the next bits: the symbol times 32 plus the length, or 0 for a longer code.
  private let quick: UnsafeMutablePointer<UInt16>
  /// By length: the first 20 bits that are too large for a code of that length.
  private let limits: UnsafeMutablePointer<UInt32>
  /// By length: what leads from a code's number to its place among the symbols.
  private let bases: UnsafeMutablePointer<Int32>
  /// Symbols by their codes.
  private let symbols: UnsafeMutablePointer<UInt16>

  init() {
    unsafe quick = .allocate(capacity: Self.mostTables * Self.quickSize)
    unsafe limits = .allocate(capacity: Self.mostTables * Self.lengths)
    unsafe bases = .allocate(capacity: Self.mostTables * Self.lengths)
    unsafe symbols = .allocate(capacity: Self.mostTables * Self.mostSymbols)
    unsafe quick.initialize(repeating: 0, count: Self.mostTables * Self.quickSize)
    unsafe limits.initialize(repeating: 0, count: Self.mostTables * Self.lengths)
    unsafe bases.initialize(repeating: 0, count: Self.mostTables * Self.lengths)
    unsafe symbols.initialize(repeating: 0, count: Self.mostTables * Self.mostSymbols)
  }

  deinit {
    unsafe quick.deallocate()
    unsafe limits.deallocate()
    unsafe bases.deallocate()
    unsafe symbols.deallocate()
  }

  /// Sets up a table from the lengths of its codes, each 1 to 20.
  ///
  /// Where they are too short for all symbols to have one, the last go without, as with libbz2: the block's checksum
  /// tells whether that did harm.
  mutating func make(_ table: Int, _ codeLengths: [UInt8]) {
    precondition(table < Self.mostTables && codeLengths.count <= Self.mostSymbols)
    var counts = [Int](repeating: 0, count: Self.lengths)
    for length in codeLengths { counts[Int(length)] += 1 }
    let quick = unsafe quick + table * Self.quickSize
    let limits = unsafe limits + table * Self.lengths
    let bases = unsafe bases + table * Self.lengths
    let symbols = unsafe symbols + table * Self.mostSymbols
    var code = 0
    var place = 0
    unsafe quick.update(repeating: 0, count: Self.quickSize)
    for length in 1...Self.longest {
      // When all numbers of a length have a meaning, longer codes are never come to.
      let room = 1 << length - code
      let count = min(counts[length], room)
      unsafe bases[length] = Int32(place - code)
      unsafe limits[length] = UInt32((code + count) << (Self.longest - length))
      if count == 0 {
        code = (code + count) << 1
        continue
      }
      let first = place
      for (symbol, itsLength) in codeLengths.enumerated() where Int(itsLength) == length {
        unsafe symbols[place] = UInt16(symbol)
        place += 1
      }
      if length <= Self.quickBits {
        let width = 1 << (Self.quickBits - length)
        for number in 0..<count {
          let symbol = unsafe symbols[first + number]
          unsafe (quick + (code + number) * width)
            .update(repeating: symbol << 5 | UInt16(length), count: width)
        }
      }
      code = (code + count) << 1
    }
  }

  /// The symbol that bits begin with, and the length of its code; length 0 when no code is like that.
  @inline(__always)
  func symbol(_ table: Int, _ bits: UInt64) -> (symbol: Int, length: Int) {
    let entry = unsafe quick[table &* Self.quickSize &+ Int(bits >> UInt64(64 - Self.quickBits))]
    if entry != 0 { return (Int(entry >> 5), Int(entry & 31)) }
    return longSymbol(table, bits)
  }

  private func longSymbol(_ table: Int, _ bits: UInt64) -> (symbol: Int, length: Int) {
    let code = UInt32(bits >> UInt64(64 - Self.longest))
    var length = Self.quickBits + 1
    while length <= Self.longest {
      if unsafe code < limits[table * Self.lengths + length] {
        let number = Int32(code >> UInt32(Self.longest - length))
        let place = Int(unsafe bases[table * Self.lengths + length] + number)
        guard place >= 0, place < Self.mostSymbols else { break }
        return (Int(unsafe symbols[table * Self.mostSymbols + place]), length)
      }
      length += 1
    }
    return (0, 0)
  }
}
