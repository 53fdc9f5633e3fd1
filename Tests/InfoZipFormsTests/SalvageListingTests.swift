import InfoZipForms
import TestSupport
import Testing
import ZipKitCore

@Suite("what is said of a salvage") struct SalvageListingTests {
  /// Bytes kept of an archive of three entries, and what is said when they were tested.
  static let cuts: [(drop: Int, lines: [String])] = [
    (0, ["3 of 3 entries saved, 150 bytes"]),
    (164, ["2 of 3 entries saved, 100 bytes; 1 damaged", "  damaged: c [size-mismatch]"]),
    (30, ["3 of 3 entries saved, 150 bytes"]),
  ]

  @Test(arguments: cuts)
  func `whole, damaged and lost entries are counted and named`(
    drop: Int, lines: [String]
  ) async throws {
    let bytes = ZipBuilder(
      ["a", "b", "c"].map { .init($0, String(repeating: $0, count: 50)) }
    ).bytes()
    let salvage = try await ArchiveSalvage.open(
      source: BytesSource([UInt8](bytes.dropLast(drop))))
    let report = try await salvage.archive.verify()
    #expect(salvage.lines(report).filter { !$0.contains("no use") } == lines)
  }

  @Test func `places of no use are told, and without a report nothing is promised`() async throws {
    var bytes = ZipBuilder([.init("a", "aaaaa"), .init("b", "bbbbb")]).bytes()
    bytes[0] = 0
    let salvage = try await ArchiveSalvage.open(source: BytesSource(bytes))
    let lines = salvage.lines(nil)
    #expect(lines.first == "0 of 1 entry saved; 1 lost")
    #expect(lines.contains("     lost: a (5 bytes)"))
    #expect(lines.contains("   no use: 36 bytes at byte 0"))
  }
}
