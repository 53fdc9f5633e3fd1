extension PpmdModel {
  /// Halves the frequencies of the current context, and drops symbols that come to nothing.
  mutating func rescale() {
    let context = minContext
    let table = table(context)
    let count = count(context)
    moveToFront(found, table)
    var escape = Int(sum(context)) - Int(frequency(table))
    let adder: UInt32 = orderFall != 0 ? 1 : 0
    setFrequency(table, (frequency(table) + 4 + adder) >> 1)
    var total = frequency(table)
    var state = table
    for _ in 0..<count {
      state &+= 6
      escape -= Int(frequency(state))
      setFrequency(state, (frequency(state) + adder) >> 1)
      total += frequency(state)
      if frequency(state) > frequency(state &- 6) { sink(state, table) }
    }
    if frequency(state) == 0 {
      var dropped = 0
      while frequency(state) == 0 && dropped < count {
        dropped += 1
        state &-= 6
      }
      escape += dropped
      setCount(context, count - dropped)
      if count == dropped {
        reduceToSingle(context, table, count, escape)
        return
      }
      let (old, new) = (Self.units(count), Self.units(count - dropped))
      if old != new { setTable(context, arena.shrink(table, from: old, to: new)) }
      var flags = flags(context) & ~0x08
      state = self.table(context)
      for _ in 0...(count - dropped) {
        flags |= Self.flag(symbol(state))
        state &+= 6
      }
      setFlags(context, flags)
    }
    setSum(context, UInt32(truncatingIfNeeded: Int(total) + escape - escape >> 1))
    setFlags(context, flags(context) | 0x4)
    found = self.table(context)
  }

  private mutating func moveToFront(_ state: UInt32, _ table: UInt32) {
    guard state != table else { return }
    let value = load(state)
    var state = state
    while state > table {
      store(load(state &- 6), state)
      state &-= 6
    }
    store(value, table)
  }

  /// Moves a symbol before those that are less frequent.
  private mutating func sink(_ state: UInt32, _ table: UInt32) {
    let value = load(state)
    let frequency = frequency(state)
    var state = state
    repeat {
      store(load(state &- 6), state)
      state &-= 6
    } while state > table && frequency > self.frequency(state &- 6)
    store(value, state)
  }

  private mutating func reduceToSingle(
    _ context: UInt32, _ table: UInt32, _ count: Int, _ escape: Int
  ) {
    let value = load(table)
    let symbol = symbol(table)
    let escape = max(1, escape)
    let frequency = (2 * Int(frequency(table)) + escape - 1) / escape
    arena.free(table, units: Self.units(count))
    setFlags(context, flags(context) & 0x10 | Self.flag(symbol))
    found = single(context)
    store(value, found)
    setFrequency(found, UInt32(min(frequency, Int(Self.maxFrequency) / 3)))
  }

  /// Halves a context's frequencies, with `scale` 1, or only sums them up, with 0, after some symbols went.
  mutating func refresh(_ context: UInt32, oldUnits: UInt32, scale: UInt32) {
    let count = count(context)
    var state = arena.shrink(table(context), from: oldUnits, to: Self.units(count))
    setTable(context, state)
    var flags = flags(context) & (0x10 + 0x04 * UInt8(scale))
    var escape = Int(sum(context))
    var total: UInt32 = 0
    for _ in 0...count {
      escape -= Int(frequency(state))
      let halved = (frequency(state) + scale) >> scale
      setFrequency(state, halved)
      total += halved
      flags |= Self.flag(symbol(state))
      state &+= 6
    }
    let rest = (escape + Int(scale)) >> Int(scale)
    setSum(context, UInt32(truncatingIfNeeded: Int(total) + rest))
    setFlags(context, flags)
  }
}
