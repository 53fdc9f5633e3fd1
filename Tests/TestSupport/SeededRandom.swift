/// Numbers without a pattern that are the same for the same seed (SplitMix64): what fails once fails again.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64 = 1) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Bytes below `limit`.
  package mutating func bytes(_ count: Int, below limit: UInt64 = 256) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() % limit) }
  }

  /// Bytes that are the same each time.
  package static func bytes(_ count: Int, below limit: UInt64 = 256) -> [UInt8] {
    var random = SeededRandom()
    return random.bytes(count, below: limit)
  }

  /// A file cut at every 31st byte, and 500 times with three of its bytes changed.
  package static func damaged(_ bytes: [UInt8], _ body: ([UInt8]) throws -> Void) rethrows {
    for count in stride(from: 0, to: bytes.count, by: 31) { try body(Array(bytes[..<count])) }
    var random = SeededRandom()
    for _ in 0..<500 {
      var changed = bytes
      for _ in 0..<3 {
        changed[Int.random(in: bytes.indices, using: &random)] = random.bytes(1)[0]
      }
      try body(changed)
    }
  }
}
