/// What looking for a symbol came to.
enum PpmdSymbol {
  case byte(UInt8)
  /// The input ended; the search goes on where it stood.
  case needsInput
  /// An escape from the shortest context: the end, where a writer marks it.
  case end
  case damaged
}

extension PpmdModel {
  private static let expectedEscapes: [UInt8] = [
    25, 14, 9, 7, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2,
  ]

  /// Decodes one byte, or goes on with it.
  mutating func decode(
    _ range: inout PpmdRangeDecoder, _ input: RawSpan, _ position: inout Int
  ) -> PpmdSymbol {
    if arena.isDamaged { return .damaged }
    if maskedCount == nil {
      guard range.normalize(input, &position) else { return .needsInput }
      let first = count(minContext) != 0 ? decodeInTable(&range) : decodeSingle(&range)
      if let first { return first }
    }
    while let ruledOut = maskedCount {
      guard range.normalize(input, &position) else { return .needsInput }
      if let symbol = decodeMasked(&range, ruledOut) { return symbol }
    }
    return .damaged
  }

  /// Decodes in a context of several symbols; nil for an escape.
  private mutating func decodeInTable(_ range: inout PpmdRangeDecoder) -> PpmdSymbol? {
    let table = table(minContext)
    let total = sum(minContext)
    let count = count(minContext)
    guard let heads = arena.heads(table, count: count + 1) else { return .damaged }
    let threshold = range.threshold(of: total)
    var head = heads[0]
    var high = UInt32(head >> 8)
    if threshold < high {
      range.narrow(from: 0, count: high)
      found = table
      updateFirst()
      return .byte(UInt8(truncatingIfNeeded: head))
    }
    previousSuccess = 0
    var index = 0
    while index < count {
      index &+= 1
      head = heads[index]
      let frequency = UInt32(head >> 8)
      high &+= frequency
      if high > threshold {
        range.narrow(from: high &- frequency, count: frequency)
        found = table &+ UInt32(truncatingIfNeeded: index &* 6)
        updateLater()
        return .byte(UInt8(truncatingIfNeeded: head))
      }
    }
    guard threshold < total, high < total else { return .damaged }
    range.narrow(from: high, count: total - high)
    beginMasking()
    for index in 0...count { masked[UInt8(truncatingIfNeeded: heads[index])] = maskMark }
    maskedCount = count
    return nil
  }

  /// Decodes in a context of one symbol; nil for an escape.
  private mutating func decodeSingle(_ range: inout PpmdRangeDecoder) -> PpmdSymbol? {
    let state = single(minContext)
    let row = Int(rows[(Int(frequency(state)) &- 1) & 0xFF])
    // Contexts by the size of the next shorter one: of one symbol, two, up to eleven, more.
    let shorter = count(suffix(minContext))
    let size = shorter == 0 ? 0 : shorter == 1 ? 2 : shorter < 11 ? 4 : 6
    let column = size + previousSuccess + Int(flags(minContext)) + (runLength >> 26) & 0x20
    let slot = min(row * 64 + column, binary.count - 1)
    let probability = UInt32(binary[slot])
    let mean = (probability + 1 << (Self.periodBits - 2)) >> UInt32(Self.periodBits)
    if range.threshold(of: 1 << Self.binaryBits) < probability {
      range.narrow(from: 0, count: probability)
      binary[slot] = UInt16(truncatingIfNeeded: probability + 1 << UInt32(Self.periodBits) - mean)
      found = state
      let symbol = symbol(state)
      updateSingle()
      return .byte(symbol)
    }
    range.narrow(from: probability, count: 1 << Self.binaryBits - probability)
    let lowered = probability - mean
    binary[slot] = UInt16(truncatingIfNeeded: lowered)
    initialEscape = UInt32(Self.expectedEscapes[Int(lowered >> 10) & 15])
    beginMasking()
    masked[symbol(state)] = maskMark
    previousSuccess = 0
    maskedCount = 0
    return nil
  }

  private mutating func beginMasking() {
    maskMark &+= 1
    if maskMark == 0 {
      masked.clear()
      maskMark = 1
    }
  }

