import Testing
import TestSupport
import ZipKitCore

@Suite("names") struct NameTests {
  private func entry(_ change: (inout ZipBuilder.Entry) -> Void) throws -> ZipEntry {
    var entry = ZipBuilder.Entry("x")
    change(&entry)
    return try ZipArchive(bytes: ZipBuilder([entry]).bytes()).entries[0]
  }

  private static func unicodePath(_ text: String, for plain: [UInt8], version: UInt8 = 1) -> [UInt8]
  {
    var data = [version]
    data.put(TestChecksum.crc32(plain))
    return ZipBuilder.extra(0x7075, data + Array(text.utf8))
  }

  @Test func `flagged and unflagged UTF-8 are told apart and read alike`() throws {
    let flagged = try entry {
      $0.name = Array("ü".utf8); $0.flags = 1 << 11
    }
    #expect((flagged.name, flagged.nameOrigin) == ("ü", .utf8Flag))
    let plain = try entry { $0.name = Array("ü".utf8) }
    #expect((plain.name, plain.nameOrigin) == ("ü", .utf8Guess))
  }

  @Test func `other bytes are CP437 unless an encoding is given`() throws {
    #expect(try entry { $0.name = [0x81, 0x2e, 0x74] }.name == "ü.t")
    var options = ZipArchive.Options()
    options.encoding = NameEncoding(name: "shout") { _ in "LOUD" }
    let bytes = ZipBuilder([.init(bytes: [0x81], [])]).bytes()
    let shouted = try ZipArchive(bytes: bytes, options: options).entries[0]
    #expect((shouted.name, shouted.nameOrigin) == ("LOUD", .encoding("shout")))
  }

  @Test func `a detector sees the names that need it and no others`() throws {
    var options = ZipArchive.Options()
    options.detector = { names, _ in
      NameEncoding(name: "seen") { _ in "\(names.count)" }
    }
    let bytes = ZipBuilder([
      .init("ascii"), .init("ü"), .init(bytes: [0x81], []), .init(bytes: [0x82], []),
    ]).bytes()
    #expect(try ZipArchive(bytes: bytes, options: options).entries[2].name == "2")
  }

  @Test func `a Unicode path counts when its checksum is that of the name`() throws {
    let right = try entry { $0.extra = Self.unicodePath("näme", for: Array("x".utf8)) }
    #expect((right.name, right.nameOrigin) == ("näme", .unicodeField))
    let stale = try entry { $0.extra = Self.unicodePath("näme", for: Array("old".utf8)) }
    #expect(stale.name == "x")
    let future = try entry { $0.extra = Self.unicodePath("näme", for: Array("x".utf8), version: 2) }
    #expect(future.name == "x")
  }

  @Test(arguments: [
    ("a.txt", true), ("d/", false), ("__MACOSX/d/._a", false), ("d/._a", false),
    (".DS_Store", false), ("d/.DS_Store", false), ("Thumbs.db", false), ("d/__MACOSX.txt", true),
    (".hidden", true),
  ])
  func `real files are those that somebody meant to pack`(name: String, isReal: Bool) throws {
    #expect(try entry { $0.name = Array(name.utf8) }.isRealFile == isReal)
  }

  @Test func `extra fields give exact times and owners`() throws {
    var stamp: [UInt8] = [1]
    stamp.put(UInt32(1_700_000_001))
    let unix = try entry { $0.extra = ZipBuilder.extra(0x5455, stamp) }
    #expect(unix.exactModified == EntryInstant(seconds: 1_700_000_001))
    var ntfs: [UInt8] = [0, 0, 0, 0, 1, 0, 24, 0]
    for _ in 0..<3 { ntfs.put(UInt64(116_444_736_000_000_000 + 15_000_001)) }
    let windows = try entry { $0.extra = ZipBuilder.extra(0x000a, ntfs) }
    #expect(windows.exactModified == EntryInstant(seconds: 1, nanoseconds: 500_000_100))
    let owner = try entry {
      $0.extra = ZipBuilder.extra(0x7875, [1, 4, 0xe8, 3, 0, 0, 2, 0x64, 0])
    }
    #expect(owner.owner == EntryOwner(user: 1000, group: 100))
  }

