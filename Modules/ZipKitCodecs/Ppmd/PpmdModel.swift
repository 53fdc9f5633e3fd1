/// The context model of PPMd variant I, revision 1 (method 98), after the description and the published
/// behaviour of Dmitry Shkarin's coder.
///
/// A context is one unit: the number of its symbols less one (1 byte), flags (1), the sum of frequencies
/// (2), its table of symbols (4), the context one shorter (4). A context of a single symbol holds that
/// symbol in the place of sum and table. A symbol is 6 bytes: the byte, its frequency, what follows (4).
struct PpmdModel: ~Copyable {
  static let maxFrequency: UInt8 = 124
  static let periodBits: UInt8 = 7
  static let binaryBits: UInt32 = 14

  /// What to do when memory runs out.
  enum Restoration: Sendable {
    case restart
    case cutOff
  }

  /// An adaptive estimate of how probable an escape is.
  struct Escape: BitwiseCopyable {
    var sum: UInt16
    var shift: UInt8
    var count: UInt8

    mutating func update() {
      guard shift < PpmdModel.periodBits else { return }
      count &-= 1
      guard count == 0 else { return }
      sum = sum << 1
      count = UInt8(truncatingIfNeeded: UInt32(3) << shift)
      shift += 1
    }
  }

  let maxOrder: Int
  let restoration: Restoration
  var arena: PpmdArena

  var minContext: UInt32 = 0
  var maxContext: UInt32 = 0
  /// The symbol found last.
  var found: UInt32 = 0
  var orderFall = 0
  var runLength = 0
  var initialRunLength = 0
  var previousSuccess = 0
  var initialEscape: UInt32 = 0
  /// Probabilities of contexts with one symbol, 25 rows of 64.
  let binary = PpmdTable<UInt16>(repeating: 0, count: 25 * 64)
  /// Estimates of escapes, 24 rows of 32, and one more that never changes.
  let escapes = PpmdTable(
    repeating: Escape(sum: 0, shift: 7, count: 64), count: 24 * 32 + 1)
  /// Marks bytes that longer contexts have already ruled out, by a number that changes with each symbol.
  let masked = PpmdMarks()
  var maskMark: UInt32 = 0
  /// How many were ruled out, less one, while a symbol is looked for in shorter and shorter contexts.
  var maskedCount: Int?

  /// The row of a frequency or a number of symbols.
  static let rows: [UInt8] = {
    var rows: [UInt8] = [0, 1, 2, 3, 4]
    var (row, left) = (5, 1)
    while rows.count < 260 {
      rows.append(UInt8(row))
      left -= 1
      if left == 0 {
        row += 1
        left = row - 4
      }
    }
    return rows
  }()
  let rows = PpmdTable<UInt8>(repeating: 0, count: 260)
  /// The symbols, in contexts from long to short, that a new context is to follow.
  let followed = PpmdTable<UInt32>(repeating: 0, count: 66)

  init(order: Int, memory: UInt32, restoration: Restoration) {
    maxOrder = order
    self.restoration = restoration
    arena = PpmdArena(size: memory)
    for (place, row) in Self.rows.enumerated() { rows[place] = row }
    restart()
  }

  mutating func restart() {
    arena.reset()
    orderFall = maxOrder
    initialRunLength = -min(maxOrder, 12) - 1
    runLength = initialRunLength
    previousSuccess = 0
    // A fresh arena has room for both.
    guard let root = arena.allocateContext(), let table = arena.allocate(units: 128) else {
      arena.markDamaged()
      return
    }
    minContext = root
    maxContext = root
    setSuffix(root, 0)
    setCount(root, 255)
    setFlags(root, 0)
    setSum(root, 257)
    setTable(root, table)
    found = table
    for symbol in 0..<256 {
      let state = table + UInt32(symbol) * 6
      arena.setByte(state, UInt8(symbol))
      setFrequency(state, 1)
      setSuccessor(state, 0)
    }
    restartEstimates()
  }

