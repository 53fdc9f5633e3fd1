/// The checksum of RFC 3720 appendix B.4 (Castagnoli), as it guards journal records.
package enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? (value >> 1) ^ 0x82F6_3B78 : value >> 1
    }
  }

  /// The checksum of some bytes.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { sum, byte in
      table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8)
    }
  }
}
