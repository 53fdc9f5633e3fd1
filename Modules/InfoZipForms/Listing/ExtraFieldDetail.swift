/// What `zipinfo -v` tells of the content of fields that it knows.
enum ExtraFieldDetail {
  private typealias Field = ExtraFieldListing.Field

  /// What is said in place of a field's bytes; nil where the bytes are shown.
  static func text(_ field: ExtraFieldListing.Field) -> String? {
    let count = field.data.count
    switch field.id {
    case 0x0009 where count >= 4:
      return ".\n    The local extra field has \(field.uint32(0)) bytes of OS/2 extended "
        + "attributes.\n    (May not match OS/2 \"dir\" amount due to storage method)"
    case 0x4c41 where count >= 4:
      return ".\n    The local extra field has \(field.uint32(0)) bytes of access control list "
        + "information"
    case 0x4453 where count >= 4:
      return ".\n    The local extra field has \(field.uint32(0)) bytes of NT security descriptor "
        + "data"
    case 0x4d49 where count >= 8: return vms(field)
    case 0x5455: return times(field)
    case 0x7075 where count >= 5, 0x6375 where count >= 5: return unicode(field)
    case 0x6542 where count >= 5: return attributes(field, "BeOS")
    case 0x7441 where count >= 5: return attributes(field, "AtheOS")
    case 0xfb4a where count >= 4:
      return ".\n    The QDOS extra field subtype is `\(letters(field.data[0..<4]))'"
    case 0x5356 where count >= 5:
      let revision = field.data[4]
      return ".\n    The AOS/VS extra field revision is \(revision / 10).\(revision % 10)"
    case 0x4154 where count == 20: return tandem(field)
    case 0x4b46 where count >= 19:
      let digits = field.data[0..<16].reversed().map { ListingText.hex(UInt64($0), 2) }.joined()
      return ".\n    The 128-bit MD5 signature is \(digits)"
    default: return macintosh(field)
    }
  }

  private static func vms(_ field: Field) -> String {
    let codings = ["stored", "run-length encoded", "deflated", "compressed(?)"]
    let coding = codings[min(3, Int(field.uint16(4) & 7))]
    let blocks = [
      "VFAB": "FAB", "VALL": "XABALL", "VFHC": "XABFHC", "VDAT": "XABDAT", "VRDT": "XABRDT",
      "VPRO": "XABPRO", "VKEY": "XABKEY", "VMSV": "version",
    ]
    let signature = letters(field.data[0..<4])
    var text = ".  The extra\n    field is \(coding) and has \(field.uint16(6)) bytes of VMS "
    text += (blocks[signature] ?? "unknown") + " information"
    if signature == "VMSV", field.data.count >= 16 {
      // A text that ends early takes the bracket with it.
      let version = field.data[12..<16].prefix { $0 != 0 }
      text += " (" + letters(version) + (version.count == 4 ? ")" : "")
    }
    return text
  }

  private static func times(_ field: Field) -> String {
    guard let flags = field.data.first else { return "" }
    let kinds = ["modification", "access", "creation"].enumerated()
      .filter { flags >> UInt8($0.offset) & 1 != 0 }.map(\.element)
    if kinds.isEmpty { return "" }
    return ".\n    The local extra field has UTC/GMT \(kinds.joined(separator: "/")) "
      + "time\(kinds.count == 1 ? "" : "s")"
  }

  private static func unicode(_ field: Field) -> String {
    let isWhole = field.data.count <= 29
    let head = isWhole ? ".\n    The UTF8 data of" : ". The first\n    24 UTF8 bytes in"
    let check = ListingText.hex(UInt64(field.uint32(1)), 8)
    return head + " the extra field (V\(field.data[0]), ASCII name CRC `\(check)') are:\n   "
      + ExtraFieldListing.bytes(field.data[5..<min(29, field.data.count)])
  }

  private static func attributes(_ field: Field, _ system: String) -> String {
    ".\n    The local extra field has \(field.uint32(0)) bytes of "
      + (field.data[4] & 1 != 0 ? "un" : "") + "compressed \(system) file attributes"
  }

  private static func tandem(_ field: Field) -> String {
    let code = field.uint16(0).byteSwapped
    let kinds = ["Unstructured", "Relative", "Entry Sequenced", "Key Sequenced"]
    let kind = Int(field.data[18] >> 5 & 3)
    let text = kind > 0 ? kinds[kind] : code == 101 ? "Edit" : code == 100 ? "Object" : kinds[0]
    return ".\n    The file was originally a Tandem \(text) file, with file code \(code)"
  }

  // MARK: Macintosh

  private static func macintosh(_ field: Field) -> String? {
    let data = field.data
    switch field.id {
    case 0x334d where data.count >= 14:
      return ".\n    The local extra field has \(field.uint32(0)) bytes of "
        + (data[4] & 4 != 0 ? "un" : "") + "compressed Macintosh\n    finder attributes"
        + ".\n    File is marked as \(data[4] & 1 != 0 ? "Data" : "Resource")-fork, "
        + "File Dates are in \(data[4] & 8 != 0 ? 64 : 32) Bit" + creator(field, at: 6)
    case 0x2705 where isZipIt(data):
      return data.count >= 12 ? creator(field, at: 4) : ""
    case 0x2605 where isZipIt(data):
      let end = 5 + Int(data[4])
      guard data.count >= end + 8 else { return "" }
      return long(data[5..<end]) + creator(field, at: end)
    case 0x07c8 where data.count >= 40 && letters(data[0..<4]) == "JLEE":
      return creator(field, at: 4) + ".\n    File is marked as "
        + (data[31] & 1 != 0 ? "Data-fork" : "Resource-fork")
    case 0x4d63 where data.count == 64 && letters(data[0..<4]) == "dZip":
      return creator(field, at: 4) + long(data[33..<(33 + min(31, Int(data[32])))])
    default: return nil
    }
  }

  private static func isZipIt(_ data: [UInt8]) -> Bool {
    data.count >= 5 && letters(data[0..<4]) == "ZPIT"
  }

  private static func long(_ name: ArraySlice<UInt8>) -> String {
    ".\n    The Mac long filename is \(letters(name.prefix { $0 != 0 }))"
  }

  private static func creator(_ field: Field, at offset: Int) -> String {
    let bytes = field.data[offset..<min(offset + 8, field.data.count)]
    guard bytes.count == 8, bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else {
      let type = String(field.uint32(offset).byteSwapped, radix: 16)
      let creator = String(field.uint32(offset + 4).byteSwapped, radix: 16)
      return ".\n    The associated file has type code `0x\(type)' and creator code `0x\(creator)'"
    }
    return ".\n    The associated file has type code `\(letters(bytes.prefix(4)))' and "
      + "creator code `\(letters(bytes.suffix(4)))'"
  }

  private static func letters(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
