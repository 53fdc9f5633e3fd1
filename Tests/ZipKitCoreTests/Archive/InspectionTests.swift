import TestSupport
import Testing
import ZipKitCore

@Suite("inspection") struct InspectionTests {
  static let lies: [(String, ZipBuilder.Entry, ZipError.Code)] = [
    ("another name", .init("a", "x").with { $0.local = { $0.name = [98] } }, .localNameDiffers),
    ("another method", .init("a", "x").with { $0.local = { $0.method = 8 } }, .localHeaderDiffers),
    ("another CRC", .init("a", "x").with { $0.local = { $0.crc = 7 } }, .localHeaderDiffers),
    ("another size", .init("a", "x").with { $0.local = { $0.size = 7 } }, .localHeaderDiffers),
    ("another flag", .init("a", "x").with { $0.local = { $0.flags = 1 } }, .localHeaderDiffers),
    (
      "a false descriptor",
      .init("a", "x").with { $0.descriptor = [UInt8](repeating: 1, count: 16) },
      .descriptorDiffers
    ),
    (
      "no local header", .init("a", "x").with { $0.local = { $0.signature = 0 } },
      .localHeaderMissing
    ),
    (
      "an extra field cut short", .init("a", "x").with { $0.extra = [1, 2, 9, 0] },
      .extraFieldDamaged
    ),
    (
      "a name that is no UTF-8", .init(bytes: [0xff], [1]).with { $0.flags = 1 << 11 },
      .nameNotUTF8
    ),
    ("another disk", .init("a", "x").with { $0.central = { $0.disk = 3 } }, .multiDisk),
    ("dots", .init("../a", "x"), .nameEscapes),
  ]

  @Test(arguments: lies)
  func `a lie is found by its rule`(
    what: String, entry: ZipBuilder.Entry, code: ZipError.Code
  ) throws {
    let archive = try ZipArchive(bytes: ZipBuilder([.init("first", "1"), entry]).bytes())
    let found = archive.inspect()
    #expect(found.map(\.code) == [code], "\(what)")
    #expect(found.allSatisfy { $0.entryIndex == 1 })
  }

  @Test func `an honest archive has nothing to find`() throws {
    let content = Array("descriptive".utf8)
    let entry = ZipBuilder.Entry(bytes: [97], content).with {
      $0.descriptor = ZipBuilder.descriptor(content, compressedSize: content.count)
    }
    #expect(try ZipArchive(bytes: ZipBuilder([entry, .init("d/")]).bytes()).inspect().isEmpty)
  }

  @Test func `duplicates and overlaps are found`() throws {
    let archive = try ZipArchive(
      bytes: ZipBuilder([
        .init("a", "x"), .init("a", "y"), .init("b", "y").with { $0.isCentralOnly = true },
      ]).bytes())
    #expect(Set(archive.inspect().map(\.code)) == [.duplicateName, .overlap, .localNameDiffers])
  }
}
