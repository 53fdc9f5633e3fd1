/// The memory of a PPMd model: text from below, contexts and symbol tables from above, addressed by offset.
///
/// The model of variant I is defined by where memory runs out, so units are given out and taken back in
/// exactly the order of Shkarin's allocator: 38 sizes of 12-byte units with a free list each, and blocks
/// glued together when a list stays empty.
///
/// An offset outside the memory never occurs with a sound model; should one, it marks the arena as damaged
/// and goes to a scratch area, so that nothing else is touched.
@safe
struct PpmdArena: ~Copyable {
  static let unit: UInt32 = 12
  private static let indexes = 38
  /// Where the text begins; offset 0 means "nothing", and what is below is scratch.
  private static let start: UInt32 = 16
  private static let emptyStamp = UInt32.max

  // Safety: allocated with `limit` bytes, freed in deinit; every access goes through `place`.
  private let memory: UnsafeMutableRawPointer
  private let limit: Int

  /// Bytes for text and units.
  let size: UInt32
  private(set) var isDamaged = false

  /// The end of the text.
  var text: UInt32 = 0
  /// The lowest unit in use.
  private(set) var unitsStart: UInt32 = 0
  private var lowUnit: UInt32 = 0
  private var highUnit: UInt32 = 0
  private var glueCount: UInt32 = 0
  private let freeLists = PpmdTable<UInt32>(repeating: 0, count: PpmdArena.indexes)
  private let listLengths = PpmdTable<UInt32>(repeating: 0, count: PpmdArena.indexes)
  private let unitsOfIndex = PpmdTable<UInt32>(repeating: 0, count: PpmdArena.indexes)
  private let indexOfUnits = PpmdTable<UInt8>(repeating: 0, count: 128)

  init(size: UInt32) {
    self.size = size
    limit = Int(size) + Int(Self.start) + Int(Self.unit)
    unsafe memory = .allocate(byteCount: limit, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(Self.start))
    // 1 to 4 units, then steps of 2 to 12, of 3 to 24, of 4 to 128.
    var units = 0
    for index in 0..<Self.indexes {
      let step = index >= 12 ? 4 : index / 4 + 1
      for place in units..<(units + step) { indexOfUnits[place] = UInt8(index) }
      units += step
      unitsOfIndex[index] = UInt32(units)
    }
    reset()
  }

  deinit { unsafe memory.deallocate() }

  mutating func reset() {
    for index in 0..<Self.indexes {
      freeLists[index] = 0
      listLengths[index] = 0
    }
    text = Self.start
    highUnit = text + size
    unitsStart = highUnit - size / 8 / Self.unit * 7 * Self.unit
    lowUnit = unitsStart
    glueCount = 0
  }

  /// Begins the text anew.
  mutating func clearText() { text = Self.start }

  /// Lets the allocator look for blocks to glue at the next chance.
  mutating func allowGlue() { glueCount = 0 }

  // MARK: Access

  @inline(__always)
  private mutating func place(_ offset: UInt32, _ width: Int) -> Int {
    let at = Int(offset)
    if at + width <= limit { return at }
    isDamaged = true
    return 0
  }

  @inline(__always)
  mutating func byte(_ offset: UInt32) -> UInt8 {
    unsafe memory.load(fromByteOffset: place(offset, 1), as: UInt8.self)
  }

  @inline(__always)
  mutating func setByte(_ offset: UInt32, _ value: UInt8) {
    unsafe memory.storeBytes(of: value, toByteOffset: place(offset, 1), as: UInt8.self)
  }

  @inline(__always)
  mutating func half(_ offset: UInt32) -> UInt16 {
    unsafe memory.loadUnaligned(fromByteOffset: place(offset, 2), as: UInt16.self)
  }

  @inline(__always)
  mutating func setHalf(_ offset: UInt32, _ value: UInt16) {
    unsafe memory.storeBytes(of: value, toByteOffset: place(offset, 2), as: UInt16.self)
  }

  @inline(__always)
  mutating func word(_ offset: UInt32) -> UInt32 {
    unsafe memory.loadUnaligned(fromByteOffset: place(offset, 4), as: UInt32.self)
  }

