import ProgressReporting
import TestSupport
import Testing
import ZipKitCore

@Suite("salvage") struct SalvageTests {
  private static let text = Array(String(repeating: "salvage ", count: 100).utf8)

  private static func entry(_ name: String, method: UInt16 = 0, mode: UInt16? = nil)
    -> ZipBuilder.Entry
  {
    .init(bytes: Array(name.utf8), text + Array(name.utf8), method: method, mode: mode)
  }

  /// An entry whose sizes stand behind its data only.
  private static func described(
    _ name: String, method: UInt16, isSigned: Bool = true, isWide: Bool = false
  ) -> ZipBuilder.Entry {
    entry(name, method: method).with {
      $0.descriptor = ZipBuilder.descriptor(
        $0.content, compressedSize: ZipBuilder.code($0.content, method: method).count,
        hasSignature: isSigned, isWide: isWide)
    }
  }

  private static let three = [
    entry("a", method: 8, mode: 0o100755), entry("b", mode: 0o100600), entry("d/c", method: 8),
  ]

  private func whole(_ salvage: ArchiveSalvage) -> [String] {
    salvage.archive.entries.filter { (try? $0.contents()) != nil }.map(\.name)
  }

  private func open(_ bytes: [UInt8]) async throws -> ArchiveSalvage {
    try await ArchiveSalvage.open(source: BytesSource(bytes))
  }

  @Test func `a whole archive is what it is`() async throws {
    var zip = ZipBuilder(Self.three)
    zip.comment = Array("note".utf8)
    let salvage = try await open(zip.bytes())
    #expect(whole(salvage) == ["a", "b", "d/c"])
    #expect(salvage.archive.entries[0].unixMode == 0o100755)
    #expect(salvage.archive.comment == "note")
    #expect(salvage.origins == [.directory, .directory, .directory])
    #expect(salvage.lost.isEmpty && salvage.gaps.isEmpty && salvage.reason == nil)
  }

  @Test(arguments: [[1, 2], [3, 4], [5, 6], [6, 6], [6, 7], [7, 8]] as [[UInt8]], [0, 9])
  func `a signature that stands in front by chance hides no entry`(
    signature: [UInt8], distance: Int
  ) async throws {
    var zip = ZipBuilder(Self.three)
    zip.prefix = [0x50, 0x4b] + signature + [UInt8](repeating: 1, count: distance)
    for counts in [false, true] {
      zip.countsPrefix = counts
      let salvage = try await open(zip.bytes())
      #expect(whole(salvage) == ["a", "b", "d/c"])
      #expect(salvage.lost.isEmpty)
    }
  }

  @Test func `without its end an archive has its entries, modes and all`() async throws {
    let salvage = try await open([UInt8](ZipBuilder(Self.three).bytes().dropLast(10)))
    #expect(whole(salvage) == ["a", "b", "d/c"])
    #expect(salvage.archive.entries[1].unixMode == 0o100600)
    #expect(salvage.reason?.code == .noEndRecord)
  }

  @Test func `without its directory an archive has its entries`() async throws {
    let bytes = ZipBuilder(Self.three).bytes()
    let start = try #require(try ZipArchive(bytes: bytes).directoryOffset as UInt64?)
    let salvage = try await open([UInt8](bytes[..<Int(start)]))
    #expect(whole(salvage) == ["a", "b", "d/c"])
    #expect(salvage.origins == [.localHeader, .localHeader, .localHeader])
    #expect(salvage.archive.entries[0].unixMode == nil)
  }

  @Test(arguments: [UInt16(0), 8], [(true, false), (true, true), (false, false), (false, true)])
  func `sizes behind the data are found`(method: UInt16, shape: (Bool, Bool)) async throws {
    let entries = ["a", "b"].map {
      Self.described($0, method: method, isSigned: shape.0, isWide: shape.1)
    }
    let bytes = ZipBuilder(entries + [Self.entry("c")]).bytes()
    let start = try ZipArchive(bytes: bytes).directoryOffset
    let salvage = try await open([UInt8](bytes[..<Int(start)]))
    #expect(whole(salvage) == ["a", "b", "c"])
    #expect(salvage.origins == [.descriptor, .descriptor, .localHeader])
    #expect(salvage.gaps.isEmpty)
  }

  @Test func `stored data that look like a descriptor are none`() async throws {
    var content: [UInt8] = Array("first".utf8)
    content += ZipBuilder.descriptor(Array("other".utf8), compressedSize: 5)
    let entry = ZipBuilder.Entry(bytes: [97], content).with {
      $0.descriptor = ZipBuilder.descriptor(content, compressedSize: content.count)
    }
    let bytes = ZipBuilder([entry, Self.entry("b")]).bytes()
    let salvage = try await open([UInt8](bytes.dropLast(60 + 47)))
    #expect(whole(salvage) == ["a", "b"])
    #expect(salvage.archive.entries[0].size == UInt64(content.count))
  }

  @Test(arguments: [UInt16(0), 8])
  func `the entry that was cut is damaged, those before it whole`(method: UInt16) async throws {
    let entries = [Self.entry("a", method: 8), Self.entry("b", method: method)]
    let bytes = ZipBuilder(entries).bytes()
    let start = try ZipArchive(bytes: bytes).directoryOffset
    let salvage = try await open([UInt8](bytes[..<(Int(start) - 5)]))
    #expect(salvage.archive.entries.map(\.name) == ["a", "b"])
    #expect(whole(salvage) == ["a"])
  }

