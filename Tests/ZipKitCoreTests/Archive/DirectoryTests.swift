import Synchronization
import Testing
import TestSupport
import ZipKitCore

@Suite("the central directory") struct DirectoryTests {
  private func names(_ bytes: [UInt8]) throws -> [String] {
    try ZipArchive(bytes: bytes).entries.map(\.name)
  }

  @Test func `entries are listed in the directory's order with sizes and methods`() throws {
    let archive = try ZipArchive(
      bytes: ZipBuilder([
        .init("b.txt", "hello"), .init("a/", mode: 0o040755),
        .init("a/long.txt", String(repeating: "x", count: 600), method: 8),
      ]).bytes())
    #expect(archive.entries.map(\.name) == ["b.txt", "a/", "a/long.txt"])
    #expect(archive.entries.map(\.kind) == [.file, .directory, .file])
    #expect(archive.entries.map(\.size) == [5, 0, 600])
    #expect(archive.entries[2].method == .deflated)
    #expect(archive.problems.isEmpty)
  }

  @Test func `an empty archive has no entries and is no error`() throws {
    let archive = try ZipArchive(bytes: ZipBuilder().bytes())
    #expect(archive.entries.isEmpty)
    #expect(archive.problems.map(\.code) == [.isEmpty])
    #expect(archive.inspect().isEmpty)
  }

