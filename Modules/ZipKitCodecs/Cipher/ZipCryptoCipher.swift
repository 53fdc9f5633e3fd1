internal import ZipKitCore

/// PKWARE's traditional encryption (APPNOTE 6.1).
///
/// Weak, and either of two check bytes is accepted, so one wrong password in 128 gets through: the CRC decides.
final class ZipCryptoCipher: EntryCipher {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
    }
  }

  private let checks: [UInt8]
  private var keys = Keys()

  /// The three words of state.
  private struct Keys {
    var first: UInt32 = 0x1234_5678
    var second: UInt32 = 0x2345_6789
    var third: UInt32 = 0x3456_7890

    @inline(__always)
    var next: UInt8 {
      let value = (third & 0xFFFF) | 2
      return UInt8(truncatingIfNeeded: (value &* (value ^ 1)) >> 8)
    }

    @inline(__always)
    mutating func absorb(_ byte: UInt8, _ table: Span<UInt32>) {
      first = first >> 8 ^ table[Int(UInt8(truncatingIfNeeded: first) ^ byte)]
      second = (second &+ first & 0xFF) &* 134_775_813 &+ 1
      third =
        third >> 8
        ^ table[Int(UInt8(truncatingIfNeeded: third) ^ UInt8(truncatingIfNeeded: second >> 24))]
    }
  }

  init(_ coding: EntryCoding) {
    // The last header byte repeats the high byte of the CRC, or of the time when the CRC was not known
    // yet. Writers mix the two up, and a descriptor's flag is lost on the way; either one is good.
    checks = [UInt8(truncatingIfNeeded: coding.crc32 >> 24), UInt8(coding.dosTime >> 8)]
  }

  var headerSize: Int { 12 }
  var trailerSize: Int { 0 }
  var replacesChecksum: Bool { false }

  func unlock(header: RawSpan, password: [UInt8]) throws(DecodeError) -> Bool {
    guard header.byteCount == headerSize else {
      throw .cipherHeader("ZipCrypto", expected: headerSize, found: header.byteCount)
    }
    keys = Keys()
    let table = Self.table.span
    for byte in password { keys.absorb(byte, table) }
    var last: UInt8 = 0
    for index in 0..<headerSize {
      last = header.byte(at: index) ^ keys.next
      keys.absorb(last, table)
    }
    return checks.contains(last)
  }

  func decrypt(_ bytes: inout MutableRawSpan) {
    let table = Self.table.span
    var keys = self.keys
    unsafe bytes.withUnsafeMutableBytes { buffer in
      for index in buffer.indices {
        let plain = unsafe buffer[index] ^ keys.next
        unsafe buffer[index] = plain
        keys.absorb(plain, table)
      }
    }
    self.keys = keys
  }

  func finish(trailer: RawSpan) throws(DecodeError) {}
}
