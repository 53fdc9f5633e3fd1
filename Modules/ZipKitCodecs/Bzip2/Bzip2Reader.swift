internal import ZipKitCore

/// What the bits of a bzip2 stream say, up to the blocks as they were before their rotations were sorted back.
@safe
struct Bzip2Reader: ~Copyable {
  /// What came of reading.
  enum Outcome {
    case needsInput
    /// The block is full.
    case block
    /// The stream is at its end, with this checksum over those of its blocks.
    case end(UInt32)
  }

  private enum Place {
    case streamHeader
    case blockHeader
    case symbols
    case ended
  }

  private static let blockMark: UInt64 = 0x3141_5926_5359
  private static let endMark: UInt64 = 0x1772_4538_5090
  private static let groupSize = 50
  private static let mostSelectors = 18_002

  var bits = HighBits()
  private var codes = Bzip2Codes()
  private var place = Place.streamHeader
  private var mostBytes = 0
  private var origin = 0
  private var selectors: [UInt8] = []
  // Safety: allocated with 256 bytes and 8 more, freed in deinit.
  /// Bytes by how lately they occurred, the latest first.
  private let recent: UnsafeMutablePointer<UInt8>
  private var usedCount = 0
  private var symbols = Symbols()

  init() {
    unsafe recent = .allocate(capacity: 256 + 8)
    unsafe recent.initialize(repeating: 0, count: 256 + 8)
  }

  deinit { unsafe recent.deallocate() }

  mutating func reset() {
    bits.reset()
    place = .streamHeader
  }

  /// Reads on, to the end of a block or of the stream.
  mutating func read(into block: Bzip2Block) throws(DecodeError) -> Outcome {
    while true {
      switch place {
      case .streamHeader:
        guard bits.limit - bits.position >= 32 else { return .needsInput }
        let header = bits.peek(at: bits.position) >> 32
        let level = Int(header & 0xFF) - 0x30
        guard header >> 8 == 0x42_5A68, (1...9).contains(level) else { throw .bzip2Magic() }
        mostBytes = level * 100_000
        bits.move(to: bits.position + 32)
        place = .blockHeader
      case .blockHeader:
        guard bits.limit - bits.position >= 80 else { return .needsInput }
        let mark = bits.peek(at: bits.position) >> 16
        let checksum = UInt32(
          truncatingIfNeeded: bits.peek(at: bits.position + 48) >> 32)
        if mark == Self.endMark {
          bits.move(to: (bits.position + 80 + 7) / 8 * 8)
          place = .ended
          return .end(checksum)
        }
        guard mark == Self.blockMark else { throw .bzip2Mark() }
        guard let end = try readBlockHeader(bits.position + 80) else {
          guard !bits.isFull else { throw .bzip2Tables() }
          return .needsInput
        }
        bits.move(to: end)
        block.count = 0
        block.declaredChecksum = checksum
        symbols = Symbols()
        place = .symbols
      case .symbols:
        guard try readSymbols(block) else { return .needsInput }
        guard origin < block.count else { throw .bzip2Origin(origin, count: block.count) }
        block.origin = origin
        place = .blockHeader
        return .block
      case .ended: return .needsInput
      }
    }
  }

  // MARK: Headers of blocks

  /// A walk over bits that may run out.
  private struct Walk {
    var place: Int
    let limit: Int
    var isShort: Bool { place > limit }
  }

  @inline(__always)
  private func next(_ count: Int, _ walk: inout Walk) -> Int {
    guard walk.place <= walk.limit else { return 0 }
    defer { walk.place += count }
    return Int(bits.peek(at: walk.place) >> UInt64(64 - count))
  }

  /// Reads what stands between a block's mark and its symbols; returns where they begin, or nil when not all of it
  /// is there.
  private mutating func readBlockHeader(_ start: Int) throws(DecodeError) -> Int? {
    var walk = Walk(place: start, limit: bits.limit)
    let isRandomised = next(1, &walk) == 1
    let origin = next(24, &walk)
    let used = readUsedBytes(&walk)
    let tableCount = next(3, &walk)
    let selectorCount = next(15, &walk)
    guard !walk.isShort else { return nil }
    guard !isRandomised else { throw .bzip2Randomised() }
    guard !used.isEmpty, (2...Bzip2Codes.mostTables).contains(tableCount), selectorCount > 0 else {
      throw .bzip2Tables()
    }
    guard try readSelectors(selectorCount, tableCount, &walk) else { return nil }
    for table in 0..<tableCount {
      guard let lengths = try readLengths(used.count + 2, &walk) else { return nil }
      codes.make(table, lengths)
    }
    guard !walk.isShort else { return nil }
    self.origin = origin
    usedCount = used.count
    for (index, byte) in used.enumerated() { unsafe recent[index] = byte }
    return walk.place
  }

  private func readUsedBytes(_ walk: inout Walk) -> [UInt8] {
    var used: [UInt8] = []
    let rows = next(16, &walk)
    for row in 0..<16 where rows >> (15 - row) & 1 == 1 {
      let columns = next(16, &walk)
      for column in 0..<16 where columns >> (15 - column) & 1 == 1 {
        used.append(UInt8(row * 16 + column))
      }
    }
    return used
  }

