import TestSupport
import Testing
import ZipKitCore

@Suite("an entry as a sequence") struct EntryBytesTests {
  @Test(arguments: [UInt16(0), 8])
  func `pieces make the content, again and again`(method: UInt16) async throws {
    let content = [UInt8](repeating: 7, count: 1_300_000)
    let archive = try ZipArchive(
      bytes: ZipBuilder([.init(bytes: [97], content, method: method)]).bytes())
    let sequence = archive.entries[0].bytes()
    for _ in 1...2 {
      var result: [UInt8] = []
      var pieces = 0
      for try await piece in sequence {
        result += piece
        pieces += 1
      }
      #expect(result == content)
      #expect(pieces > 1)
    }
  }

  @Test func `many tasks read one archive at once`() async throws {
    let entries = (0..<20).map { ZipBuilder.Entry("\($0)", "content \($0)", method: 8) }
    let archive = try ZipArchive(bytes: ZipBuilder(entries).bytes())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for entry in archive.entries {
        group.addTask {
          var result: [UInt8] = []
          for try await piece in entry.bytes() { result += piece }
          #expect(String(decoding: result, as: UTF8.self) == "content \(entry.index)")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `damage ends the sequence with an error, and it stays ended`() async throws {
    let archive = try ZipArchive(
      bytes: ZipBuilder([.init("a", "x").with { $0.central = { $0.crc ^= 1 } }]).bytes())
    var iterator = archive.entries[0].bytes().makeAsyncIterator()
    #expect(try await iterator.next() == Array("x".utf8))
    await #expect {
      _ = try await iterator.next()
    } throws: { ($0 as? ZipError)?.code == .crcMismatch }
    #expect(try await iterator.next() == nil)
  }
}
