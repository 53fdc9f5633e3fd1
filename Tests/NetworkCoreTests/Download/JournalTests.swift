import TestSupport
import Testing

import NetworkCore

@Suite("The journal of a download")
struct JournalTests {
  static let version = FileVersion(
    entityTag: "\"abc\"", lastModified: "Sat, 01 Aug 2026 10:00:00 GMT",
    date: "Sun, 02 Aug 2026 10:00:00 GMT", total: 1 << 40)
  static let records: [JournalRecord] = [
    .origin(["http://a/b", "https://c/d?e"]), .version(version),
    .session(bootID: "boot-1", processID: 42), .written(0..<4096),
    .synced(ByteRanges([0..<4096, 8192..<9000])), .written(9000..<10_000),
  ]

  static func bytes(_ records: [JournalRecord]) -> [UInt8] {
    JournalFormat.magic + records.flatMap(JournalFormat.encode)
  }

  @Test func `reads back each record`() throws {
    for record in Self.records + [.reset] {
      let bytes = JournalFormat.encode(record)
      let found = try #require(JournalFormat.decode(bytes, at: 0))
      #expect(found.record == record)
      #expect(found.next == bytes.count)
    }
  }

  @Test func `has the checksum of its standard`() {
    #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xE306_9283)
  }

  @Test func `proves within one boot what was written, and later only what was synced`() throws {
    let state = try #require(JournalState(Self.bytes(Self.records)))
    #expect(state.origin.first == "http://a/b")
    #expect(state.version == Self.version)
    #expect(state.proven(bootID: "boot-1", partSize: 1 << 30).ranges == [0..<4096, 8192..<10_000])
    #expect(state.proven(bootID: "boot-2", partSize: 1 << 30).ranges == [0..<4096, 8192..<9000])
    #expect(state.proven(bootID: nil, partSize: 5000).ranges == [0..<4096])
  }

  @Test func `forgets after a reset, and what another boot wrote`() throws {
    let reset = try #require(JournalState(Self.bytes(Self.records + [.reset, .written(5..<9)])))
    #expect(reset.proven(bootID: "boot-1", partSize: 100).ranges == [5..<9])
    let other = try #require(
      JournalState(Self.bytes(Self.records + [.session(bootID: "boot-2", processID: 1)])))
    #expect(other.proven(bootID: "boot-1", partSize: 1 << 30).ranges == [0..<4096, 8192..<9000])
  }

  @Test func `keeps what stands before a damaged byte, wherever that is`() throws {
    let whole = Self.bytes(Self.records)
    for index in JournalFormat.magic.count..<whole.count {
      var damaged = whole
      damaged[index] ^= 0x10
      let state = try #require(JournalState(damaged))
      #expect(state.length <= index)
      let kept = try #require(JournalState(Array(whole[..<state.length])))
      #expect(kept == state)
    }
  }

  @Test func `survives being cut anywhere`() {
    let whole = Self.bytes(Self.records)
    for count in 0..<whole.count {
      let state = JournalState(Array(whole[..<count]))
      #expect((state == nil) == (count < JournalFormat.magic.count))
      #expect(state.map { $0.length <= count } ?? true)
    }
    #expect(JournalState(Array("something else".utf8)) == nil)
  }

  @Test func `survives any bytes after its magic`() {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let noise = random.bytes(Int.random(in: 0..<80, using: &random))
      let state = JournalState(JournalFormat.magic + noise)
      #expect(state?.length == JournalFormat.magic.count)
    }
  }
}