  @inline(__always)
  mutating func setWord(_ offset: UInt32, _ value: UInt32) {
    unsafe memory.storeBytes(of: value, toByteOffset: place(offset, 4), as: UInt32.self)
  }

  /// Looks at the symbols of a table; damage is marked, and there is nothing to see, when it is not within the memory.
  @inline(__always)
  mutating func heads(_ table: UInt32, count: Int) -> PpmdHeads? {
    guard Int(table) &+ count &* 6 <= limit else {
      isDamaged = true
      return nil
    }
    return unsafe PpmdHeads(UnsafeRawPointer(memory) + Int(table))
  }

  /// Copies whole units that do not overlap.
  mutating func copyUnits(to target: UInt32, from source: UInt32, count: UInt32) {
    let bytes = Int(count * Self.unit)
    let (to, from) = (place(target, bytes), place(source, bytes))
    guard !isDamaged else { return }
    unsafe (memory + to).copyMemory(from: memory + from, byteCount: bytes)
  }

  /// Says that the model came to what cannot be.
  mutating func markDamaged() { isDamaged = true }

  // MARK: Nodes of free lists: stamp, next, units

  private mutating func insert(_ node: UInt32, _ index: Int) {
    setWord(node, Self.emptyStamp)
    setWord(node &+ 4, freeLists[index])
    setWord(node &+ 8, unitsOfIndex[index])
    freeLists[index] = node
    listLengths[index] &+= 1
  }

  private mutating func remove(_ index: Int) -> UInt32 {
    let node = freeLists[index]
    let next = word(node &+ 4)
    freeLists[index] = next
    listLengths[index] &-= 1
    return node
  }

  private func index(of units: UInt32) -> Int {
    let place = Int(units) - 1
    return place >= 0 && place < indexOfUnits.count
      ? Int(indexOfUnits[place]) : Self.indexes - 1
  }

  /// Gives back the end of a block of one size that is used as one of a smaller size.
  private mutating func split(_ block: UInt32, from oldIndex: Int, to newIndex: Int) {
    guard oldIndex > newIndex else {
      isDamaged = true
      return
    }
    let left = unitsOfIndex[oldIndex] - unitsOfIndex[newIndex]
    insertSpan(block &+ unitsOfIndex[newIndex] * Self.unit, units: left)
  }

  /// Puts units, at most 128, into one or two lists.
  private mutating func insertSpan(_ block: UInt32, units: UInt32) {
    var index = index(of: units)
    if unitsOfIndex[index] != units {
      index -= 1
      let first = unitsOfIndex[index]
      insert(block &+ first * Self.unit, Int(units - first) - 1)
    }
    insert(block, index)
  }

  private mutating func glue() {
    glueCount = 1 << 13
    for index in 0..<Self.indexes { listLengths[index] = 0 }
    // Blocks end at the gap between the two ends of the units, if there is one.
    if lowUnit != highUnit { setWord(lowUnit, 0) }
    var head: UInt32 = 0
    var tail: UInt32 = 0
    for index in 0..<Self.indexes {
      var node = freeLists[index]
      freeLists[index] = 0
      while node != 0 && !isDamaged {
        var units = word(node &+ 8)
        if units != 0 {
          if tail == 0 { head = node } else { setWord(tail &+ 4, node) }
          tail = node
          while true {
            let next = node &+ units &* Self.unit
            guard !isDamaged, word(next) == Self.emptyStamp else { break }
            units &+= word(next &+ 8)
            setWord(next &+ 8, 0)
          }
          setWord(node &+ 8, units)
        }
        node = word(node &+ 4)
      }
    }
    if tail != 0 { setWord(tail &+ 4, 0) }
    while head != 0 && !isDamaged {
      var node = head
      head = word(node &+ 4)
      var units = word(node &+ 8)
      while units > 128 {
        insert(node, Self.indexes - 1)
        node &+= 128 * Self.unit
        units -= 128
      }
      if units > 0 { insertSpan(node, units: units) }
    }
  }

  // MARK: Units

  /// Takes a unit for a context; nil when there is none.
  mutating func allocateContext() -> UInt32? {
    if highUnit != lowUnit {
      highUnit -= Self.unit
      return highUnit
    }
    return freeLists[0] != 0 ? remove(0) : allocateRarely(0)
  }