  /// Decodes in the next shorter context with symbols that are not ruled out; nil for an escape.
  private mutating func decodeMasked(
    _ range: inout PpmdRangeDecoder, _ ruledOut: Int
  ) -> PpmdSymbol? {
    repeat {
      orderFall += 1
      let shorter = suffix(minContext)
      guard shorter != 0, !arena.isDamaged else {
        maskedCount = nil
        return arena.isDamaged ? .damaged : .end
      }
      minContext = shorter
    } while count(minContext) == ruledOut
    let count = count(minContext)
    guard let heads = arena.heads(table(minContext), count: count + 1) else { return .damaged }
    var open: UInt32 = 0
    for index in 0...count {
      let head = heads[index]
      // Whether a byte is ruled out cannot be predicted, so there is no branch.
      let isOpen: UInt32 = masked[UInt8(truncatingIfNeeded: head)] == maskMark ? 0 : 0xFF
      open &+= UInt32(head >> 8) & isOpen
    }
    let (slot, escape) = estimateEscape(ruledOut)
    let total = escape + open
    let threshold = range.threshold(of: total)
    if threshold < open { return chooseOpen(&range, threshold, slot, heads) }
    guard threshold < total else { return .damaged }
    range.narrow(from: open, count: total - open)
    var changed = escapes[slot]
    changed.sum = UInt16(truncatingIfNeeded: UInt32(changed.sum) + total)
    escapes[slot] = changed
    for index in 0...count { masked[UInt8(truncatingIfNeeded: heads[index])] = maskMark }
    maskedCount = count
    return nil
  }

  private mutating func chooseOpen(
    _ range: inout PpmdRangeDecoder, _ threshold: UInt32, _ slot: Int, _ heads: PpmdHeads
  ) -> PpmdSymbol {
    var high: UInt32 = 0
    for index in 0...count(minContext) {
      let head = heads[index]
      let isOpen: UInt32 = masked[UInt8(truncatingIfNeeded: head)] == maskMark ? 0 : 0xFF
      let frequency = UInt32(head >> 8) & isOpen
      high &+= frequency
      if high > threshold {
        range.narrow(from: high &- frequency, count: frequency)
        var escape = escapes[slot]
        escape.update()
        escapes[slot] = escape
        found = table(minContext) &+ UInt32(truncatingIfNeeded: index &* 6)
        maskedCount = nil
        updateMasked()
        return .byte(UInt8(truncatingIfNeeded: head))
      }
    }
    return .damaged
  }

  /// The estimate for an escape from the current context, and the frequency it gives the escape.
  private mutating func estimateEscape(_ ruledOut: Int) -> (slot: Int, frequency: UInt32) {
    let count = count(minContext)
    guard count != 0xFF else { return (24 * 32, 1) }
    let shorter = self.count(suffix(minContext))
    let row = Int(rows[count + 2]) - 3
    let column =
      (sum(minContext) > 11 * UInt32(count + 1) ? 1 : 0)
      + (2 * count < shorter + ruledOut ? 2 : 0) + Int(flags(minContext))
    let slot = min(max(0, row) * 32 + column, 24 * 32 - 1)
    var escape = escapes[slot]
    let share = escape.sum >> UInt16(escape.shift)
    escape.sum &-= share
    escapes[slot] = escape
    return (slot, max(1, UInt32(share)))
  }

  // MARK: What a symbol found changes

  private mutating func updateFirst() {
    let frequency = frequency(found)
    let total = sum(minContext)
    previousSuccess = 2 * frequency >= total ? 1 : 0
    runLength += previousSuccess
    setSum(minContext, total + 4)
    setFrequency(found, frequency + 4)
    if frequency + 4 > UInt32(Self.maxFrequency) { rescale() }
    goOn()
  }

  private mutating func updateLater() {
    setSum(minContext, sum(minContext) + 4)
    let raised = frequency(found) + 4
    setFrequency(found, raised)
    if raised > frequency(found &- 6) {
      swap(found, found &- 6)
      found &-= 6
      if raised > UInt32(Self.maxFrequency) { rescale() }
    }
    goOn()
  }

  private mutating func updateSingle() {
    let frequency = frequency(found)
    if frequency < 196 { setFrequency(found, frequency + 1) }
    previousSuccess = 1
    runLength += 1
    goOn()
  }

  private mutating func updateMasked() {
    setSum(minContext, sum(minContext) + 4)
    let raised = frequency(found) + 4
    setFrequency(found, raised)
    if raised > UInt32(Self.maxFrequency) { rescale() }
    runLength = initialRunLength
    update()
    minContext = maxContext
  }

  /// Goes to the next context, making it first where it does not exist.
  private mutating func goOn() {
    let next = successor(found)
    if orderFall == 0 && next >= arena.unitsStart {
      minContext = next
      maxContext = next
    } else {
      update()
      minContext = maxContext
    }
  }
}