  @Test(arguments: [true, false])
  func `an encrypted directory is named, and damage is not taken for it`(isEncrypted: Bool) {
    var zip = ZipBuilder([.init("a", "1").with { $0.central = { $0.signature = 0x1234_5678 } }])
    zip.isZip64 = true
    zip.zip64End = { record in
      // Version 2 of the record: method, sizes, cipher, bits, flags, hash and its length.
      record.replaceSubrange(4..<12, with: [72, 0, 0, 0, 0, 0, 0, 0])
      record.put(UInt16(8))
      record.put(UInt64(47))
      record.put(UInt64(47))
      for value: UInt16 in [isEncrypted ? 0x6610 : 0, 256, 1, 4, 0] { record.put(value) }
    }
    #expect {
      _ = try ZipArchive(bytes: zip.bytes())
    } throws: {
      let error = $0 as? ZipError
      return error?.code == (isEncrypted ? .directoryEncrypted : .directoryDamaged)
        && error?.offset == 32
    }
  }

  @Test func `an archive of zip64 end records is read`() throws {
    var zip = ZipBuilder([.init("a", "1")])
    zip.isZip64 = true
    #expect(try names(zip.bytes()) == ["a"])
  }

  @Test func `a zip64 record counts when the classic one is garbage`() throws {
    var zip = ZipBuilder([.init("a", "1")])
    zip.isZip64 = true
    zip.end = { end in (end.entries, end.offset, end.size) = (77, 0x1234_5678, 99) }
    #expect(try names(zip.bytes()) == ["a"])
  }

  @Test func `zip64 fields are read only where the short ones are all ones`() throws {
    var field: [UInt8] = []
    field.put(UInt64(0xdead_beef))
    let redundant = ZipBuilder.Entry("a", "12345").with {
      $0.extra = ZipBuilder.extra(1, field)
    }
    let needed = ZipBuilder.Entry("b", "123").with {
      var size: [UInt8] = []
      size.put(UInt64(3))
      let extra = ZipBuilder.extra(1, size)
      $0.central = { fields in
        fields.size = 0xffff_ffff
        fields.extra = extra
      }
    }
    let archive = try ZipArchive(bytes: ZipBuilder([redundant, needed]).bytes())
    #expect(archive.entries.map(\.size) == [5, 3])
    #expect(try archive.entries[1].contents() == Array("123".utf8))
  }

  @Test func `a size that points to a zip64 field which is not there is refused`() throws {
    let entry = ZipBuilder.Entry("a", "123").with { $0.central = { $0.size = 0xffff_ffff } }
    let archive = try ZipArchive(bytes: ZipBuilder([entry]).bytes())
    #expect(throws: ZipError.self) { try archive.entries[0].contents() }
    do {
      _ = try archive.entries[0].contents(limit: .max)
    } catch {
      #expect(error.code == .zip64Missing)
      #expect(error.entryIndex == 0)
    }
  }

  @Test(arguments: [false, true])
  func `bytes in front are found and allowed for`(counted: Bool) throws {
    var zip = ZipBuilder([.init("a", "inside")])
    zip.prefix = Array("#!/bin/sh\nexit\n".utf8)
    zip.countsPrefix = counted
    let archive = try ZipArchive(bytes: zip.bytes())
    #expect(try archive.entries[0].contents() == Array("inside".utf8))
    #expect(archive.problems.map(\.code) == (counted ? [] : [.prefixBytes]))
  }

  @Test func `a directory in front of the entries is read`() throws {
    let entries: [ZipBuilder.Entry] = [.init("a", "1"), .init("b/c", "22")]
    let size = Int(try ZipArchive(bytes: ZipBuilder(entries).bytes()).directorySize)
    var zip = ZipBuilder(entries)
    zip.prefix = [UInt8](repeating: 0, count: size)
    zip.countsPrefix = true
    zip.end = { $0.offset = 0 }
    let bytes = zip.bytes()
    let start = bytes.count - 22 - size
    let archive = try ZipArchive(
      bytes: Array(bytes[start..<(start + size)] + bytes[size..<start] + bytes.suffix(22)))
    #expect(archive.entries.map(\.name) == ["a", "b/c"])
    #expect(archive.base == 0)
    #expect(try archive.entries.map { try $0.contents(limit: 9) } == [[0x31], [0x32, 0x32]])
  }

  @Test func `a size that leads to a later header loses none`() throws {
    var zip = ZipBuilder([.init("a", "1"), .init("b", "2")])
    zip.end = { $0.size = 47 }
    let archive = try ZipArchive(bytes: zip.bytes())
    #expect(archive.entries.map(\.name) == ["a", "b"])
    #expect(try archive.entries[1].contents() == Array("2".utf8))
  }

  @Test func `a Zip64 end record of another size than its locator leaves room for is noted`() throws
  {
    var zip = ZipBuilder([.init("a", "1")])
    zip.isZip64 = true
    #expect(try ZipArchive(bytes: zip.bytes()).problems.isEmpty)
    zip.zip64End = { $0[4] = 40 }
    #expect(try ZipArchive(bytes: zip.bytes()).problems.map(\.code) == [.zip64Differs])
  }

  @Test func `a Zip64 signature that ends a name is no missing record`() throws {
    let mark: [UInt8] = [0x50, 0x4b, 6, 7] + [UInt8](repeating: 0, count: 16)
    let archive = try ZipArchive(bytes: ZipBuilder([.init(bytes: [97] + mark, [1])]).bytes())
    #expect(archive.problems.map(\.code) == [.zip64Differs])
    #expect(try archive.entries[0].contents() == [1])
  }

  @Test func `bytes behind the archive are noted`() throws {
    var zip = ZipBuilder([.init("a", "1")])
    zip.trailing = [0, 0, 0]
    let archive = try ZipArchive(bytes: zip.bytes())
    #expect(archive.problems.map(\.code) == [.trailingBytes])
  }

  @Test func `a signature in the comment does not mislead`() throws {
    var zip = ZipBuilder([.init("a", "1")])
    zip.comment = ZipBuilder().bytes() + Array("tail".utf8)
    #expect(try names(zip.bytes()) == ["a"])
  }

  @Test func `the longest comment is read and a cut one noted`() throws {
    var zip = ZipBuilder([.init("a", "1")])
    zip.comment = Array(repeating: 65, count: 65535)
    let bytes = zip.bytes()
    #expect(try ZipArchive(bytes: bytes).commentBytes.count == 65535)
    let cut = try ZipArchive(bytes: Array(bytes.dropLast(35)))
    #expect(cut.commentBytes.count == 65500)
    #expect(cut.problems.map(\.code) == [.commentTruncated])
  }

  @Test func `a directory's size is a claim, also where the source is as large`() throws {
    let hole = 3 << 30
    var zip = ZipBuilder([.init("a", "x")])
    zip.end = { $0.size += UInt32(hole) }
    let source = HollowSource(zip.bytes(), hole: hole)
    let archive = try ZipArchive(source: source)
    #expect(archive.entries.map(\.name) == ["a"])
    #expect(try archive.entries[0].contents() == Array("x".utf8))
    #expect(source.most <= 16 << 20)
  }

  @Test(arguments: [64, 65, 100])
  func `a directory of many pieces is read whole`(count: Int) throws {
    let comment = [UInt8](repeating: 99, count: 65_534)
    let entries = (0..<count).map { number in
      ZipBuilder.Entry("\(number)", "x").with { $0.comment = comment }
    }
    let archive = try ZipArchive(bytes: ZipBuilder(entries).bytes())
    #expect(archive.problems.isEmpty)
    #expect(archive.entries.count == count)
    #expect(archive.entries[count - 1].name == "\(count - 1)")
  }

  @Test func `a count that is off is noted and the entries kept`() throws {
    var zip = ZipBuilder([.init("a", "1"), .init("b", "2")])
    zip.end = { $0.entries = 3 }
    let archive = try ZipArchive(bytes: zip.bytes())
    #expect(archive.entries.count == 2)
    #expect(archive.problems.map(\.code) == [.directoryCount])
  }

  @Test func `a count modulo 65536 is no problem`() throws {
    let entries = (0..<65537).map { ZipBuilder.Entry("\($0)") }
    let archive = try ZipArchive(bytes: ZipBuilder(entries).bytes())
    #expect(archive.entries.count == 65537)
    #expect(archive.problems.isEmpty)
  }

  static let hopeless: [(String, [UInt8], ZipError.Code)] = [
    ("nothing", [], .noEndRecord),
    ("text", Array("this is no archive".utf8), .noEndRecord),
    ("only a local header", Array(ZipBuilder([.init("a", "b")]).bytes().prefix(32)), .noEndRecord),
    (
      "a directory elsewhere",
      {
        var zip = ZipBuilder([.init("a", "b")])
        zip.end = { end in (end.offset, end.size) = (3, 7) }
        return zip.bytes()
      }(), .directoryDamaged
    ),
  ]

  @Test(arguments: hopeless)
  func `what is no archive is refused`(what: String, bytes: [UInt8], code: ZipError.Code) {
    #expect {
      _ = try ZipArchive(bytes: bytes)
    } throws: { ($0 as? ZipError)?.code == code }
  }

  @Test func `every truncation ends in an archive or in an error`() throws {
    var zip = ZipBuilder([.init("dir/a", "hello"), .init("b", "more", method: 8)])
    zip.isZip64 = true
    let bytes = zip.bytes()
    for count in 0..<bytes.count {
      if let archive = try? ZipArchive(bytes: Array(bytes.prefix(count))) {
        for entry in archive.entries { _ = try? entry.contents() }
      }
    }
  }

  @Test func `every changed byte ends in an archive or in an error`() throws {
    var zip = ZipBuilder([.init("dir/a", "hello"), .init("b", "more", method: 8)])
    zip.isZip64 = true
    let bytes = zip.bytes()
    for place in bytes.indices {
      for value: UInt8 in [0, 0xff, bytes[place] ^ 0x80] {
        var changed = bytes
        changed[place] = value
        if let archive = try? ZipArchive(bytes: changed) {
          for entry in archive.entries { _ = try? entry.contents() }
        }
      }
    }
  }
}

/// An archive with a hole of zeros in front of its end record; remembers the most that was asked for at once.
private final class HollowSource: ArchiveSource {
  private let head: [UInt8]
  private let tail: [UInt8]
  private let asked = Mutex(0)
  let size: UInt64

  init(_ bytes: [UInt8], hole: Int) {
    (head, tail) = (Array(bytes.dropLast(22)), Array(bytes.suffix(22)))
    size = UInt64(bytes.count + hole)
  }

  var most: Int { asked.withLock { $0 } }

  func read(at offset: UInt64, into output: inout OutputRawSpan) throws(ZipError) {
    let room = output.freeCapacity
    asked.withLock { $0 = max($0, room) }
    guard room <= 64 << 20 else { return }
    for place in offset..<min(offset + UInt64(room), size) {
      let behind = place + UInt64(tail.count)
      output.append(
        place < head.count ? head[Int(place)] : behind >= size ? tail[Int(behind - size)] : 0)
    }
  }
}
