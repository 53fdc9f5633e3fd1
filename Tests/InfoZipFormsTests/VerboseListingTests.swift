import InfoZipForms
import TestSupport
import Testing
import ZipKitCore

/// An extra field of an entry, and what is said of it.
struct FieldCase: Sendable {
  var id: UInt16
  var data: [UInt8]
  var text: String

  init(_ id: UInt16, _ data: [UInt8], _ text: String) {
    (self.id, self.data, self.text) = (id, data, text)
  }
}

@Suite("the text of zipinfo -v") struct VerboseListingTests {
  private func text(_ entries: [ZipBuilder.Entry]) throws -> String {
    let archive = try ZipArchive(bytes: ZipBuilder(entries).bytes())
    var listing = VerboseListing(archive)
    return archive.entries.map {
      listing.text($0, name: $0.name, comment: $0.comment)
    }.joined()
  }

  private func head(_ zip: ZipBuilder) throws -> String {
    let archive = try ZipArchive(bytes: zip.bytes())
    return VerboseListing(archive).head(comment: archive.comment)
  }

  @Test func `headers of nothing but ones are listed`() throws {
    let entry = ZipBuilder.Entry("a", "1").with {
      $0.central = {
        ($0.versionMadeBy, $0.versionNeeded, $0.flags) = (0xffff, 0xffff, 0xf7fe)
        ($0.method, $0.time, $0.date, $0.disk) = (0xffff, 0xffff, 0xffff, 0xffff)
        ($0.crc, $0.compressedSize, $0.size) = (0xffff_ffff, 0xffff_ffff, 0xffff_ffff)
        ($0.internalAttributes, $0.externalAttributes) = (0xffff, 0xffff_ffff)
        $0.extra = ZipBuilder.extra(1, [UInt8](repeating: 0xff, count: 28))
      }
    }
    let archive = try ZipArchive(bytes: ZipBuilder([entry]).bytes())
    var listing = VerboseListing(archive)
    #expect(listing.text(archive.entries[0], name: "a", comment: "").contains("4294967296"))
    var output: [UInt8] = []
    var table = TableListing(isVerbose: true)
    table.append(archive.entries[0], name: "a", to: &output)
    for form in [ZipInfoListing.Form.short, .medium, .long] {
      var info = ZipInfoListing(form: form, hasDecimalTime: true)
      info.append(archive.entries[0], name: "a", to: &output)
    }
    #expect(output.count { $0 == 10 } == 4)
  }

  // MARK: Extra fields

  static let mac = Array("TEXTR*ch".utf8)

