/// A central directory header (APPNOTE 4.3.12), its Zip64 field (4.5.3) applied.
struct CentralHeader: Equatable {
  static let signature: UInt32 = 0x0201_4b50
  static let fixedSize = 46
  /// Bytes of a header with the longest name, extra fields and comment there can be.
  static let mostSize = fixedSize + 3 * 0xffff

  var versionMadeBy: UInt16
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
  var commentLength: UInt16
  var diskStart: UInt32
  var internalAttributes: UInt16
  var externalAttributes: UInt32
  var localOffset: UInt64
  /// Fields that say "look into the Zip64 field" where no such field answers.
  var lacksZip64 = false
  /// Whether a Zip64 field stands among the extra fields.
  var hasZip64 = false

  /// Reads the header at an offset of the directory; nil where none is, or where name, extra fields and
  /// comment would run over the end.
  init?(_ bytes: RawSpan, at offset: Int) {
    // One bounds check for all fixed fields: this runs a million times for a listing.
    guard let range = bytes.range(at: offset, count: Self.fixedSize) else { return nil }
    let fixed = bytes.extracting(range)
    guard fixed.uint32(at: 0) == Self.signature else { return nil }
    func u16(_ position: Int) -> UInt16 { fixed.uint16(at: position) ?? 0 }
    func u32(_ position: Int) -> UInt32 { fixed.uint32(at: position) ?? 0 }
    versionMadeBy = u16(4)
    versionNeeded = u16(6)
    flags = EntryFlags(rawValue: u16(8))
    method = CompressionMethod(rawValue: u16(10))
    dosTime = u16(12)
    dosDate = u16(14)
    crc32 = u32(16)
    compressedSize = UInt64(u32(20))
    size = UInt64(u32(24))
    nameLength = u16(28)
    extraLength = u16(30)
    commentLength = u16(32)
    diskStart = UInt32(u16(34))
    internalAttributes = u16(36)
    externalAttributes = u32(38)
    localOffset = UInt64(u32(42))
    guard offset <= bytes.byteCount - headerSize else { return nil }
    if extraLength > 0, let extra = bytes.range(at: extraOffset(offset), count: Int(extraLength)) {
      applyZip64(bytes.extracting(extra))
    } else {
      lacksZip64 = needsZip64
    }
  }

  /// The header of an entry whose own is gone from the source: without a name, and not to be read.
  static var lost: CentralHeader {
    CentralHeader()
  }

  private init() {
    (versionMadeBy, versionNeeded, flags, method) = (0, 0, [], .stored)
    (dosTime, dosDate, crc32, compressedSize, size) = (0, 0, 0, 0, 0)
    (nameLength, extraLength, commentLength, diskStart) = (0, 0, 0, 0)
    (internalAttributes, externalAttributes, localOffset) = (0, 0, .max)
    lacksZip64 = true
  }

  /// Bytes of the header with all that follows it.
  var headerSize: Int {
    Self.fixedSize + Int(nameLength) + Int(extraLength) + Int(commentLength)
  }

  /// Where the extra fields of a header at an offset begin.
  func extraOffset(_ offset: Int) -> Int { offset + Self.fixedSize + Int(nameLength) }

  /// Where the comment of a header at an offset begins.
  func commentOffset(_ offset: Int) -> Int { extraOffset(offset) + Int(extraLength) }

  private var needsZip64: Bool {
    size == 0xffff_ffff || compressedSize == 0xffff_ffff || localOffset == 0xffff_ffff
      || diskStart == 0xffff
  }

  // Only fields whose short twin is all ones are taken, in the order of the specification: a
  // redundant Zip64 field must not override good values.
  private mutating func applyZip64(_ extra: RawSpan) {
    guard let range = ExtraFields.find(.zip64, in: extra) else {
      lacksZip64 = needsZip64
      return
    }
    hasZip64 = true
    var position = range.lowerBound
    func next64() -> UInt64? {
      defer { position += 8 }
      return position + 8 <= range.upperBound ? extra.uint64(at: position) : nil
    }
    if size == 0xffff_ffff {
      if let value = next64() { size = value } else { lacksZip64 = true }
    }
    if compressedSize == 0xffff_ffff {
      if let value = next64() { compressedSize = value } else { lacksZip64 = true }
    }
    if localOffset == 0xffff_ffff {
      if let value = next64() { localOffset = value } else { lacksZip64 = true }
    }
    if diskStart == 0xffff {
      if position + 4 <= range.upperBound, let value = extra.uint32(at: position) {
        diskStart = value
      } else {
        lacksZip64 = true
      }
    }
  }
}
