internal import ZipKitCore

/// The extra field 0x9901 of an entry encrypted by WinZip's AES scheme (APPNOTE annex; method 99).
struct WinZipAesField: Equatable {
  /// The field's header id.
  static let id = 0x9901

  /// Whether the CRC is left out and only the authentication code counts (AE-2).
  var isAE2: Bool
  /// 1, 2 or 3: keys of 128, 192 and 256 bits.
  var strength: Int

  /// Bytes of the key.
  var keySize: Int { 8 + 8 * strength }
  /// Bytes of the salt, half a key.
  var saltSize: Int { keySize / 2 }

  /// Finds the field among an entry's extra fields.
  /// - Returns: nil when there is none.
  init?(extraFields: [UInt8]) throws(DecodeError) {
    func number(_ at: Int) -> Int { Int(extraFields[at]) | Int(extraFields[at + 1]) << 8 }
    var position = 0
    while position + 4 <= extraFields.count {
      let (id, size, data) = (number(position), number(position + 2), position + 4)
      guard size <= extraFields.count - data else { return nil }
      guard id == Self.id else {
        position = data + size
        continue
      }
      guard size >= 7 else { throw .aesField("one of \(size) bytes") }
      let version = number(data)
      guard version == 1 || version == 2 else { throw .aesField("version \(version)") }
      strength = Int(extraFields[data + 4])
      guard (1...3).contains(strength) else { throw .aesField("strength \(strength)") }
      isAE2 = version == 2
      return
    }
    return nil
  }
}
