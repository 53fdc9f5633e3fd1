/// What may stand behind an entry's data (APPNOTE 4.3.9).
///
/// It is with or without a signature, its sizes are of four or of eight bytes. Nothing in the archive says
/// which; the values do.
struct DataDescriptor: Equatable {
  static let signature: UInt32 = 0x0807_4b50
  /// The longest form.
  static let maximumSize = 24

  var crc32: UInt32
  var compressedSize: UInt64
  var size: UInt64
  /// Bytes of the form found.
  var length: Int

  /// Finds the form whose values agree with those expected.
  ///
  /// - Returns: nil when no form agrees.
  static func matching(
    _ bytes: RawSpan, crc32: UInt32, compressedSize: UInt64, size: UInt64
  ) -> DataDescriptor? {
    for form in forms(bytes)
    where form.crc32 == crc32 && form.compressedSize == compressedSize && form.size == size {
      return form
    }
    return nil
  }

  /// Every form the bytes can be read as, the likeliest first.
  static func forms(_ bytes: RawSpan) -> [DataDescriptor] {
    var result: [DataDescriptor] = []
    let starts = bytes.uint32(at: 0) == signature ? [4, 0] : [0]
    for start in starts {
      guard let crc = bytes.uint32(at: start) else { continue }
      if let packed = bytes.uint32(at: start + 4), let size = bytes.uint32(at: start + 8) {
        result.append(
          DataDescriptor(
            crc32: crc, compressedSize: UInt64(packed), size: UInt64(size), length: start + 12))
      }
      if let packed = bytes.uint64(at: start + 4), let size = bytes.uint64(at: start + 12) {
        result.append(
          DataDescriptor(crc32: crc, compressedSize: packed, size: size, length: start + 20))
      }
    }
    return result
  }
}