  /// Takes units for a table of symbols; nil when there are none.
  mutating func allocate(units: UInt32) -> UInt32? { allocate(index: index(of: units)) }

  private mutating func allocate(index: Int) -> UInt32? {
    if freeLists[index] != 0 { return remove(index) }
    let bytes = unitsOfIndex[index] * Self.unit
    if bytes <= highUnit - lowUnit {
      defer { lowUnit += bytes }
      return lowUnit
    }
    return allocateRarely(index)
  }

  private mutating func allocateRarely(_ index: Int) -> UInt32? {
    if glueCount == 0 {
      glue()
      if freeLists[index] != 0 { return remove(index) }
    }
    for larger in (index + 1)..<max(index + 1, Self.indexes) where freeLists[larger] != 0 {
      let block = remove(larger)
      split(block, from: larger, to: index)
      return block
    }
    let bytes = unitsOfIndex[index] * Self.unit
    glueCount &-= 1
    guard unitsStart > text, unitsStart - text > bytes else { return nil }
    unitsStart -= bytes
    return unitsStart
  }

  /// Makes room for one more unit in a full table; nil when there is none.
  mutating func grow(_ table: UInt32, units: UInt32) -> UInt32? {
    let index = index(of: units)
    guard index != self.index(of: units + 1) else { return table }
    guard let target = allocate(index: index + 1) else { return nil }
    copyUnits(to: target, from: table, count: units)
    insert(table, index)
    return target
  }

  /// Shrinks a table, and returns where it is now.
  mutating func shrink(_ table: UInt32, from oldUnits: UInt32, to newUnits: UInt32) -> UInt32 {
    let (old, new) = (index(of: oldUnits), index(of: newUnits))
    guard old != new else { return table }
    guard freeLists[new] != 0 else {
      split(table, from: old, to: new)
      return table
    }
    let target = remove(new)
    copyUnits(to: target, from: table, count: newUnits)
    insert(table, old)
    return target
  }

  mutating func free(_ table: UInt32, units: UInt32) { insert(table, index(of: units)) }

  /// Frees one unit; the lowest one goes back to the text.
  mutating func freeContext(_ context: UInt32) {
    if context == unitsStart { unitsStart &+= Self.unit } else { insert(context, 0) }
  }

  /// Moves a table away from the text, if it is near and there is a place.
  mutating func moveUp(_ table: UInt32, units: UInt32) -> UInt32 {
    let index = index(of: units)
    if table > unitsStart &+ 16 * 1024 || table > freeLists[index] { return table }
    let target = remove(index)
    copyUnits(to: target, from: table, count: units)
    if table == unitsStart {
      unitsStart &+= unitsOfIndex[index] * Self.unit
    } else {
      insert(table, index)
    }
    return target
  }

  /// Gives free blocks above the text to the text.
  mutating func expandText() {
    var counts = [UInt32](repeating: 0, count: Self.indexes)
    if lowUnit != highUnit { setWord(lowUnit, 0) }
    while !isDamaged, word(unitsStart) == Self.emptyStamp {
      setWord(unitsStart, 0)
      let units = word(unitsStart &+ 8)
      counts[index(of: units)] += 1
      unitsStart &+= units &* Self.unit
    }
    for index in 0..<Self.indexes {
      var previous: UInt32 = 0
      var node = freeLists[index]
      while counts[index] != 0 && !isDamaged {
        let next = word(node &+ 4)
        if word(node) == 0 {
          if previous == 0 { freeLists[index] = next } else { setWord(previous &+ 4, next) }
          listLengths[index] &-= 1
          counts[index] -= 1
        } else {
          previous = node
        }
        guard node != 0 else {
          isDamaged = true
          return
        }
        node = next
      }
    }
  }

  /// Bytes in use.
  var used: UInt32 {
    var free: UInt32 = 0
    for index in 0..<Self.indexes { free &+= listLengths[index] &* unitsOfIndex[index] }
    return size &- (highUnit &- lowUnit) &- (unitsStart &- text) &- free &* Self.unit
  }
}
