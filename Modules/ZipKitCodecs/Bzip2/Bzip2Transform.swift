/// Turns a block's last column of sorted rotations back into its text (Burrows and Wheeler, 1994).
///
/// A step of the walk through a block depends on the one before and seldom finds its row in the cache. So the walk
/// is cut into stretches that begin at many rows, eight of which are walked at a time, and put together
/// in the order in which they lead to each other.
@safe
struct Bzip2Transform: ~Copyable {
  /// Bytes it takes.
  static let memory = 4 * (Bzip2Block.capacity + 1) + lanes * tapeSize

  private static let lanes = 8
  private static let stretches = 64
  /// Bytes that one lane has room for: twice what it takes when all goes evenly.
  ///
  /// It is no power of two, or the tapes would compete for the same places of the cache.
  private static let tapeSize = 230_000
  /// Blocks smaller than this lie in the cache and are walked in one.
  private static let smallest = 8192
  /// Marks the row before the beginning of a stretch.
  private static let mark: UInt32 = 1 << 31

  // Safety: allocated with room for a block's rows and one more, and for `lanes` tapes, freed in deinit. The
  // numbers of rows in `rows` are those of a permutation of a block's rows, and so below its count.
  /// By row: the number of the next one times 256, and the byte it begins with.
  private let rows: UnsafeMutablePointer<UInt32>
  private let tapes: UnsafeMutablePointer<UInt8>

  init() {
    unsafe rows = .allocate(capacity: Bzip2Block.capacity + 1)
    unsafe tapes = .allocate(capacity: Self.lanes * Self.tapeSize)
  }

  deinit {
    unsafe rows.deallocate()
    unsafe tapes.deallocate()
  }

  /// Replaces a block's bytes by its text.
  mutating func invert(_ block: Bzip2Block) {
    let count = block.count
    guard count > 0 else { return }
    precondition(count <= Bzip2Block.capacity && block.origin < count)
    var starts = [block.origin]
    if count >= Self.smallest {
      starts += (0..<Self.stretches).map { $0 * count / Self.stretches }
    }
    starts = Set(starts).sorted()
    fillRows(block, starts)
    if starts.count == 1 || !walkInLanes(block, starts) { walkInOne(block) }
  }

  private mutating func fillRows(_ block: Bzip2Block, _ starts: [Int]) {
    let bytes = unsafe UnsafePointer(block.bytes)
    var next = [Int](repeating: 0, count: 256)
    unsafe next.withUnsafeMutableBufferPointer { next in
      for place in 0..<block.count { unsafe next[Int(bytes[place])] += 1 }
      var sum = 0
      for value in 0..<256 {
        let count = unsafe next[value]
        unsafe next[value] = sum
        sum += count
      }
      var begin = starts.first == 0 ? 0 : -1
      for end in starts.dropFirst(begin + 1) + [block.count] {
        if begin >= 0 {
          let value = Int(unsafe bytes[begin])
          unsafe rows[next[value]] = UInt32(begin) << 8 | UInt32(value) | Self.mark
          unsafe next[value] += 1
        }
        for row in (begin + 1)..<end {
          let value = Int(unsafe bytes[row])
          let place = unsafe next[value]
          unsafe next[value] = place &+ 1
          unsafe rows[place] =
            UInt32(truncatingIfNeeded: row) << 8 | UInt32(truncatingIfNeeded: value)
        }
        begin = end
      }
    }
  }

  private func walkInOne(_ block: Bzip2Block) {
    var row = block.origin
    for place in 0..<block.count {
      let entry = unsafe rows[row]
      unsafe block.bytes[place] = UInt8(truncatingIfNeeded: entry)
      row = Int(entry & ~Self.mark) >> 8
    }
  }

  // MARK: Many stretches

  /// Where a stretch was walked, and which one comes behind it.
  private struct Stretch {
    var lane = 0
    var begin = 0
    var end = 0
    var next = 0
  }

  /// Walks all stretches; false when they are so uneven that a lane has no room for them.
  private mutating func walkInLanes(_ block: Bzip2Block, _ starts: [Int]) -> Bool {
    var stretches = [Stretch](repeating: Stretch(), count: starts.count)
    // A lane with nothing to do goes round in a row of its own.
    let idle = block.count
    unsafe rows[idle] = UInt32(idle) << 8
    var state = Lanes(repeating: UInt32(idle))
    var current = [Int?](repeating: nil, count: Self.lanes)
    var (upcoming, busy, place) = (0, 0, 0)
    func begin(_ lane: Int) {
      state[lane] = UInt32(idle)
      current[lane] = nil
      guard upcoming < starts.count else { return }
      state[lane] = UInt32(starts[upcoming])
      current[lane] = upcoming
      stretches[upcoming].lane = lane
      stretches[upcoming].begin = place
      upcoming += 1
      busy += 1
    }
    for lane in 0..<Self.lanes { begin(lane) }
    while busy > 0 {
      guard advance(&state, &place) else { return false }
      for lane in 0..<Self.lanes where state[lane] >= Self.mark >> 8 {
        // The marks of rows that were looked at came along.
        guard let ended = current[lane],
          let next = Self.find(Int(state[lane] & ~(Self.mark >> 8)), starts)
        else { return false }
        stretches[ended].end = place
        stretches[ended].next = next
        busy -= 1
        begin(lane)
      }
    }
    join(stretches, from: Self.find(block.origin, starts) ?? 0, block)
    return true
  }

  /// The place of a row in the sorted starts.
  private static func find(_ row: Int, _ starts: [Int]) -> Int? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low < starts.count && starts[low] == row ? low : nil
  }

  private typealias Lanes = SIMD8<UInt32>

  /// Walks all lanes until one of them is at the end of a stretch; false when the tapes are full.
  private func advance(_ state: inout Lanes, _ place: inout Int) -> Bool {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    var at = place
    var marks: UInt32 = 0
    let (rows, tapes) = unsafe (rows, tapes)
    @inline(__always) func step(_ row: inout UInt32, _ lane: Int) {
      let entry = unsafe rows[Int(row)]
      unsafe tapes[lane &* Self.tapeSize &+ at] = UInt8(truncatingIfNeeded: entry)
      marks |= entry
      row = entry >> 8
    }
    while marks < Self.mark && at < Self.tapeSize {
      step(&a, 0)
      step(&b, 1)
      step(&c, 2)
      step(&d, 3)
      step(&e, 4)
      step(&f, 5)
      step(&g, 6)
      step(&h, 7)
      at &+= 1
    }
    place = at
    state = Lanes(a, b, c, d, e, f, g, h)
    return marks >= Self.mark
  }

  /// Puts the stretches together; a text that repeats itself goes through the same ones again.
  private func join(_ stretches: [Stretch], from first: Int, _ block: Bzip2Block) {
    var number = first
    var place = 0
    while place < block.count {
      let stretch = stretches[number]
      let count = min(stretch.end - stretch.begin, block.count - place)
      unsafe (block.bytes + place).update(
        from: tapes + stretch.lane * Self.tapeSize + stretch.begin, count: count)
      place += count
      number = stretch.next
    }
  }
}
