/// A local file header (APPNOTE 4.3.7), its Zip64 field applied where it is at hand.
struct LocalHeader: Equatable {
  static let signature: UInt32 = 0x0403_4b50
  static let fixedSize = 30

  var versionNeeded: UInt16
  var flags: EntryFlags
  var method: CompressionMethod
  var dosTime: UInt16
  var dosDate: UInt16
  var crc32: UInt32
  var compressedSize: UInt64
  var size: UInt64
  var nameLength: UInt16
  var extraLength: UInt16

  /// Reads the fixed part at an offset.
  init?(_ bytes: RawSpan, at offset: Int) {
    guard let range = bytes.range(at: offset, count: Self.fixedSize) else { return nil }
    let fixed = bytes.extracting(range)
    guard fixed.uint32(at: 0) == Self.signature else { return nil }
    func u16(_ position: Int) -> UInt16 { fixed.uint16(at: position) ?? 0 }
    func u32(_ position: Int) -> UInt32 { fixed.uint32(at: position) ?? 0 }
    versionNeeded = u16(4)
    flags = EntryFlags(rawValue: u16(6))
    method = CompressionMethod(rawValue: u16(8))
    dosTime = u16(10)
    dosDate = u16(12)
    crc32 = u32(14)
    compressedSize = UInt64(u32(18))
    size = UInt64(u32(22))
    nameLength = u16(26)
    extraLength = u16(28)
  }

  /// Bytes from the header's first to the data's first.
  var headerSize: Int { Self.fixedSize + Int(nameLength) + Int(extraLength) }

  /// Takes the sizes out of the Zip64 field where the short ones are all ones.
  mutating func applyZip64(_ extra: RawSpan) {
    guard size == 0xffff_ffff || compressedSize == 0xffff_ffff,
      let range = ExtraFields.find(.zip64, in: extra)
    else { return }
    let field = extra.extracting(range)
    var position = 0
    if size == 0xffff_ffff {
      size = field.uint64(at: position) ?? size
      position += 8
    }
    if compressedSize == 0xffff_ffff {
      compressedSize = field.uint64(at: position) ?? compressedSize
    }
  }
}