  /// An ASi Unix field.
  static func asi(_ mode: UInt16, target: String = "", isDamaged: Bool = false) -> [UInt8] {
    var rest: [UInt8] = []
    rest.put(mode)
    rest.put(UInt32(target.utf8.count))
    rest.put(UInt16(1000))
    rest.put(UInt16(100))
    rest += Array(target.utf8)
    var data: [UInt8] = []
    data.put(TestChecksum.crc32(rest) ^ (isDamaged ? 1 : 0))
    return ZipBuilder.extra(0x756e, data + rest)
  }

  @Test func `the field of ASi gives mode, kind and owner where the host has none`() throws {
    let dos: @Sendable (inout ZipBuilder.Fields) -> Void = { $0.versionMadeBy = 20 }
    let file = try entry { ($0.extra, $0.central) = (Self.asi(0o100750), dos) }
    #expect(file.unixMode == 0o100750)
    #expect(file.owner == EntryOwner(user: 1000, group: 100))
    let link = try entry { ($0.extra, $0.central) = (Self.asi(0o120777, target: "y"), dos) }
    #expect(link.kind == .symbolicLink)
    let damaged = try entry { ($0.extra, $0.central) = (Self.asi(0o120777, isDamaged: true), dos) }
    #expect(damaged.kind == .file)
    #expect(damaged.unixMode == nil)
    #expect(damaged.owner == nil)
    let unix = try entry { ($0.extra, $0.mode) = (Self.asi(0o120777), 0o100600) }
    #expect(unix.unixMode == 0o100600)
  }

  @Test func `older fields tell the owner in the local header`() throws {
    let old = try entry {
      $0.extra = ZipBuilder.extra(0x7855, [])
      $0.local = { $0.extra = ZipBuilder.extra(0x7855, [0xe8, 3, 0x64, 0]) }
    }
    #expect(old.owner == EntryOwner(user: 1000, group: 100))
    let cut = try entry {
      $0.extra = ZipBuilder.extra(0x7855, [])
      $0.local = { $0.extra = [0x55, 0x78, 4, 0, 1] }
    }
    #expect(cut.owner == nil)
  }

  @Test func `seconds past 2038 are told by the DOS date`() throws {
    var data: [UInt8] = [1]
    data.put(UInt32(0xfdba_7801))
    let stamp = data
    for (date, seconds) in [(UInt16(0x5a21), Int64(-38_111_231)), (0x8021, 4_256_856_065)] {
      let entry = try entry {
        $0.extra = ZipBuilder.extra(0x5455, stamp)
        $0.central = { $0.date = date }
      }
      #expect(entry.exactModified?.seconds == seconds)
    }
    var old: [UInt8] = []
    for number in [UInt32(1), 1_700_000_001, 0x0064_03e8] { old.put(number) }
    for id in [UInt16(0x5855), 0x000d] {
      let entry = try entry { $0.extra = ZipBuilder.extra(id, old) }
      #expect(entry.exactModified == EntryInstant(seconds: 1_700_000_001))
      #expect(entry.owner == EntryOwner(user: 1000, group: 100))
    }
  }

  @Test(arguments: [
    ZipBuilder.extra(0x5455, []), ZipBuilder.extra(0x5455, [1, 2]),
    ZipBuilder.extra(0x000a, [0, 0, 0, 0, 1, 0, 24]), ZipBuilder.extra(0x7875, [1, 200]),
    [0x55, 0x54, 0xff, 0xff, 1], [1], ZipBuilder.extra(0x9901, [2, 0]),
    ZipBuilder.extra(0x7075, [1, 0, 0]),
  ])
  func `extra fields cut short are as good as absent`(extra: [UInt8]) throws {
    let entry = try entry { $0.extra = extra }
    #expect(entry.exactModified == nil)
    #expect(entry.owner == nil)
    #expect(entry.name == "x")
  }
}
