extension PpmdModel {
  /// Makes room after memory ran out while contexts up to `changed` had got the new symbol.
  mutating func restore(_ changed: UInt32) {
    arena.clearText()
    var context = maxContext
    while context != changed && context != 0 && !arena.isDamaged {
      undoSymbol(context)
      context = suffix(context)
    }
    while context != minContext && context != 0 && !arena.isDamaged {
      if count(context) == 0 {
        let state = single(context)
        setFrequency(state, frequency(state) - frequency(state) >> 1)
      } else {
        setSum(context, sum(context) + 4)
        if sum(context) > 128 + 4 * UInt32(count(context)) {
          refresh(context, oldUnits: Self.units(count(context)), scale: 1)
        }
      }
      context = suffix(context)
    }
    if restoration == .restart || arena.used < arena.size >> 1 {
      restart()
      return
    }
    while suffix(maxContext) != 0 && !arena.isDamaged { maxContext = suffix(maxContext) }
    repeat {
      let before = arena.used
      _ = cutOff(maxContext, order: 0)
      arena.expandText()
      // A sound model always gets smaller.
      if arena.used == before && arena.used > 3 * (arena.size >> 2) { arena.markDamaged() }
    } while arena.used > 3 * (arena.size >> 2) && !arena.isDamaged
    arena.allowGlue()
    orderFall = maxOrder
  }

  /// Takes the last symbol of a context away again.
  private mutating func undoSymbol(_ context: UInt32) {
    let left = count(context) - 1
    guard left >= 0 else {
      arena.markDamaged()
      return
    }
    setCount(context, left)
    guard left == 0 else {
      refresh(context, oldUnits: UInt32(left + 3) >> 1, scale: 0)
      return
    }
    let table = table(context)
    let value = load(table)
    let symbol = symbol(table)
    setFlags(context, flags(context) & 0x10 | Self.flag(symbol))
    arena.freeContext(table)
    let state = single(context)
    store(value, state)
    setFrequency(state, (frequency(state) + 11) >> 3)
  }

  /// Cuts what has no context behind it out of the tree from a context on.
  ///
  /// Returns the context, or 0 when nothing is left of it.
  private mutating func cutOff(_ context: UInt32, order: Int) -> UInt32 {
    if arena.isDamaged { return 0 }
    guard count(context) != 0 else { return cutOffSingle(context, order: order) }
    let units = Self.units(count(context))
    let table = arena.moveUp(table(context), units: units)
    setTable(context, table)
    var last = count(context)
    for index in stride(from: last, through: 0, by: -1) {
      let state = table &+ UInt32(index) * 6
      let next = successor(state)
      if next < arena.unitsStart {
        setSuccessor(state, 0)
        swap(state, table &+ UInt32(last) * 6)
        last -= 1
      } else if order < maxOrder {
        setSuccessor(state, cutOff(next, order: order + 1))
      } else {
        setSuccessor(state, 0)
      }
    }
    guard last != count(context), order != 0 else { return context }
    if last < 0 {
      arena.free(table, units: units)
      arena.freeContext(context)
      return 0
    }
    setCount(context, last)
    if last == 0 {
      let value = load(table)
      setFlags(context, flags(context) & 0x10 | Self.flag(symbol(table)))
      arena.free(table, units: units)
      let state = single(context)
      store(value, state)
      setFrequency(state, (frequency(state) + 11) >> 3)
    } else {
      refresh(context, oldUnits: units, scale: sum(context) > 16 * UInt32(last) ? 1 : 0)
    }
    return context
  }

  private mutating func cutOffSingle(_ context: UInt32, order: Int) -> UInt32 {
    let state = single(context)
    let next = successor(state)
    if next >= arena.unitsStart {
      setSuccessor(state, order < maxOrder ? cutOff(next, order: order + 1) : 0)
      if successor(state) != 0 || order <= 9 { return context }
    }
    arena.freeContext(context)
    return 0
  }
}