  private mutating func readSelectors(
    _ count: Int, _ tableCount: Int, _ walk: inout Walk
  ) throws(DecodeError) -> Bool {
    // The tables by how lately they were chosen, a byte each, the latest lowest.
    var order: UInt64 = 0x05_0403_0201_00
    selectors.removeAll(keepingCapacity: true)
    for _ in 0..<count {
      guard !walk.isShort else { return false }
      let index = (~bits.peek(at: walk.place)).leadingZeroBitCount
      guard index < tableCount else { throw .bzip2Tables() }
      walk.place += index + 1
      let chosen = order >> UInt64(8 * index) & 0xFF
      let moved: UInt64 = ~0 >> UInt64(56 - 8 * index)
      order = (order << 8 | chosen) & moved | order & ~moved
      // Some writers pad the list; more than a block can use are skipped, as libbz2 does.
      if selectors.count < Self.mostSelectors { selectors.append(UInt8(chosen)) }
    }
    return !walk.isShort
  }

  private func readLengths(
    _ count: Int, _ walk: inout Walk
  ) throws(DecodeError) -> [UInt8]? {
    var lengths = [UInt8](repeating: 0, count: count)
    var length = next(5, &walk)
    for symbol in 0..<count {
      while true {
        guard !walk.isShort else { return nil }
        guard (1...Bzip2Codes.longest).contains(length) else { throw .bzip2Tables() }
        let step = Int(bits.peek(at: walk.place) >> 62)
        if step < 2 {
          walk.place += 1
          break
        }
        walk.place += 2
        length += step == 2 ? 1 : -1
      }
      lengths[symbol] = UInt8(length)
    }
    return lengths
  }

  // MARK: Symbols

  /// How far the symbols of a block are read.
  private struct Symbols {
    var selector = 0
    var groupLeft = 0
    var table = 0
    var run = 0
    var runBits = 0
  }

  private enum SymbolsOutcome {
    case needsInput
    case done
    case damaged
  }

  /// Reads symbols to the end of the block; false when the input ends before.
  private mutating func readSymbols(_ block: Bzip2Block) throws(DecodeError) -> Bool {
    var place = bits.position
    var count = block.count
    var walk = symbols
    let outcome = unsafe readSymbols(&walk, &place, block.bytes, &count)
    bits.move(to: place)
    symbols = walk
    block.count = count
    if outcome == .damaged { throw .bzip2Codes() }
    return outcome == .done
  }

  // Safety: at most `mostBytes` bytes are written, which is no more than a block holds; of the recent bytes only
  // those below `usedCount` are looked at.
  private func readSymbols(
    _ walk: inout Symbols, _ place: inout Int, _ bytes: UnsafeMutablePointer<UInt8>,
    _ count: inout Int
  ) -> SymbolsOutcome {
    let order = unsafe recent
    let selectors = selectors.span
    let endOfBlock = usedCount + 1
    let mostBytes = mostBytes
    let limit = bits.limit
    while true {
      if walk.groupLeft == 0 {
        guard walk.selector < selectors.count else { return .damaged }
        walk.table = Int(selectors[walk.selector])
        walk.selector += 1
        walk.groupLeft = Self.groupSize
      }
      let (symbol, length) = codes.symbol(walk.table, bits.peek(at: place))
      guard place + length <= limit else { return .needsInput }
      guard length > 0 else {
        // Zeros that were made up behind the last bit may be what is no code.
        return limit - place >= Bzip2Codes.longest ? .damaged : .needsInput
      }
      place += length
      walk.groupLeft -= 1
      if symbol <= 1 {
        walk.run += (symbol + 1) << walk.runBits
        walk.runBits += 1
        guard walk.runBits <= 20 else { return .damaged }
        continue
      }
      if walk.runBits > 0 {
        guard count + walk.run <= mostBytes else { return .damaged }
        unsafe (bytes + count).update(repeating: order[0], count: walk.run)
        count += walk.run
        (walk.run, walk.runBits) = (0, 0)
      }
      if symbol == endOfBlock { return .done }
      guard count < mostBytes, symbol < endOfBlock else { return .damaged }
      unsafe bytes[count] = Self.bringForward(order, symbol - 1)
      count += 1
    }
  }

  /// Moves a byte to the front of the order, and returns it.
  @inline(__always)
  private static func bringForward(_ order: UnsafeMutablePointer<UInt8>, _ index: Int) -> UInt8 {
    let byte = unsafe order[index]
    if index < 8 {
      // Eight at a time: those in front of it move up by one, in one word.
      let raw = UnsafeMutableRawPointer(order)
      let word = UInt64(
        littleEndian: unsafe raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
      let moved: UInt64 = ~0 >> UInt64(56 - 8 * index)
      let changed = (word << 8 | UInt64(byte)) & moved | word & ~moved
      unsafe raw.storeBytes(of: changed.littleEndian, as: UInt64.self)
    } else {
      unsafe (order + 1).update(from: order, count: index)
      unsafe order[0] = byte
    }
    return byte
  }
}
