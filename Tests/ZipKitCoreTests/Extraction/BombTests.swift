import SystemIO
import Testing
import TestSupport
import ZipKitCore

@Suite("bombs and limits") struct BombTests {
  private func verify(
    _ entries: [ZipBuilder.Entry], _ change: (inout ExtractionOptions) -> Void = { _ in }
  ) async throws -> ExtractionReport {
    var options = ExtractionOptions()
    change(&options)
    return try await ZipArchive(bytes: ZipBuilder(entries).bytes()).verify(options: options)
  }

  @Test func `entries of one body under different names are refused`() async throws {
    let report = try await verify([
      .init("a", "body"), .init("b", "body").with { $0.isCentralOnly = true },
      .init("c", "body").with { $0.isCentralOnly = true }, .init("d", "own"),
    ])
    #expect(report.count(of: .done) == 2)
    #expect(report.allProblems.map(\.code) == [.overlap, .overlap])
  }

  @Test func `an entry that quotes the next one is refused`() async throws {
    // The first entry's data are said to reach over the second's header.
    let report = try await verify([
      .init("a", "body").with {
        $0.central = { fields in (fields.compressedSize, fields.size) = (40, 40) }
      },
      .init("b", "body"),
    ])
    #expect(report.outcome(of: 0).problems.map(\.code) == [.overlap])
    #expect(report.outcome(of: 1).status == .done)
  }

  @Test func `an overlap that only the local header shows is refused`() async throws {
    // The local extra field pushes the data into the next entry.
    let report = try await verify([
      .init("a", "body").with { $0.local = { $0.extraLength = 10 } }, .init("b", "body"),
    ])
    #expect(report.outcome(of: 0).status == .failed)
    #expect(report.outcome(of: 1).status == .done)
  }

  @Test func `the same entry listed twice is no bomb`() async throws {
    let directory = try TemporaryDirectory()
    let bytes = ZipBuilder([
      .init("a", "body"), .init("a", "body").with { $0.isCentralOnly = true }, .init("b", "x"),
    ]).bytes()
    let report = try await ZipArchive(bytes: bytes).extract(to: directory.path("t"))
    #expect(report.isComplete)
    #expect(report.allProblems.map(\.code) == [.duplicateName])
  }

  @Test func `entries in any order of offsets are no bomb`() async throws {
    var first = ZipBuilder([.init("a", "12345"), .init("b", "123")]).bytes()
    // The directory lists the entries; swapping its two records leaves the bodies as they are.
    let archive = try ZipArchive(bytes: first)
    let start = Int(archive.directoryOffset)
    let record = 47
    let records = first[start..<(start + 2 * record)]
    first.replaceSubrange(
      start..<(start + 2 * record), with: Array(records.suffix(record)) + records.prefix(record))
    let report = try await ZipArchive(bytes: first).verify()
    #expect(report.isComplete)
    #expect(report.count(of: .done) == 2)
  }

  static let limits: [(@Sendable (inout ExtractionLimits) -> Void, ZipError.Code)] = [
    ({ $0.totalSize = 3_999_999 }, .limitSize), ({ $0.ratio = 100 }, .limitRatio),
    ({ $0.files = 1 }, .limitFiles),
  ]

  @Test(arguments: limits.indices)
  func `a limit is held before anything is written`(number: Int) async throws {
    let (change, code) = Self.limits[number]
    let zeros = [UInt8](repeating: 0, count: 2_000_000)
    let entries = [
      ZipBuilder.Entry(bytes: [97], zeros, method: 8), .init(bytes: [98], zeros, method: 8),
    ]
    await #expect {
      _ = try await verify(entries) { change(&$0.limits) }
    } throws: { ($0 as? ZipError)?.code == code }
    #expect(try await verify(entries).isComplete)
  }

  @Test func `sizes whose sum has no number are over every limit`() async throws {
    var sizes: [UInt8] = []
    sizes.put(UInt64(1) << 63)
    let huge = ZipBuilder.extra(1, sizes)
    let entries = ["a", "b"].map { name in
      ZipBuilder.Entry(name, "x").with {
        $0.central = { ($0.size, $0.extra) = (0xffff_ffff, huge) }
      }
    }
    await #expect {
      _ = try await verify(entries) { $0.limits.totalSize = 1000 }
    } throws: { ($0 as? ZipError)?.code == .limitSize }
    let directory = try TemporaryDirectory()
    var options = ExtractionOptions()
    options.limits.totalSize = 1000
    await #expect {
      _ = try await ZipArchive(bytes: ZipBuilder(entries).bytes())
        .extract(to: directory.path("t"), options: options)
    } throws: { ($0 as? ZipError)?.code == .limitSize }
  }

  @Test func `an entry of a high ratio is refused among others of low ones`() async throws {
    let zeros = [UInt8](repeating: 0, count: 2_000_000)
    let report = try await verify([
      .init(bytes: [97], zeros, method: 8), .init(bytes: [98], zeros),
      .init(bytes: [99], Array(zeros.prefix(1 << 20)), method: 8),
    ]) { $0.limits.ratio = 100 }
    #expect(report.outcomes.map { $0.problems.map(\.code) } == [[.limitRatio], [], []])
    let directory = try TemporaryDirectory()
    var options = ExtractionOptions()
    options.limits.ratio = 100
    let extracted = try await ZipArchive(
      bytes: ZipBuilder([.init(bytes: [97], zeros, method: 8), .init(bytes: [98], zeros)]).bytes()
    ).extract(to: directory.path("t"), options: options)
    #expect(extracted.outcomes.map(\.status) == [.refused, .done])
    #expect(try FileSystem.names(in: directory.path("t")) == ["b"])
  }

  @Test func `directories that only names tell of count as files`() async throws {
    let directory = try TemporaryDirectory()
    let archive = try ZipArchive(
      bytes: ZipBuilder([.init(String(repeating: "d/", count: 99) + "f", "1")]).bytes())
    var options = ExtractionOptions()
    options.limits.files = 99
    await #expect {
      _ = try await archive.extract(to: directory.path("t"), options: options)
    } throws: { ($0 as? ZipError)?.code == .limitFiles }
    options.limits.files = 100
    #expect(try await archive.extract(to: directory.path("t"), options: options).isComplete)
  }

  @Test func `an entry ends one byte after its declared size`() async throws {
    let zeros = [UInt8](repeating: 0, count: 3_000_000)
    let report = try await verify([
      .init(bytes: [97], zeros, method: 8).with { $0.central = { $0.size = 1000 } }
    ])
    #expect(report.allProblems.map(\.code) == [.sizeMismatch])
    #expect(report.bytes == 0)
  }
}
