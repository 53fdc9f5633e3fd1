/// Numbers of extra fields that are read (APPNOTE 4.5.2 and Info-ZIP's `extrafld.txt`).
struct ExtraFieldID: RawRepresentable, Hashable {
  var rawValue: UInt16

  static let zip64 = ExtraFieldID(rawValue: 0x0001)
  static let ntfs = ExtraFieldID(rawValue: 0x000a)
  static let pkwareUnix = ExtraFieldID(rawValue: 0x000d)
  static let strongEncryption = ExtraFieldID(rawValue: 0x0017)
  static let extendedTimestamp = ExtraFieldID(rawValue: 0x5455)
  static let unix1 = ExtraFieldID(rawValue: 0x5855)
  static let unicodeComment = ExtraFieldID(rawValue: 0x6375)
  static let asiUnix = ExtraFieldID(rawValue: 0x756e)
  static let unicodePath = ExtraFieldID(rawValue: 0x7075)
  static let unix2 = ExtraFieldID(rawValue: 0x7855)
  static let unixOwner = ExtraFieldID(rawValue: 0x7875)
  static let winZipAES = ExtraFieldID(rawValue: 0x9901)
}

/// A walk over extra fields: id, length, data, again and again.
///
/// The walk ends at the first field that runs over the end; what stood before it counts. Several
/// writers pad with zero bytes, which read as empty fields or as a short rest.
enum ExtraFields {
  /// Where the data of the first field with an id stand.
  static func find(_ id: ExtraFieldID, in bytes: RawSpan) -> Range<Int>? {
    var offset = 0
    while let number = bytes.uint16(at: offset), let length = bytes.uint16(at: offset + 2) {
      guard let data = bytes.range(at: offset + 4, count: Int(length)) else { return nil }
      if number == id.rawValue { return data }
      offset += 4 + Int(length)
    }
    return nil
  }

  /// Calls for every field in order.
  /// - Returns: false when the last field runs over the end, or less than a field's head is left.
  @discardableResult
  static func forEach(in bytes: RawSpan, _ body: (ExtraFieldID, RawSpan) -> Void) -> Bool {
    var offset = 0
    while offset < bytes.byteCount {
      guard let number = bytes.uint16(at: offset), let length = bytes.uint16(at: offset + 2),
        let data = bytes.range(at: offset + 4, count: Int(length))
      else { return false }
      body(ExtraFieldID(rawValue: number), bytes.extracting(data))
      offset += 4 + Int(length)
    }
    return true
  }
}