  static let fields: [FieldCase] = [
    .init(0x7855, [], "(Unix UID/GID (16-bit)) and 0 data bytes.\n"),
    .init(0xcafe, [], "(unknown) and 0 data bytes.\n"),
    .init(0x756e, [1, 0xab], "(ASi Unix) and 2 data bytes:\n    01 ab.\n"),
    .init(
      0x000a, [UInt8](0..<32),
      "(PKWARE Win32) and 32 data bytes.  The first\n"
        + "    20 are:   00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13.\n"),
    .init(
      0x5455, [7],
      "data bytes.\n    The local extra field has UTC/GMT "
        + "modification/access/creation times.\n"),
    .init(0x5455, [2], "data bytes.\n    The local extra field has UTC/GMT access time.\n"),
    .init(0x5455, [0], "(universal time) and 1 data bytes.\n"),
    .init(
      0x7075, [1, 4, 3, 2, 1, 0x6e],
      "(UTF8 path name) and 6 data bytes.\n    The UTF8 data of the extra field "
        + "(V1, ASCII name CRC `01020304') are:\n    6e.\n"),
    .init(
      0x6375, [1, 4, 3, 2, 1] + [UInt8](repeating: 0x6e, count: 25),
      "(UTF8 entry comment) and 30 data bytes. The first\n    24 UTF8 bytes in the extra field "
        + "(V1, ASCII name CRC `01020304') are:\n   " + String(repeating: " 6e", count: 24) + ".\n"),
    .init(0x7075, [1, 2], "(UTF8 path name) and 2 data bytes:\n    01 02.\n"),
    .init(
      0x0009, [5, 0, 0, 0],
      "(OS/2) and 4 data bytes.\n    The local extra field has 5 bytes of "
        + "OS/2 extended attributes.\n"),
    .init(0x4c41, [5, 0, 0, 0], "has 5 bytes of access control list information.\n"),
    .init(0x4453, [5, 0, 0, 0], "has 5 bytes of NT security descriptor data.\n"),
    .init(0x6542, [5, 0, 0, 0, 1], "has 5 bytes of uncompressed BeOS file attributes.\n"),
    .init(0x7441, [5, 0, 0, 0, 0], "has 5 bytes of compressed AtheOS file attributes.\n"),
    .init(0xfb4a, Array("QDOS2".utf8), "The QDOS extra field subtype is `QDOS'.\n"),
    .init(0x5356, [0, 0, 0, 0, 23], "The AOS/VS extra field revision is 2.3.\n"),
    .init(
      0x4154, [0, 101] + [UInt8](repeating: 0, count: 18),
      "originally a Tandem Edit file, with file code 101.\n"),
    .init(
      0x4154, [1, 0] + [UInt8](repeating: 0, count: 16) + [0x60, 0],
      "originally a Tandem Key Sequenced file, with file code 256.\n"),
    .init(
      0x4b46, [UInt8](0..<19), "MD5 signature is 0f0e0d0c0b0a09080706050403020100.\n"),
    .init(
      0x4d49, Array("VFAB".utf8) + [1, 0, 5, 0],
      "(Info-ZIP VMS) and 8 data bytes.  The extra\n    field is run-length encoded and has 5 bytes "
        + "of VMS FAB information.\n"),
    .init(
      0x4d49, Array("VMSV".utf8) + [2, 0, 5, 0, 0, 0, 0, 0] + Array("V1.2".utf8),
      "field is deflated and has 5 bytes of VMS version information (V1.2).\n"),
    .init(
      0x07c8,
      Array("JLEE".utf8) + mac + [UInt8](repeating: 0, count: 19) + [1]
        + [UInt8](repeating: 0, count: 10),
      "type code `TEXT' and creator code `R*ch'.\n    File is marked as Data-fork.\n"),
    .init(
      0x2605, Array("ZPIT".utf8) + [3] + Array("abc".utf8) + mac,
      "The Mac long filename is abc.\n    The associated file has type code `TEXT'"),
    .init(
      0x2705, Array("ZPIT".utf8) + [1, 2, 3, 4, 5, 6, 7, 8],
      "type code `0x1020304' and creator code `0x5060708'.\n"),
    .init(
      0x334d, [100, 0, 0, 0, 13, 0] + mac,
      "has 100 bytes of uncompressed Macintosh\n    finder attributes.\n"
        + "    File is marked as Data-fork, File Dates are in 64 Bit.\n"),
    .init(
      0x4d63,
      Array("dZip".utf8) + mac + [UInt8](repeating: 0, count: 20) + [5]
        + Array("hello".utf8) + [UInt8](repeating: 0, count: 26),
      "The Mac long filename is hello.\n"),
  ]

