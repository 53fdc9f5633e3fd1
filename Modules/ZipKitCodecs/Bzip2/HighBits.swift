/// The bits of a stream, each byte's highest first, over input that comes in pieces.
///
/// A decoder looks at bits, finds out how many it needs, and skips them if they are all there; otherwise it
/// leaves the place where it is and tries again with more.
@safe
struct HighBits: ~Copyable {
  /// Bytes that fit in the store.
  static let capacity = 64 << 10
  /// Bytes behind the last one, as zeros, that may be looked at.
  private static let margin = 16

  // Safety: allocated with `capacity + margin` bytes, freed in deinit; `position / 8 <= end <= capacity`.
  private let store: UnsafeMutablePointer<UInt8>
  /// Bits in front of the next one, from the store's beginning.
  private(set) var position = 0
  private var end = 0
  /// Bytes at the store's end that came with the input of the call that goes on.
  private var fresh = 0

  init() {
    unsafe store = .allocate(capacity: Self.capacity + Self.margin)
    unsafe store.initialize(repeating: 0, count: Self.capacity + Self.margin)
  }

  deinit { unsafe store.deallocate() }

  mutating func reset() { (position, end, fresh) = (0, 0, 0) }

  /// Begins a call of the decoder.
  mutating func begin() { fresh = 0 }

  /// Takes as much of the input as there is room for, and returns how much.
  mutating func take(_ input: RawSpan) -> Int {
    let passed = position / 8
    if passed > 0 {
      unsafe store.update(from: store + passed, count: end - passed)
      position -= passed * 8
      end -= passed
      fresh = min(fresh, end)
    }
    let count = min(Self.capacity - end, input.byteCount)
    unsafe input.withUnsafeBytes { source in
      guard let bytes = source.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(store + end).copyMemory(from: bytes, byteCount: count)
    }
    end += count
    fresh += count
    unsafe (store + end).update(repeating: 0, count: Self.margin)
    return count
  }

  /// Gives back whole bytes that are not needed yet and came with this call, and returns how many.
  mutating func giveBack() -> Int {
    let count = min(fresh, end - (position + 7) / 8)
    end -= count
    fresh -= count
    unsafe (store + end).update(repeating: 0, count: Self.margin)
    return count
  }

  /// Whether nothing can be taken until something is skipped.
  var isFull: Bool { end - position / 8 >= Self.capacity }

  /// The bits that are there, from the store's beginning.
  var limit: Int { end * 8 }

  /// At least 57 bits from a place on, the first one on top; zeros behind the last.
  @inline(__always)
  func peek(at place: Int) -> UInt64 {
    precondition(place >= 0 && place >> 3 <= Self.capacity, "places are held against the limit")
    // Safety: the margin is as long as this load.
    let word = unsafe UnsafeRawPointer(store).loadUnaligned(
      fromByteOffset: place >> 3, as: UInt64.self)
    return UInt64(bigEndian: word) << UInt64(place & 7)
  }

  /// Moves to a place that is not behind the limit.
  mutating func move(to place: Int) {
    precondition(place >= position && place <= limit, "bits are skipped that are there")
    position = place
  }
}
