import CLibFuzzer

/// Numbers that follow from a seed, and changes to bytes.
package struct SmallRandom {
  private var numbers: SeededRandom
  /// Whether libFuzzer makes the changes: inside its own calls, and nowhere else, it may be asked.
  private let isGuided: Bool

  package init(seed: UInt64, isGuided: Bool = false) {
    numbers = SeededRandom(seed: seed)
    self.isGuided = isGuided
  }

  /// Numbers that follow from bytes, and change all with any of these.
  package init(of bytes: [UInt8]) {
    self.init(
      seed: bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 })
  }

  package mutating func next() -> UInt64 { numbers.next() }

  /// A number from 0 to `limit - 1`.
  package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

  /// True once in `times`.
  package mutating func once(in times: Int) -> Bool { below(times) == 0 }

  /// One of several.
  package mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

  /// Any bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] { numbers.bytes(count) }

  /// Changes bytes somehow, making them at most `room` longer.
  package mutating func change(_ bytes: inout [UInt8], room: Int = 16) {
    isGuided ? Self.changeGuided(&bytes, room) : changeAlone(&bytes, room)
  }

  private static func changeGuided(_ bytes: inout [UInt8], _ room: Int) {
    let (size, most) = (bytes.count, bytes.count + room)
    bytes += repeatElement(0, count: room)
    let left = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe LLVMFuzzerMutate($0, size, most) } ?? 0
    }
    bytes.removeLast(bytes.count - left)
  }

  private mutating func changeAlone(_ bytes: inout [UInt8], _ room: Int) {
    let place = below(bytes.count)
    let count = 1 + below(once(in: 4) ? 64 : 4)
    guard !bytes.isEmpty else {
      bytes = self.bytes(min(count, room))
      return
    }
    switch below(7) {
    case 0: bytes[place] ^= 1 << UInt8(below(8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: next())
    case 2: bytes[place] &+= once(in: 2) ? 1 : 255
    case 3:
      let value = one(of: [0, 1, 0x7f, 0x80, 0xff, 0x2e, 0x2f] as [UInt8])
      for byte in bytes[place...].prefix(one(of: [1, 2, 4, 8])).indices { bytes[byte] = value }
    case 4: bytes.removeSubrange(place..<min(place + count, bytes.count))
    case 5: bytes.insert(contentsOf: self.bytes(min(count, room)), at: place)
    default:
      let copied = bytes[place...].prefix(min(count, room))
      bytes.insert(contentsOf: Array(copied), at: below(bytes.count))
    }
  }
}
