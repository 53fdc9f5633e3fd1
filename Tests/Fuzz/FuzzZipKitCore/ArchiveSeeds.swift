/// Small archives of every kind, written here.
enum ArchiveSeeds {
  typealias Entry = ZipBuilder.Entry

  static let archives: [[UInt8]] = [
    ZipBuilder().bytes(),
    ZipBuilder(plain).bytes(),
    ZipBuilder(links).bytes(),
    ZipBuilder(clashes).bytes(),
    ZipBuilder(described).bytes(),
    ZipBuilder(timed).bytes(),
    ZipBuilder(foreign).bytes(),
    wide, prefixed, ZipBuilder(shared).bytes(), ZipBuilder(nested).bytes(),
    ZipBuilder(coded).bytes(),
  ]

  private static let plain: [Entry] = [
    .init("d/", mode: 0o040755),
    .init("d/a", "hello", mode: 0o100644),
    .init("d/b", String(repeating: "x", count: 600), method: 8, mode: 0o104755),
    .init("e/f/g", "deep", method: 8).with { $0.comment = Array("note".utf8) },
    .init("empty"),
  ]

  private static let links: [Entry] = [
    .init("d/", mode: 0o040700),
    .init("d/a", "hello", mode: 0o100600),
    .init("l", "d", mode: 0o120777),
    .init("d/l", "../d/a", mode: 0o120777),
    .init("x", "../outside", mode: 0o120777),
    .init("x/file", "evil"),
    .init("../outside/file", "evil"),
    .init("pipe", "", mode: 0o010644),
  ]

  private static let clashes: [Entry] = [
    .init("a", "one"), .init("A", "two"), .init("a", "three"), .init("a/b", "four"),
    .init("é", "five"), .init("e\u{301}", "six"), .init("d/", mode: 0o040755), .init("D/x", "7"),
    .init("a (2)", "eight"),
  ]

  private static let described: [Entry] = ["first", "second", "third"].enumerated().map {
    number, text in
    Entry(text, text, method: 8).with { entry in
      let size = ZipBuilder.code(entry.content, method: 8).count
      entry.descriptor = ZipBuilder.descriptor(
        entry.content, compressedSize: size, hasSignature: number != 1, isWide: number == 2)
    }
  }

  private static let timed: [Entry] = [
    .init("extended", "1").with { $0.extra = timestamp },
    .init("ntfs", "2").with { $0.extra = ntfs },
    .init("old", "3").with {
      $0.extra = ZipBuilder.extra(0x5855, [UInt8](repeating: 7, count: 12))
    },
    .init("owner", "4").with {
      $0.extra = ZipBuilder.extra(0x7875, [1, 4, 1, 0, 0, 0, 4, 2, 0, 0, 0])
    },
    .init("plain", "5").with { entry in
      var field: [UInt8] = [1]
      field.put(TestChecksum.crc32(entry.name))
      entry.extra = ZipBuilder.extra(0x7075, field + Array("ünicode".utf8))
    },
  ]

  static let timestamp = ZipBuilder.extra(0x5455, [7, 0, 0, 0, 0x60, 0, 0, 0, 0x61, 0, 0, 0, 0x62])

  static let ntfs: [UInt8] = {
    var field: [UInt8] = [0, 0, 0, 0, 1, 0, 24, 0]
    for number in 0..<3 { field.put(UInt64(132_000_000_000_000_000 + number)) }
    return ZipBuilder.extra(0xa, field)
  }()

  private static let foreign: [Entry] = [
    Entry("DIR\\FILE.TXT", "text\r\nlines\r\n").with {
      $0.central = {
        $0.versionMadeBy = 20
        $0.internalAttributes = 1
        $0.externalAttributes = 0x20
      }
    },
    Entry(bytes: [0x82, 0xa0, 0x2e, 0x74], Array("shift-jis".utf8)).with {
      $0.central = { $0.versionMadeBy = 0x0b14 }
    },
    Entry(bytes: Array("ä".utf8), Array("utf-8".utf8)).with { $0.flags = 0x800 },
  ]

  private static let wide: [UInt8] = {
    let entry = Entry("wide", "123").with { entry in
      var sizes: [UInt8] = []
      for _ in 0..<2 { sizes.put(UInt64(3)) }
      let field = ZipBuilder.extra(1, sizes)
      let change = { @Sendable (fields: inout ZipBuilder.Fields) in
        (fields.size, fields.compressedSize, fields.extra) = (0xffff_ffff, 0xffff_ffff, field)
      }
      (entry.local, entry.central) = (change, change)
    }
    var zip = ZipBuilder([entry, .init("narrow", "1")])
    zip.isZip64 = true
    return zip.bytes()
  }()

  private static let prefixed: [UInt8] = {
    var zip = ZipBuilder(plain)
    zip.prefix = Array("#!/bin/sh\nexit\n".utf8)
    zip.comment = Array("a comment".utf8)
    return zip.bytes()
  }()

  private static let shared: [Entry] = [
    .init("one", String(repeating: "y", count: 300), method: 8),
    .init("two", String(repeating: "y", count: 300), method: 8).with { $0.isCentralOnly = true },
    .init("three", "3"),
  ]

  private static let nested: [Entry] = [
    .init(bytes: Array("inner.zip".utf8), ZipBuilder(plain).bytes()), .init("after", "z"),
  ]

  // Streams that no decoder likes reach the decoders all the same.
  private static let coded: [Entry] = [1, 2, 6, 9, 10, 12, 14, 93, 95, 98, 99].map { method in
    Entry("m\(method)", "content", method: UInt16(method)).with {
      if method == 99 {
        $0.flags = 1
        $0.extra = ZipBuilder.extra(0x9901, [2, 0, 0x41, 0x45, 3, 8, 0])
        $0.coded = [UInt8](repeating: 3, count: 40)
      }
    }
  }

  /// A style and a part's size in sixteens, then the parts one behind the other.
  static let split: [[UInt8]] = [(0, 4), (0, 16), (1, 4), (1, 8), (3, 4)].map { style, size in
    let parts = SplitWriter.parts(plain, size: size * 16)
    return [UInt8(style), UInt8(size)] + parts.joined()
  }

  static let records: [[UInt8]] =
    archives + [ZipBuilder.descriptor([1, 2, 3], compressedSize: 3, isWide: true)]

  static let extras: [[UInt8]] = [
    timestamp + ntfs, ZipBuilder.extra(1, [UInt8](repeating: 1, count: 28)),
    ZipBuilder.extra(0x9901, [2, 0, 0x41, 0x45, 3, 8, 0]),
    ZipBuilder.extra(0x7875, [1, 4, 1, 0, 0, 0, 4, 2, 0, 0, 0]),
    ZipBuilder.extra(0x7075, [1, 0, 0, 0, 0, 0x61]),
    ZipBuilder.extra(0x5855, [UInt8](repeating: 7, count: 12)),
  ]

  static let texts: [[UInt8]] = [
    "d/a\na\nA\nd\ne\u{301}\né\na/b\na (2)", "../x", "/a//b/./c", "C:\\d\\..\\e",
    "*.[a-c]?\nfile.b1",
    "**/[!x]*\\*\nd/e/f*", "d/../../x\nd", "a\u{1}b\u{7f}",
  ].map { Array($0.utf8) }
}
