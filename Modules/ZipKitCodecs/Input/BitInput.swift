internal import ZipKitCore

/// The bits of a compressed stream, each byte's lowest first, over input that comes in pieces.
///
/// A decoder takes a *step* (a symbol, a header) and then asks ``isOverrun``: when bits were missing it
/// goes back to the ``Mark`` before the step and waits for more. So a step has no effect before that check.
@safe
struct BitInput: ~Copyable {
  /// Bytes that fit in the store; no step of any decoder is as long.
  static let capacity = 1 << 15

  // Safety: allocated with `capacity` bytes, freed in deinit; positions stay within 0...capacity.
  private let store: UnsafeMutablePointer<UInt8>
  private var position = 0
  private var end = 0
  /// Bytes of the stream in front of the store's first.
  private var base: UInt64 = 0
  private var bits: UInt64 = 0
  /// Bits in `bits`, made up ones included.
  private var count = 0
  /// Bits that were made up, as zeros, behind the last byte.
  private var padding = 0
  /// Bytes taken from the input of the call that goes on.
  private var taken = 0

  /// A place to go back to.
  struct Mark {
    fileprivate var position: Int
    fileprivate var bits: UInt64
    fileprivate var count: Int
    fileprivate var padding: Int
  }

  init() { unsafe store = .allocate(capacity: Self.capacity) }

  deinit { unsafe store.deallocate() }

  mutating func reset() {
    (position, end, base, bits, count, padding, taken) = (0, 0, 0, 0, 0, 0, 0)
  }

  /// Begins a call: takes as much of its input as there is room for.
  mutating func begin(_ input: RawSpan) {
    dropPadding()
    putBack()
    if position > 0 {
      unsafe store.update(from: store + position, count: end - position)
      base += UInt64(position)
      end -= position
      position = 0
    }
    taken = min(Self.capacity - end, input.byteCount)
    unsafe input.withUnsafeBytes { source in
      guard let bytes = source.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(store + end).copyMemory(from: bytes, byteCount: taken)
    }
    end += taken
  }

  /// Ends a call, and returns the bytes it used of its input.
  ///
  /// A decoder that `waits` needs more than is left, which is then kept here; otherwise the rest is given
  /// back.
  mutating func finish(waits: Bool) -> Int {
    dropPadding()
    guard !waits else { return taken }
    putBack()
    let back = min(end - position, taken)
    end -= back
    return taken - back
  }

  /// Whether all of a call's input is in the store.
  func holdsAll(of input: RawSpan) -> Bool { taken == input.byteCount }

  var mark: Mark { Mark(position: position, bits: bits, count: count, padding: padding) }

  mutating func goBack(to mark: Mark) {
    (position, bits, count, padding) = (mark.position, mark.bits, mark.count, mark.padding)
  }

  /// Whether bits behind the last byte were read.
  @inline(__always)
  var isOverrun: Bool { count < padding }

  /// Bytes of the stream that are read, a partly read one included.
  var offset: UInt64 { base + UInt64(position) - UInt64(max(0, count - padding) / 8) }

  /// Makes at least 56 bits available, real ones as far as there are any.
  @inline(__always)
  mutating func refill() {
    if end - position >= 8 {
      let word = unsafe UnsafeRawPointer(store + position).loadUnaligned(as: UInt64.self)
      bits |= word.littleEndian << UInt64(count)
      let bytes = (63 - count) >> 3
      position += bytes
      count += 8 * bytes
    } else {
      refillSlowly()
    }
  }

  private mutating func refillSlowly() {
    trim()
    while count <= 55 {
      if position < end {
        bits |= UInt64(unsafe store[position]) << UInt64(count)
        position += 1
      } else {
        padding += 8
      }
      count += 8
    }
  }

  /// The bits at hand, the next one lowest; at least 56 after ``refill()``.
  @inline(__always)
  var ahead: UInt64 { bits }

  /// Uses up bits that are at hand.
  @inline(__always)
  mutating func drop(_ number: Int) {
    bits >>= UInt64(number)
    count -= number
  }

  /// Uses up at most 32 bits, which are at hand, and returns them.
  @inline(__always)
  mutating func take(_ number: Int) -> Int {
    let value = Int(truncatingIfNeeded: bits & (1 << UInt64(number) - 1))
    drop(number)
    return value
  }

  /// Refills, and takes at most 32 bits.
  @inline(__always)
  mutating func read(_ number: Int) -> Int {
    refill()
    return take(number)
  }

  /// Drops bits up to the next whole byte.
  mutating func alignToByte() { drop(count & 7) }

  /// Leaves whole bytes that were read ahead to the store.
  private mutating func putBack() {
    let ahead = count / 8
    position -= ahead
    count -= 8 * ahead
    trim()
  }

  private mutating func dropPadding() {
    count = max(0, count - padding)
    padding = 0
    trim()
  }

  /// Clears what stands above the bits that count.
  private mutating func trim() {
    if count < 64 { bits &= 1 << UInt64(count) - 1 }
  }
}

extension BitInput {
  /// Takes the symbol of a code whose bits are stored inverted, as PKWARE's imploders write them.
  ///
  /// - Parameters:
  ///   - code: The code to read by.
  ///   - what: What the code stands for, in the error.
  /// - Returns: The symbol, or 0 where the input has run out, which ``isOverrun`` tells.
  /// - Throws: An error where the bits begin no code.
  mutating func readInverted(_ code: PrefixCode, _ what: String) throws(DecodeError) -> Int {
    refill()
    guard let (symbol, bits) = code.find(~ahead) else {
      drop(PrefixCode.longest)
      if isOverrun { return 0 }
      throw .unusedCode(what, at: offset)
    }
    drop(bits)
    return symbol
  }
}
