extension ZipBuilder.Entry {
  /// This entry, stored, behind a password in the traditional way (APPNOTE 6.1).
  package func locked(with password: String) -> Self {
    var keys = TraditionalKeys(password)
    // Eleven bytes of anything, then the one that a password is known by.
    let check = UInt8(truncatingIfNeeded: TestChecksum.crc32(content) >> 24)
    let head = [UInt8](1...11) + [check]
    return with {
      $0.flags |= 1
      $0.method = 0
      $0.coded = (head + content).map { keys.encrypt($0) }
    }
  }
}

private struct TraditionalKeys {
  private var keys: (UInt32, UInt32, UInt32) = (0x1234_5678, 0x2345_6789, 0x3456_7890)

  init(_ password: String) {
    for byte in password.utf8 { update(byte) }
  }

  mutating func encrypt(_ byte: UInt8) -> UInt8 {
    let mixed = (keys.2 | 2) & 0xffff
    let pad = UInt8(truncatingIfNeeded: (mixed &* (mixed ^ 1)) >> 8)
    update(byte)
    return byte ^ pad
  }

  private mutating func update(_ byte: UInt8) {
    keys.0 = Self.step(keys.0, byte)
    keys.1 = (keys.1 &+ (keys.0 & 0xff)) &* 134_775_813 &+ 1
    keys.2 = Self.step(keys.2, UInt8(truncatingIfNeeded: keys.1 >> 24))
  }

  private static func step(_ crc: UInt32, _ byte: UInt8) -> UInt32 {
    (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1
    }
  }
}
