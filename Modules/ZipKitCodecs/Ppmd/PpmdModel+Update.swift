extension PpmdModel {
  /// Learns the symbol found: raises it in the next shorter context and adds it to all contexts from the
  /// longest to the one it was found in.
  mutating func update() {
    let symbol = symbol(found)
    let frequency = frequency(found)
    var next = successor(found)
    let shorterState = raiseInShorterContext(symbol, frequency)
    if orderFall == 0 && next != 0 {
      guard let context = makeSuccessors(skipsFound: true, shorterState, minContext) else {
        setSuccessor(found, 0)
        restore(maxContext)
        return
      }
      setSuccessor(found, context)
      maxContext = context
      return
    }
    arena.setByte(arena.text, symbol)
    arena.text &+= 1
    var branch = arena.text
    guard arena.text < arena.unitsStart else {
      restore(maxContext)
      return
    }
    if next == 0 {
      guard let context = reduceOrder(shorterState, minContext) else {
        restore(maxContext)
        return
      }
      next = context
    } else if next < arena.unitsStart {
      guard let context = makeSuccessors(skipsFound: false, shorterState, minContext) else {
        restore(maxContext)
        return
      }
      next = context
    }
    orderFall -= 1
    if orderFall == 0 {
      branch = next
      if maxContext != minContext { arena.text &-= 1 }
    }
    addSymbol(symbol, frequency, branch, next)
  }

  /// Returns the symbol's place in the next shorter context, when it was looked up.
  private mutating func raiseInShorterContext(_ symbol: UInt8, _ frequency: UInt32) -> UInt32? {
    guard frequency < UInt32(Self.maxFrequency) / 4 else { return nil }
    let context = suffix(minContext)
    guard context != 0 else { return nil }
    guard count(context) != 0 else {
      let state = single(context)
      let value = self.frequency(state)
      if value < 32 { setFrequency(state, value + 1) }
      return state
    }
    var state = find(symbol, in: context)
    if state != table(context), self.frequency(state) >= self.frequency(state &- 6) {
      swap(state, state &- 6)
      state &-= 6
    }
    let value = self.frequency(state)
    if value < UInt32(Self.maxFrequency) - 9 {
      setFrequency(state, value + 2)
      setSum(context, sum(context) + 2)
    }
    return state
  }

  private mutating func addSymbol(
    _ symbol: UInt8, _ frequency: UInt32, _ branch: UInt32, _ next: UInt32
  ) {
    let foundCount = count(minContext)
    let rest = sum(minContext) &- UInt32(foundCount) &- frequency
    var context = maxContext
    while context != minContext {
      let count = count(context)
      guard context != 0, count < 255, !arena.isDamaged else {
        arena.markDamaged()
        return
      }
      guard makeRoom(context, count, foundCount) else {
        restore(context)
        return
      }
      let total = sum(context)
      let weight = 2 * frequency * (total + 6)
      let scale = rest &+ total
      var share: UInt32
      if weight < 6 &* scale {
        share = 1 + (weight > scale ? 1 : 0) + (weight >= 4 &* scale ? 1 : 0)
        setSum(context, total + 4)
      } else {
        share = 4 + (weight > 9 &* scale ? 1 : 0) + (weight > 12 &* scale ? 1 : 0)
        share += weight > 15 &* scale ? 1 : 0
        setSum(context, total + share)
      }
      let state = table(context) &+ UInt32(count + 1) * 6
      arena.setByte(state, symbol)
      setFrequency(state, share)
      setSuccessor(state, branch)
      setFlags(context, flags(context) | Self.flag(symbol))
      setCount(context, count + 1)
      context = suffix(context)
    }
    maxContext = next
    minContext = next
  }

  /// Makes room for one more symbol in a context.
  private mutating func makeRoom(_ context: UInt32, _ count: Int, _ foundCount: Int) -> Bool {
    if count != 0 {
      if count & 1 != 0 {
        let table = table(context)
        guard let grown = arena.grow(table, units: UInt32(count + 1) >> 1) else { return false }
        if grown != table { setTable(context, grown) }
      }
      if 3 * count + 1 < foundCount { setSum(context, sum(context) + 1) }
      return true
    }
    guard let table = arena.allocate(units: 1) else { return false }
    store(load(single(context)), table)
    setTable(context, table)
    let value = frequency(table)
    let raised =
      value < UInt32(Self.maxFrequency) / 4 - 1 ? value << 1 : UInt32(Self.maxFrequency) - 4
    setFrequency(table, raised)
    setSum(context, raised + initialEscape + (foundCount > 2 ? 1 : 0))
    return true
  }

  /// Makes the contexts that the symbol found leads to, from the shortest that is missing to the longest.
  ///
  /// Returns nil when memory runs out.
  private mutating func makeSuccessors(
    skipsFound: Bool, _ shorterState: UInt32?, _ start: UInt32
  ) -> UInt32? {
    let branch = successor(found)
    let foundSymbol = symbol(found)
    followed[0] = found
    var followedCount = skipsFound ? 0 : 1
    var known = shorterState
    var context = start
    while suffix(context) != 0 {
      guard followedCount <= 64, !arena.isDamaged else {
        arena.markDamaged()
        return nil
      }
      context = suffix(context)
      let state = known ?? raiseByOne(foundSymbol, context)
      known = nil
      let next = successor(state)
      if next != branch {
        context = next
        if followedCount == 0 { return context }
        break
      }
      followed[followedCount] = state
      followedCount += 1
    }
    let upSymbol = arena.byte(branch)
    let upFlags: UInt8 = (foundSymbol >= 0x40 ? 0x10 : 0) + Self.flag(upSymbol)
    let upFrequency = inheritedFrequency(upSymbol, context)
    let up = State(
      head: UInt16(upSymbol) | UInt16(UInt8(truncatingIfNeeded: upFrequency)) << 8,
      successor: branch &+ 1)
    while followedCount > 0 {
      followedCount -= 1
      guard let child = arena.allocateContext() else { return nil }
      setCount(child, 0)
      setFlags(child, upFlags)
      store(up, single(child))
      setSuffix(child, context)
      setSuccessor(followed[followedCount], child)
      context = child
    }
    return context
  }

  private mutating func raiseByOne(_ symbol: UInt8, _ context: UInt32) -> UInt32 {
    guard count(context) != 0 else {
      let state = single(context)
      let value = frequency(state)
      if count(suffix(context)) == 0 && value < 24 { setFrequency(state, value + 1) }
      return state
    }
    let state = find(symbol, in: context)
    let value = frequency(state)
    if value < UInt32(Self.maxFrequency) - 9 {
      setFrequency(state, value + 1)
      setSum(context, sum(context) + 1)
    }
    return state
  }

  /// The frequency a new context's symbol begins with, after that in the context it grows from.
  private mutating func inheritedFrequency(_ symbol: UInt8, _ context: UInt32) -> UInt32 {
    guard count(context) != 0 else { return frequency(single(context)) }
    let own = frequency(find(symbol, in: context)) &- 1
    let others = sum(context) &- UInt32(count(context)) &- own
    if 2 &* own <= others { return 1 + (5 &* own > others ? 1 : 0) }
    return 1 &+ (own &+ 2 &* others &- 3) / max(1, others)
  }

  /// Lets all contexts without a continuation point into the text, down to one that has one.
  ///
  /// Returns nil when memory runs out.
  private mutating func reduceOrder(_ shorterState: UInt32?, _ start: UInt32) -> UInt32? {
    let foundSymbol = symbol(found)
    let branch = arena.text
    var known = shorterState
    var context = start
    var state = found
    setSuccessor(found, branch)
    orderFall += 1
    while true {
      let shorter = suffix(context)
      guard known != nil || shorter != 0 else { return context }
      guard orderFall <= 4 * 64, !arena.isDamaged else {
        arena.markDamaged()
        return nil
      }
      context = shorter
      state = known ?? raiseByTwo(foundSymbol, context)
      known = nil
      if successor(state) != 0 { break }
      setSuccessor(state, branch)
      orderFall += 1
    }
    if successor(state) <= branch {
      let original = found
      found = state
      let made = makeSuccessors(skipsFound: false, nil, context)
      setSuccessor(state, made ?? 0)
      found = original
    }
    if orderFall == 1 && start == maxContext {
      setSuccessor(found, successor(state))
      arena.text &-= 1
    }
    let next = successor(state)
    return next == 0 ? nil : next
  }

  private mutating func raiseByTwo(_ symbol: UInt8, _ context: UInt32) -> UInt32 {
    guard count(context) != 0 else {
      let state = single(context)
      let value = frequency(state)
      if value < 32 { setFrequency(state, value + 1) }
      return state
    }
    let state = find(symbol, in: context)
    let value = frequency(state)
    if value < UInt32(Self.maxFrequency) - 9 {
      setFrequency(state, value + 2)
      setSum(context, sum(context) + 2)
    }
    return state
  }
}
