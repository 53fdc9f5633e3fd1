import TestSupport
import Testing
import ZipKitCodecs
import ZipKitCore

@Suite("imploded data") struct ImplodeTests {
  @Test(arguments: [EntryFlags.methodBit1, .methodBit2], [2, 3])
  func `The checksum tells which shortest match a writer meant`(
    flags: EntryFlags, shortest: Int
  ) throws {
    let stream = implode(
      Sample.bytes, hasLiteralTree: flags.contains(.methodBit2),
      hasLargeWindow: flags.contains(.methodBit1), shortest: shortest)
    var coding = EntryCoding(
      method: .imploded, flags: flags, compressedSize: UInt64(stream.count),
      size: UInt64(Sample.bytes.count))
    coding.crc32 = TestChecksum.crc32(Sample.bytes)
    let decoder = try decoder(for: coding)
    for _ in 1...2 {
      let result = run(decoder, stream, room: Sample.bytes.count)
      #expect(result.isWhole(Sample.bytes[...], consumed: stream.count))
      #expect(try decoder.reset(for: coding))
    }
  }

  @Test func `The fixed codes of DCL implode leave no gap and no doubt`() {
    for lengths in [DclImplode.literalBits, DclImplode.lengthBits, DclImplode.distanceBits] {
      #expect(lengths.reduce(0) { $0 + 1 << (16 - Int($1)) } == 1 << 16)
    }
    #expect(DclImplode.literalBits.count == 256)
    #expect(DclImplode.lengthBits.count == 16)
    #expect(DclImplode.distanceBits.count == 64)
  }

  @Test func `A stream that the format's descriptions give comes out as they say`() throws {
    let stream: [UInt8] = [0x00, 0x04, 0x82, 0x24, 0x25, 0x8f, 0x80, 0x7f]
    let coding = EntryCoding(method: .dclImploded, compressedSize: 8, size: 13)
    let result = run(try decoder(for: coding), stream)
    #expect(result.isWhole(Array("AIAIAIAIAIAIA".utf8)[...], consumed: 8))
  }

  @Test(arguments: [([2, 4], "kind"), ([0, 3], "low bits"), ([1, 7], "low bits")])
  func `Forms that do not exist are refused`(head: [UInt8], what: String) throws {
    let result = run(
      try decoder(for: EntryCoding(method: .dclImploded)), head + [UInt8](repeating: 0, count: 9))
    #expect(result.error?.kind == .damaged)
    #expect(result.error?.message.contains(what) == true)
  }

  @Test func `A distance to before the beginning is damage`() throws {
    // A match at once.
    let result = run(
      try decoder(for: EntryCoding(method: .dclImploded)), [0, 4, 0xff, 0xff, 0xff, 0xff])
    #expect(result.error?.kind == .damaged)
  }
}
