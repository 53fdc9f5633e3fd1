import Testing
import TestSupport
import ZipKitCore

@Suite("content") struct ContentTests {
  private func code(_ entries: [ZipBuilder.Entry], _ index: Int = 0) throws -> ZipError.Code? {
    let archive = try ZipArchive(bytes: ZipBuilder(entries).bytes())
    do {
      _ = try archive.entries[index].contents()
      return nil
    } catch {
      #expect(error.entryIndex == index)
      return error.code
    }
  }

  @Test(arguments: [UInt16(0), 8], [0, 1, 257, 70_000, 4_300_000])
  func `content of every size comes out as it went in`(method: UInt16, size: Int) throws {
    let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 300 ^ $0 >> 13) }
    let bytes = ZipBuilder([.init(bytes: [97], content, method: method)]).bytes()
    #expect(try ZipArchive(bytes: bytes).entries[0].contents() == content)
  }

  @Test(arguments: [(true, false), (true, true), (false, false), (false, true)])
  func `a data descriptor of any shape does no harm`(signed: Bool, wide: Bool) throws {
    let content = Array("descriptive".utf8)
    let entry = ZipBuilder.Entry(bytes: [97], content, method: 8).with {
      $0.descriptor = ZipBuilder.descriptor(
        content, compressedSize: TestDeflate.encode(content).count, hasSignature: signed,
        isWide: wide)
    }
    #expect(try code([entry, .init("b", "next")]) == nil)
    #expect(try code([entry, .init("b", "next")], 1) == nil)
  }

  static let lies: [(String, ZipBuilder.Entry, ZipError.Code)] = [
    ("a wrong CRC", .init("a", "text").with { $0.central = { $0.crc ^= 1 } }, .crcMismatch),
    (
      "a size declared too small",
      .init("a", "text", method: 8).with { $0.central = { $0.size = 3 } },
      .sizeMismatch
    ),
    (
      "a size declared too large",
      .init("a", "text", method: 8).with { $0.central = { $0.size = 5 } },
      .sizeMismatch
    ),
    (
      "stored sizes that differ", .init("a", "text").with { $0.central = { $0.size = 3 } },
      .sizeMismatch
    ),
    (
      "data that are no deflate", .init("a", "text", method: 8).with { $0.coded = [7, 7, 7, 7] },
      .dataDamaged
    ),
    (
      "deflate cut short",
      .init("a", "text", method: 8).with {
        $0.coded = [UInt8](TestDeflate.encode([1, 2]).dropLast())
      },
      .dataTruncated
    ),
    (
      "a size past the archive's end",
      .init("a", "text").with { $0.central = { $0.compressedSize = 99_999 } }, .dataTruncated
    ),
    (
      "an offset past the archive's end",
      .init("a", "text").with { $0.central = { $0.offset = 99_999 } }, .localHeaderMissing
    ),
    (
      "no local header", .init("a", "text").with { $0.local = { $0.signature = 1 } },
      .localHeaderMissing
    ),
    ("an unknown method", .init("a", "text", method: 97), .methodUnsupported),
    ("encryption without cipher", .init("a", "text").with { $0.flags = 1 }, .encryptionUnsupported),
  ]

  @Test(arguments: lies)
  func `a lie is found and the next entry still read`(
    what: String, entry: ZipBuilder.Entry, expected: ZipError.Code
  ) throws {
    #expect(try code([entry, .init("b", "next", method: 8)]) == expected)
    #expect(try code([entry, .init("b", "next", method: 8)], 1) == nil)
  }

  @Test func `an unsupported method is named with its number`() throws {
    let archive = try ZipArchive(bytes: ZipBuilder([.init("a", "x", method: 97)]).bytes())
    do {
      _ = try archive.entries[0].contents()
      Issue.record("method 97 should not decode")
    } catch {
      #expect(error.message.contains("97 (WavPack)"))
    }
  }
}