  private mutating func restartEstimates() {
    let initial: [UInt32] = [0x3CDD, 0x1F3F, 0x59BF, 0x48F3, 0x64A1, 0x5ABC, 0x6632, 0x6051]
    var index = 0
    for row in 0..<25 {
      while Int(rows[index]) == row { index += 1 }
      for column in 0..<64 {
        binary[row * 64 + column] = UInt16(
          (1 << Self.binaryBits) - initial[column & 7] / UInt32(index + 1))
      }
    }
    index = 0
    for row in 0..<24 {
      while Int(rows[index + 3]) == row + 3 { index += 1 }
      for column in 0..<32 {
        escapes[row * 32 + column] = Escape(
          sum: UInt16((2 * index + 5) << Int(Self.periodBits - 4)), shift: Self.periodBits - 4,
          count: 7)
      }
    }
    escapes[24 * 32] = Escape(sum: 0, shift: Self.periodBits, count: 64)
  }
}

// MARK: - Fields of contexts and symbols

extension PpmdModel {
  @inline(__always)
  mutating func count(_ context: UInt32) -> Int { Int(arena.byte(context)) }
  @inline(__always)
  mutating func setCount(_ context: UInt32, _ value: Int) {
    arena.setByte(context, UInt8(truncatingIfNeeded: value))
  }
  @inline(__always)
  mutating func flags(_ context: UInt32) -> UInt8 { arena.byte(context &+ 1) }
  @inline(__always)
  mutating func setFlags(_ context: UInt32, _ value: UInt8) { arena.setByte(context &+ 1, value) }
  @inline(__always)
  mutating func sum(_ context: UInt32) -> UInt32 { UInt32(arena.half(context &+ 2)) }
  @inline(__always)
  mutating func setSum(_ context: UInt32, _ value: UInt32) {
    arena.setHalf(context &+ 2, UInt16(truncatingIfNeeded: value))
  }
  @inline(__always)
  mutating func table(_ context: UInt32) -> UInt32 { arena.word(context &+ 4) }
  @inline(__always)
  mutating func setTable(_ context: UInt32, _ value: UInt32) { arena.setWord(context &+ 4, value) }
  @inline(__always)
  mutating func suffix(_ context: UInt32) -> UInt32 { arena.word(context &+ 8) }
  @inline(__always)
  mutating func setSuffix(_ context: UInt32, _ value: UInt32) { arena.setWord(context &+ 8, value) }
  /// The only symbol of a context that has one.
  @inline(__always)
  func single(_ context: UInt32) -> UInt32 { context &+ 2 }

  @inline(__always)
  mutating func symbol(_ state: UInt32) -> UInt8 { arena.byte(state) }
  @inline(__always)
  mutating func frequency(_ state: UInt32) -> UInt32 { UInt32(arena.byte(state &+ 1)) }
  @inline(__always)
  mutating func setFrequency(_ state: UInt32, _ value: UInt32) {
    arena.setByte(state &+ 1, UInt8(truncatingIfNeeded: value))
  }
  @inline(__always)
  mutating func successor(_ state: UInt32) -> UInt32 { arena.word(state &+ 2) }
  @inline(__always)
  mutating func setSuccessor(_ state: UInt32, _ value: UInt32) { arena.setWord(state &+ 2, value) }

  /// All six bytes of a symbol.
  struct State {
    var head: UInt16
    var successor: UInt32
  }

  @inline(__always)
  mutating func load(_ state: UInt32) -> State {
    State(head: arena.half(state), successor: arena.word(state &+ 2))
  }
  @inline(__always)
  mutating func store(_ value: State, _ state: UInt32) {
    arena.setHalf(state, value.head)
    arena.setWord(state &+ 2, value.successor)
  }
  @inline(__always)
  mutating func swap(_ first: UInt32, _ second: UInt32) {
    let value = load(first)
    store(load(second), first)
    store(value, second)
  }

  /// Finds a symbol that a context's table has; damage is marked when it does not.
  @inline(__always)
  mutating func find(_ symbol: UInt8, in context: UInt32) -> UInt32 {
    let table = table(context)
    let count = count(context)
    if let heads = arena.heads(table, count: count + 1) {
      for index in 0...count where UInt8(truncatingIfNeeded: heads[index]) == symbol {
        return table &+ UInt32(truncatingIfNeeded: index &* 6)
      }
    }
    arena.markDamaged()
    return table
  }

  /// Units of a table of `count` + 1 symbols.
  @inline(__always)
  static func units(_ count: Int) -> UInt32 { UInt32(count + 2) >> 1 }

  /// The flag of a context that has a symbol from 64 up.
  @inline(__always)
  static func flag(_ symbol: UInt8) -> UInt8 { symbol >= 0x40 ? 0x08 : 0 }
}