  @Test(arguments: fields)
  func `a field is named and told`(field: FieldCase) throws {
    let text = try text([
      .init("a", "1").with { $0.extra = ZipBuilder.extra(field.id, field.data) }
    ])
    #expect(
      text.contains("  The central-directory extra field contains:\n  - A subfield with ID 0x"))
    #expect(text.contains(field.text), "\(text.suffix(400))")
  }

  @Test(arguments: fields)
  func `fields that are cut short are told as far as they go`(field: FieldCase) throws {
    let whole = ZipBuilder.extra(field.id, field.data)
    for count in [0, 1, 3, 4, 5, 6, 12, 17, 30] where count < whole.count {
      let text = try text([.init("a", "1").with { $0.extra = Array(whole.prefix(count)) }])
      #expect(text.contains("length of extra field:                          \(count) bytes\n"))
      #expect(text.contains("A subfield") == (count >= 4))
    }
  }

  // MARK: Attributes

  static let modes: [(host: UInt16, attributes: UInt32, row: String)] = [
    (3, 0o104755 << 16, "Unix file attributes (104755 octal):            -rwsr-xr-x\n"),
    (3, 0o102666 << 16, "Unix file attributes (102666 octal):            -rw-rwlrw-\n"),
    (3, 0o041777 << 16, "Unix file attributes (041777 octal):            drwxrwxrwt\n"),
    (0, 0o100644 << 16 | 0x21, "non-MSDOS external file attributes:             81A400 hex\n"),
    (0, 0x21, "MS-DOS file attributes (21 hex):                rdo arc \n"),
    (0, 1, "MS-DOS file attributes (01 hex):                read-only\n"),
    (0, 0, "MS-DOS file attributes (00 hex):                none\n"),
    (1, 0o002255 << 16, "Amiga file attributes (002255 octal):           -h-p-rw-d\n"),
    (2, 0o755 << 16, "VMS file attributes (000755 octal):             (RWED,RWED,RE,RE)\n"),
    (18, 0x81a4 << 16, "Theos file attributes (81A4 hex):               Sequential  HMW.EX..\n"),
    (30, 0o100644 << 16, "file system or operating system of origin:      AtheOS\n"),
    (77, 0o100644 << 16, "file system or operating system of origin:      unknown (77)\n"),
    (
      3, 0xc000, "There is a local extra field with ID 0x5855 (old Info-ZIP Unix/OS2/NT) and\n  12 "
    ),
    (
      0, 0x8000,
      "There may be a local extra field with ID 0x5855 (old Info-ZIP Unix/OS2/NT) and\n  8 "
    ),
  ]

  @Test(arguments: modes)
  func `attributes are those of their system`(
    host: UInt16, attributes: UInt32, row: String
  ) throws {
    let text = try text([
      .init("a", "1").with {
        $0.central = { fields in
          (fields.versionMadeBy, fields.externalAttributes) = (host << 8 | 30, attributes)
        }
      }
    ])
    #expect(text.contains(row), "\(text.suffix(500))")
  }

  // MARK: Places

  @Test func `bytes between entries are counted`() throws {
    let gap = ZipBuilder.Entry("b", "2").with { $0.local = { $0.extra = [9, 9, 0, 0] } }
    let text = try text([.init("a", "1"), gap, .init("c", "3"), .init("d", "4")])
    #expect(text.components("There are an extra") == 1)
    #expect(text.contains("#3:\n---------------------------\n\n  There are an extra 4 bytes"))
  }

  @Test func `the end record is told with what was expected`() throws {
    var zip = ZipBuilder([.init("a", "1")])
    zip.prefix = [1, 2, 3]
    zip.comment = Array("one\ntwo".utf8)
    let text = try head(zip)
    #expect(
      text.hasPrefix("The zipfile comment is 7 bytes long and contains the following text:\n"))
    #expect(
      text.contains("begins ==========================\none\ntwo\n========================= zip"))
    #expect(
      text.contains("  Actual end-cent-dir record offset:            82 (0000000000000052h)\n"))
    #expect(
      text.contains("  Expected end-cent-dir record offset:          79 (000000000000004Fh)\n"))
    #expect(text.contains("central directory contains 1 entry.\n"))
  }

  @Test func `a part of a set says so`() throws {
    var zip = ZipBuilder([.init("a", "1")])
    zip.end = { end in (end.disk, end.directoryDisk, end.entries) = (2, 1, 5) }
    let text = try head(zip)
    #expect(text.contains("constitutes disk 3 of a multi-part archive.  The central\n"))
    #expect(text.contains("directory starts on disk 2 at an offset"))
    #expect(text.contains("  1 of the archive entries is contained within this zipfile volume,\n"))
    #expect(text.contains("  out of a total of 5 entries.\n"))
  }

  @Test func `a comment of an entry is framed`() throws {
    let text = try text([.init("a", "1").with { $0.comment = Array("words".utf8) }, .init("b")])
    #expect(text.contains("begins ----------------------------\nwords\n--------------"))
    #expect(text.components("There is no file comment.") == 1)
  }
}

extension String {
  /// How often a text stands here.
  fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
