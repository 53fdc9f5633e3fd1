/// Writes bits, each byte's lowest first.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var used = 8

  /// Writes the lowest `count` bits of a number.
  mutating func write(_ value: Int, _ count: Int) {
    for bit in 0..<count {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(used) }
      used += 1
    }
  }

  /// Goes on with a whole byte.
  mutating func align() { used = 8 }

  /// Writes a code whose highest bit comes first.
  mutating func writeCode(_ value: Int, _ count: Int) {
    for bit in (0..<count).reversed() { write(value >> bit, 1) }
  }
}
