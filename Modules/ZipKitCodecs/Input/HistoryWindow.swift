/// What a decoder has produced last: matches copy from it, and what was not handed over yet waits in it.
@safe
struct HistoryWindow: ~Copyable {
  // Safety: allocated with `capacity` bytes, all initialised, freed in deinit; `start <= delivered <= end <=
  // capacity` holds throughout.
  private let bytes: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private let reach: Int
  private var delivered: Int
  private var end: Int
  /// Bytes produced.
  private(set) var produced: UInt64 = 0

  // `reach` is the farthest distance a match may go back.
  init(reach: Int) {
    self.reach = reach
    capacity = reach * 2 + (1 << 16)
    unsafe bytes = .allocate(capacity: capacity)
    unsafe bytes.initialize(repeating: 0, count: capacity)
    delivered = reach
    end = reach
  }

  deinit { unsafe bytes.deallocate() }

  /// Bytes of memory it takes.
  var memory: UInt64 { UInt64(capacity) }

  mutating func reset() {
    unsafe bytes.update(repeating: 0, count: reach)
    delivered = reach
    end = reach
    produced = 0
  }

  /// Bytes that can be produced before ``deliver(into:)``.
  @inline(__always)
  var room: Int { capacity - end }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    precondition(end < capacity, "room is looked at before a byte is produced")
    unsafe bytes[end] = byte
    end += 1
    produced += 1
  }

  /// Repeats bytes from `distance` back, as many as wanted and as there is room for, and returns how many.
  ///
  /// The distance is at least 1 and at most the window's reach; what lies before the beginning is zero.
  @inline(__always)
  mutating func copy(distance: Int, count: Int) -> Int {
    precondition(distance > 0 && distance <= reach, "distances are checked by the decoder")
    let count = min(count, room)
    let source = end - distance
    if distance >= count {
      unsafe (bytes + end).update(from: bytes + source, count: count)
    } else {
      for index in 0..<count { unsafe bytes[end + index] = bytes[source + index] }
    }
    end += count
    produced += UInt64(count)
    return count
  }

  /// Hands over what is waiting, as far as the output has room.
  mutating func deliver(into output: inout OutputRawSpan) {
    let count = min(end - delivered, output.freeCapacity)
    if count > 0 {
      unsafe output.withUnsafeMutableBytes { target, used in
        // Safety: `count` bytes are free there and waiting here.
        unsafe target.baseAddress?.advanced(by: used)
          .copyMemory(from: bytes + delivered, byteCount: count)
        used += count
      }
      delivered += count
    }
    guard delivered == end, room < capacity / 4 else { return }
    unsafe bytes.update(from: bytes + (end - reach), count: reach)
    delivered = reach
    end = reach
  }

  /// Whether something was produced and not handed over.
  var isWaiting: Bool { delivered < end }
}
