import Synchronization
import SystemIO
import TestSupport
import Testing
import ZipKitCore

/// A directory that stays in its file is one that is held in memory, to all who ask.
@Suite("long directories") struct LongDirectoryTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static func field(_ id: UInt16, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.put(id)
    bytes.put(UInt16(count))
    return bytes + [UInt8](repeating: 0x41, count: count)
  }

  /// Of everything that a header may hold, and longer than all pieces that are kept.
  private static let entries: [ZipBuilder.Entry] =
    (0..<400).flatMap { number -> [ZipBuilder.Entry] in
      [
        .init("d\(number % 7)/", mode: 0o040755),
        .init("d\(number % 7)/f\(number)", "content \(number)").with {
          $0.comment = Array(repeating: 0x63, count: number * 7)
        },
        .init("ä\(number)", "x").with { $0.extra = field(0x9999, number * 20) },
        .init("t\(number % 50)", "twice", method: 8),
      ]
    } + [
      .init("long", "x").with {
        $0.central = {
          $0.extra = field(0x9999, 65_000)
          $0.comment = [UInt8](repeating: 0x63, count: 65_535)
        }
      },
      .init(String(repeating: "n", count: 60_000), "x"), .init("../out", "evil"),
      .init("d1/link", "f1", mode: 0o120777),
    ]

  private func open(_ bytes: [UInt8], _ name: String = "a.zip") throws -> (ZipArchive, ZipArchive) {
    let path = try folder.write(name, bytes)
    return try (
      ZipArchive(source: FileSource(path: path), holding: 1 << 30),
      ZipArchive(source: FileSource(path: path), holding: 0)
    )
  }

  private func told(_ entry: ZipEntry) -> [String] {
    [
      entry.name, "\(entry.nameOrigin)", entry.comment, "\(entry.kind)",
      "\(entry.extraFields.count) \(TestChecksum.crc32(entry.extraFields))",
      "\(entry.size) \(entry.compressedSize) \(entry.crc32) \(entry.method.rawValue)",
      "\(entry.modified) \(entry.unixMode ?? 0) \(entry.centralHeaderOffset)",
    ]
  }

  @Test func `tells the same of entries in any order`() throws {
    let (held, long) = try open(ZipBuilder(Self.entries).bytes())
    try #require(held.entries.count == Self.entries.count)
    try #require(long.entries.count == Self.entries.count)
    #expect(long.directorySize == held.directorySize)
    #expect(long.problems == held.problems)
    let orders = [
      Array(held.entries.indices), held.entries.indices.reversed(),
      held.entries.indices.map { $0 * 7919 % held.entries.count },
    ]
    for order in orders {
      for index in order {
        #expect(told(long.entries[index]) == told(held.entries[index]))
      }
    }
    #expect(Array(long.inspect()) == Array(held.inspect()))
    #expect(Array(long.nameProblems()) == Array(held.nameProblems()))
  }

  @Test(arguments: [
    ["d1/f15"], ["d1/f15", "ä3", "long"], ["d*"], ["ä*", "t1?"], ["D1/F15"], ["none"], [],
    [String(repeating: "n", count: 60_000)], ["t4"], ["f1"],
  ])
  func `finds the same by patterns`(patterns: [String]) throws {
    let (held, long) = try open(ZipBuilder(Self.entries).bytes())
    for ignoresCase in [false, true] {
      let members = patterns.map { NamePattern($0, ignoresCase: ignoresCase) }
      let out = [NamePattern("d1/f1*"), NamePattern("nothing")]
      let expected = held.entries.filter { entry in
        (members.isEmpty || members.contains { $0.matches(entry.name) })
          && !out.contains { $0.matches(entry.name) }
      }
      for archive in [held, long] {
        let found = EntrySelection(archive, members: members, excluded: out)
        #expect(found.map(\.index) == expected.map(\.index))
        #expect(
          found.unmatched
            == members.filter { member in !held.entries.contains { member.matches($0.name) } })
        #expect(found.unused.contains { $0.text == "nothing" })
      }
    }
  }

  @Test(arguments: [ExtractionOptions.Duplicates.last, .rename])
  func `puts the same in place`(duplicates: ExtractionOptions.Duplicates) async throws {
    let (held, long) = try open(ZipBuilder(Self.entries).bytes())
    var options = ExtractionOptions()
    options.duplicates = duplicates
    let first = try await held.extract(to: folder.path("held"), options: options)
    let second = try await long.extract(to: folder.path("long"), options: options)
    #expect(first.outcomes.map(\.status) == second.outcomes.map(\.status))
    #expect(first.outcomes.map(\.path) == second.outcomes.map(\.path))
    for outcome in first.outcomes where outcome.status == .done {
      let path = try #require(outcome.path)
      #expect(try folder.read("held/\(path)") == folder.read("long/\(path)"))
    }
    let test = try await long.verify()
    #expect(test.count(of: .failed) == 0)
  }

  @Test func `goes no further than its headers, whatever size is declared`() throws {
    let builder = ZipBuilder(Self.entries)
    for change in [-2000, 46] {
      var builder = builder
      builder.end = { $0.size = UInt32(Int($0.size) + change) }
      let (held, long) = try open(builder.bytes(), "\(change).zip")
      #expect(long.entries.count == held.entries.count)
      #expect(long.problems == held.problems)
    }
  }

  @Test(arguments: 0..<4) func `tells the same of damage`(seed: Int) throws {
    let builder = ZipBuilder(Self.entries.suffix(24) + Self.entries.prefix(24))
    let sound = builder.bytes()
    let start = try Int(ZipArchive(bytes: sound).directoryOffset)
    var generator = SeededRandom(seed: UInt64(seed))
    func random(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
    for round in 0..<20 {
      var bytes = sound
      for _ in 0...random(4) {
        // Half of the changes are near the end, where the records are.
        let place = random(2) == 0 ? sound.count - 1 - random(80) : start + random(4000)
        bytes[place] = UInt8(random(256))
      }
      if random(8) == 0 { bytes.removeLast(random(30)) }
      let path = try folder.write("\(round).zip", bytes)
      func told(_ most: Int) -> [[String]] {
        do {
          let archive = try ZipArchive(source: FileSource(path: path), holding: most)
          let found = EntrySelection(archive, members: [NamePattern("d*")], excluded: [])
          return archive.entries.map { self.told($0) }
            + [archive.problems.map(\.description), archive.inspect().map(\.description)]
            + [found.map { "\($0.index)" }]
        } catch {
          return [["\(error)"]]
        }
      }
      #expect(told(0) == told(1 << 30), "round \(round)")
    }
  }

  // MARK: Files that change

  private static let many: [ZipBuilder.Entry] = (0..<12_000).map {
    ZipBuilder.Entry("name\($0 + 10_000)abcdefghijklmnopqrstuvwxyz", "x")
  }

  /// Changes every name in the directory of an archive that is open.
  private static func spoil(_ path: String, _ bytes: [UInt8], from start: Int) throws {
    var bytes = bytes
    let name = Array("name".utf8)
    var place = start
    while place + 50 < bytes.count {
      if bytes[place] == 0x50, bytes[(place + 46)..<(place + 50)].elementsEqual(name) {
        bytes.replaceSubrange((place + 46)..<(place + 50), with: Array("../e".utf8))
      }
      place += 1
    }
    try FileDescriptor.open(path, .writeOnly).write(bytes)
  }

  @Test func `puts nothing outside when names change meanwhile`() async throws {
    let bytes = ZipBuilder(Self.many).bytes()
    let path = try folder.write("a.zip", bytes)
    let archive = try ZipArchive(source: FileSource(path: path), holding: 0)
    try FileSystem.makeDirectory(folder.path("in"))
    _ = try folder.write("in/name10000abcdefghijklmnopqrstuvwxyz", [])
    let start = Int(archive.directoryOffset)
    let isSpoilt = Mutex(false)
    var options = ExtractionOptions()
    options.jobs = 1
    options.existing = .ask { _ in
      isSpoilt.withLock { isSpoilt in
        isSpoilt = (try? Self.spoil(path, bytes, from: start)) != nil
      }
      return .skip
    }
    let report = try await archive.extract(to: folder.path("in"), options: options)
    #expect(isSpoilt.withLock { $0 })
    #expect(report.count(of: .failed) > 0)
    #expect(try FileSystem.names(in: folder.path).sorted() == ["a.zip", "in"])
  }

  @Test func `tells of entries that are gone`() async throws {
    let bytes = ZipBuilder(Self.many).bytes()
    let path = try folder.write("a.zip", bytes)
    let archive = try ZipArchive(source: FileSource(path: path), holding: 0)
    try FileDescriptor.open(path, .writeOnly).truncate(to: archive.directoryOffset)
    let entry = archive.entries[11_000]
    #expect(entry.name.isEmpty)
    #expect(entry.extraFields.isEmpty)
    #expect(throws: ZipError.self) { try entry.contents() }
    // They are among those asked for, so that somebody hears of them.
    let found = EntrySelection(archive, members: [NamePattern("no")], excluded: [])
    #expect(found.count == 12_000)
    let report = try await archive.extract(to: folder.path("out"))
    #expect(report.count(of: .refused) + report.count(of: .failed) == 12_000)
    #expect(report.outcome(of: 11_000).problems.map(\.code) == [.directoryDamaged])
    let test = try await archive.verify()
    #expect(test.count(of: .failed) == 12_000)
  }
}