  @Test func `a described entry without its descriptor is of unknown worth`() async throws {
    let bytes = ZipBuilder([Self.described("a", method: 8)]).bytes()
    let start = try ZipArchive(bytes: bytes).directoryOffset
    let salvage = try await open([UInt8](bytes[..<(Int(start) - 16)]))
    #expect(salvage.origins == [.inferred])
    #expect(throws: ZipError.self) { try salvage.archive.entries[0].contents() }
  }

  @Test(arguments: [3, 100, 700])
  func `bytes lost inside cost one entry`(count: Int) async throws {
    var bytes = ZipBuilder(Self.three).bytes()
    let second = Int(try ZipArchive(bytes: bytes).entries[1].localHeaderOffset)
    bytes.removeSubrange((second + 40)..<(second + 40 + count))
    let salvage = try await open(bytes)
    #expect(whole(salvage) == ["a", "d/c"])
    #expect(salvage.archive.entries[0].unixMode == 0o100755)
  }

  @Test func `an entry without a local header is lost`() async throws {
    var bytes = ZipBuilder(Self.three).bytes()
    let second = Int(try ZipArchive(bytes: bytes).entries[1].localHeaderOffset)
    bytes[second] = 0
    let salvage = try await open(bytes)
    #expect(whole(salvage) == ["a", "d/c"])
    #expect(salvage.lost.map(\.name) == ["b"])
    #expect(salvage.lost.first?.size == UInt64(Self.text.count + 1))
    let size = UInt64(31 + Self.text.count + 1)
    #expect(salvage.gaps == [UInt64(second)..<(UInt64(second) + size)])
  }

  @Test func `what is listed goes before what is not, where they overlap`() async throws {
    let old = Self.entry("old", method: 8).with { $0.local = { $0.compressedSize += 4 } }
    let size = 30 + 3 + ZipBuilder.code(old.content, method: 8).count
    var zip = ZipBuilder(Self.three)
    zip.prefix = Array(ZipBuilder([old]).bytes()[..<size])
    zip.countsPrefix = true
    let salvage = try await open(zip.bytes())
    #expect(whole(salvage) == ["old", "a", "b", "d/c"])
    #expect(salvage.lost.isEmpty)
  }

  @Test func `an archive in the archive stays one entry`() async throws {
    let inner = ZipBuilder(Self.three).bytes()
    let bytes = ZipBuilder([.init(bytes: Array("inner.zip".utf8), inner), Self.entry("b")]).bytes()
    for cut in [0, 10, 80] {
      let salvage = try await open([UInt8](bytes.dropLast(cut)))
      #expect(whole(salvage) == ["inner.zip", "b"])
      #expect(salvage.lost.isEmpty)
    }
  }

  @Test func `bytes of no use are told`() async throws {
    var zip = ZipBuilder(Self.three)
    zip.prefix = [UInt8](repeating: 7, count: 300_000)
    let salvage = try await open([UInt8](zip.bytes().dropLast(22)))
    #expect(whole(salvage) == ["a", "b", "d/c"])
    #expect(salvage.gaps == [0..<300_000])
  }

  @Test func `where nothing is left there is nothing`() async throws {
    for bytes in [[], Array("no archive".utf8), [UInt8](repeating: 0x50, count: 600_000)] {
      let salvage = try await open(bytes)
      #expect(salvage.archive.entries.isEmpty)
      #expect(salvage.reason?.code == .noEndRecord)
    }
  }

  @Test(arguments: [UInt16(0), 8], [UInt16(0), 8])
  func `headers that send the reader round and round are given up`(
    method: UInt16, flags: UInt16
  ) async throws {
    // Each header claims everything behind it, or says nothing at all.
    var bytes: [UInt8] = []
    for _ in 0..<20_000 {
      bytes += [0x50, 0x4b, 3, 4, 20, 0, UInt8(flags), 0, UInt8(method), 0, 0, 0, 0, 0]
      bytes += flags == 0 ? [1, 1, 1, 1, 0, 0, 8, 0, 0, 0, 8, 0] : [UInt8](repeating: 0, count: 12)
      bytes += [1, 0, 0, 0, 97]
    }
    #expect(try await open(bytes).archive.entries.count == 20_000)
  }

  @Test func `a search can be cancelled`() async throws {
    let meter = WorkMeter("search", total: 1)
    meter.cancellation.cancel()
    do {
      _ = try await ArchiveSalvage.open(
        source: BytesSource(ZipBuilder(Self.three).bytes()), progress: meter.share(1))
      Issue.record("the search should have been cancelled")
    } catch let error as ZipError {
      #expect(error.code == .cancelled)
    }
  }

  @Test func `an extraction places what is whole and reports the rest`() async throws {
    let folder = try TemporaryDirectory()
    let bytes = ZipBuilder(Self.three).bytes()
    let third = Int(try ZipArchive(bytes: bytes).entries[2].localHeaderOffset)
    let path = try folder.write("cut.zip", [UInt8](bytes[..<(third + 40)]))
    let salvage = try await ArchiveSalvage.open(path: path)
    let report = try await salvage.archive.extract(to: folder.path("out"))
    #expect(report.outcomes.map(\.status) == [.done, .done, .failed])
    #expect(try folder.read("out/b") == Self.text + [98])
  }
}
