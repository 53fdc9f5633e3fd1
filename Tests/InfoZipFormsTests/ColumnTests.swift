import InfoZipForms
import TestSupport
import Testing
import ZipKitCore

@Suite("columns of lists") struct ColumnTests {
  /// The percentage of an entry with these sizes in `unzip -v` and `zipinfo -m`.
  static let ratios: [(size: UInt32, compressed: UInt32, table: String, medium: String)] = [
    (10, 5, "  50%", " 50%"), (10, 15, " -50%", "-49%"), (10, 20, " 100%", "-99%"),
    (10, 100, " -900%", "-899%"), (0, 5, "   0%", "  0%"), (200, 201, "  -1%", "  0%"),
    (1000, 0, " 100%", "100%"), (1000, 6, "  99%", " 99%"), (1000, 995, "   1%", "  1%"),
  ]

  @Test(arguments: ratios)
  func `ratios are rounded and signed as Info-ZIP does`(
    size: UInt32, compressed: UInt32, table: String, medium: String
  ) throws {
    let archive = try ZipArchive(
      bytes: ZipBuilder([
        .init("a", "1").with {
          $0.central = { ($0.size, $0.compressedSize) = (size, compressed) }
        }
      ]).bytes())
    let entry = try #require(archive.entries.first)
    var (wide, line): ([UInt8], [UInt8]) = ([], [])
    var listing = TableListing(isVerbose: true)
    listing.append(entry, name: "a", to: &wide)
    #expect(String(decoding: wide, as: UTF8.self).contains("\(compressed)\(table) 20"))
    var info = ZipInfoListing(form: .medium, hasDecimalTime: false)
    info.append(entry, name: "a", to: &line)
    #expect(String(decoding: line, as: UTF8.self).contains(" b-\(medium) stor"))
  }

  static let hosts: [(host: UInt16, attributes: UInt32, columns: String)] = [
    (0, 0o100644 << 16, "-rw-r--r--  3.0 fat "), (0, 0x21, "-r--a--     3.0 fat "),
    (0, 0x08, "Vrw----     3.0 fat "), (1, 0o002255 << 16, "-h-p-rw-d   3.0 ami "),
    (2, 0o777 << 16, "RWED,RWED,RWED  vms "), (2, 0o755 << 16, "RWED,RE,RE  3.0 vms "),
    (18, 0x81a4 << 16, "SHMW.EX..   3.0 ths "), (30, 0o100644 << 16, "-rw-r--r--  3.0 ath "),
    (77, 0o102666 << 16, "-rw-rwSrw-  3.0 ??? "),
  ]

  @Test(arguments: hosts)
  func `permissions are those of their system`(
    host: UInt16, attributes: UInt32, columns: String
  ) throws {
    let archive = try ZipArchive(
      bytes: ZipBuilder([
        .init("a", "1").with {
          $0.central = { fields in
            (fields.versionMadeBy, fields.externalAttributes) = (host << 8 | 30, attributes)
          }
        }
      ]).bytes())
    var line: [UInt8] = []
    var listing = ZipInfoListing(form: .short, hasDecimalTime: false)
    listing.append(try #require(archive.entries.first), name: "a", to: &line)
    #expect(String(decoding: line, as: UTF8.self).hasPrefix(columns))
  }
}
