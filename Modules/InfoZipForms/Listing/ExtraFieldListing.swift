internal import ZipKitCore

/// The extra fields of a central header, as `zipinfo -v` tells them.
struct ExtraFieldListing {
  /// A field: its number and its data, as far as they are there.
  struct Field {
    var id: UInt16
    var data: [UInt8]

    func uint16(_ offset: Int) -> UInt16 {
      offset + 2 <= data.count ? UInt16(data[offset]) | UInt16(data[offset + 1]) << 8 : 0
    }

    func uint32(_ offset: Int) -> UInt32 {
      UInt32(uint16(offset)) | UInt32(uint16(offset + 2)) << 16
    }
  }

  /// Where the entry should end; 0 where its central header does not tell.
  private(set) var previousEnd: UInt64
  private let entry: ZipEntry

  init(_ entry: ZipEntry, previousEnd: UInt64) {
    self.entry = entry
    self.previousEnd = previousEnd
  }

  /// The fields of an entry in order; one that runs over the end is cut there.
  static func fields(_ entry: ZipEntry) -> [Field] {
    let bytes = entry.extraFields
    var fields: [Field] = []
    var place = 0
    while place + 4 <= bytes.count {
      let head = Field(id: 0, data: Array(bytes[place..<(place + 4)]))
      let end = min(bytes.count, place + 4 + Int(head.uint16(2)))
      fields.append(Field(id: head.uint16(0), data: Array(bytes[(place + 4)..<end])))
      place = end
    }
    return fields
  }

  /// Seconds since 1970 UTC of the modification, as Info-ZIP's own fields tell it.
  static func unixModified(_ entry: ZipEntry) -> Int64? {
    guard entry.extraLength > 0 else { return nil }
    var found: Int64?
    for field in fields(entry) {
      if field.id == 0x5455, field.data.count >= 5, field.data[0] & 1 != 0 {
        found = Int64(Int32(bitPattern: field.uint32(1)))
      } else if [0x000d, 0x5855].contains(field.id), field.data.count >= 8, found == nil {
        found = Int64(Int32(bitPattern: field.uint32(4)))
      }
    }
    let isLate = entry.dosModified.year >= 2038
    return found.map { $0 < 0 && isLate ? $0 + (1 << 32) : $0 }
  }

  /// The paragraph.
  mutating func text() -> String {
    var text = "\n  The central-directory extra field contains:"
    for field in Self.fields(entry) {
      text += "\n  - A subfield with ID 0x\(ListingText.hex(UInt64(field.id), 4)) "
      text += "(\(Self.names[field.id] ?? "unknown")) and \(field.data.count) data bytes"
      text += (ExtraFieldDetail.text(field) ?? Self.hexadecimal(field.data)) + "."
      adjust(field)
    }
    return text + "\n"
  }

  private static func hexadecimal(_ data: [UInt8]) -> String {
    if data.isEmpty { return "" }
    let head = data.count <= 24 ? ":\n   " : ".  The first\n    20 are:  "
    return head + bytes(data.prefix(data.count <= 24 ? 24 : 20))
  }

  /// Bytes in hexadecimal, with a space before each.
  static func bytes(_ data: some Sequence<UInt8>) -> String {
    data.map { " " + ListingText.hex(UInt64($0), 2) }.joined()
  }

  // What is known of the local twin's length.
  private mutating func adjust(_ field: Field) {
    let data = field.data
    switch field.id {
    case 0x0001 where entry.localHeaderOffset > UInt64(UInt32.max):
      previousEnd &-= data.count == 8 ? 12 : 8
    case 0x0009 where data.count >= 4, 0x4c41 where data.count >= 4, 0x4453 where data.count >= 4:
      previousEnd = 0
    case 0x5855 where entry.host == .unix && previousEnd > 0, 0x7855 where previousEnd > 0:
      previousEnd &+= 4
    case 0x5455 where previousEnd > 0 && !data.isEmpty:
      previousEnd &+= (data[0] & 2 != 0 ? 4 : 0) + (data[0] & 4 != 0 ? 4 : 0)
    case 0x334d where data.count >= 14:
      previousEnd =
        data[4] & 4 == 0 ? 0 : previousEnd > 0 ? previousEnd &+ UInt64(field.uint32(0)) : 0
    case 0x6542 where data.count >= 5, 0x7441 where data.count >= 5:
      previousEnd =
        data[4] & 1 == 0 ? 0 : previousEnd > 0 ? previousEnd &+ UInt64(field.uint32(0)) : 0
    default: break
    }
  }

  private static let names: [UInt16: String] = [
    0x0001: "PKWARE 64-bit sizes", 0x0007: "PKWARE AV", 0x0009: "OS/2", 0x000a: "PKWARE Win32",
    0x000c: "PKWARE VMS", 0x000d: "PKWARE Unix", 0x07c8: "old Info-ZIP Macintosh",
    0x2605: "ZipIt Macintosh", 0x2705: "ZipIt Macintosh (short)", 0x334d: "new Info-ZIP Macintosh",
    0x4154: "Tandem NSK", 0x4341: "Acorn SparkFS", 0x4453: "Security Descriptor",
    0x4704: "VM/CMS", 0x470f: "MVS", 0x4b46: "Fred Kantor MD5", 0x4c41: "OS/2 ACL",
    0x4d49: "Info-ZIP VMS", 0x4d63: "SmartZip Macintosh", 0x5356: "AOS/VS",
    0x5455: "universal time", 0x5855: "old Info-ZIP Unix/OS2/NT", 0x6375: "UTF8 entry comment",
    0x6542: "BeOS", 0x6854: "Theos", 0x7075: "UTF8 path name", 0x7441: "AtheOS",
    0x756e: "ASi Unix", 0x7855: "Unix UID/GID (16-bit)", 0x7875: "Unix UID/GID (any size)",
    0xfb4a: "SMS/QDOS",
  ]
}
