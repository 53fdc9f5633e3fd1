import InfoZipForms
import TestSupport
import Testing
import ZipKitCore

@Suite("what is said of outcomes") struct OutcomeTests {
  private func archive(_ entries: [ZipBuilder.Entry]) throws -> ZipArchive {
    try ZipArchive(bytes: ZipBuilder(entries).bytes())
  }

  // MARK: Tests

  struct Verdict: Sendable {
    var entries: [ZipBuilder.Entry]
    var isSelective = false
    var other = UnzipStatus.success
    var status: UInt8
    var lines: [String]
  }

  static let good = ZipBuilder.Entry("a", "1")
  static let damaged = ZipBuilder.Entry("b", "2").with { $0.central = { $0.crc ^= 1 } }
  static let unknown = ZipBuilder.Entry("c", "3", method: 97)
  static let locked = ZipBuilder.Entry("d", "123456789012345").with { $0.flags = 1 }

  static let verdicts: [Verdict] = [
    .init(entries: [good], status: 0, lines: ["No errors detected in compressed data of x."]),
    .init(
      entries: [good], isSelective: true, status: 0,
      lines: ["No errors detected in x for the 1 file tested."]),
    .init(
      entries: [good, damaged], status: 2, lines: ["At least one error was detected in x."]),
    .init(
      entries: [good], other: .warning, status: 0,
      lines: ["At least one warning-error was detected in x."]),
    .init(
      entries: [good, unknown, unknown], status: 81,
      lines: [
        "No errors detected in x for the 1 file tested.",
        "2 files skipped because of unsupported compression or encoding.",
      ]),
    .init(
      entries: [unknown], status: 81,
      lines: [
        "Caution:  zero files tested in x.",
        "1 file skipped because of unsupported compression or encoding.",
      ]),
    // Without ciphers a password is of no use.
    .init(
      entries: [good, locked], status: 81,
      lines: [
        "No errors detected in x for the 1 file tested.",
        "1 file skipped because of unsupported compression or encoding.",
      ]),
  ]

  @Test(arguments: verdicts)
  func `a test ends with a verdict, and what it left out`(row: Verdict) async throws {
    let report = try await archive(row.entries).verify()
    #expect(report.unzipStatus.code == row.status)
    let verdict = TestVerdict(report, status: row.other, isSelective: row.isSelective)
    #expect(verdict.lines("x") == row.lines)
  }

  static let tested: [(ZipBuilder.Entry, String)] = [
    (good, "    testing: a                        OK"),
    (damaged, "    testing: b                        crc-mismatch"),
    (unknown, "   skipping: c                       unsupported compression method 97"),
    (locked, "    testing: d                        encryption-unsupported"),
  ]

  @Test(arguments: tested)
  func `a tested entry has a line`(entry: ZipBuilder.Entry, line: String) async throws {
    let archive = try archive([entry])
    let outcome = try await archive.verify().outcome(of: 0)
    let first = try #require(archive.entries.first)
    #expect(EntryLine.tested(first, first.name, outcome) == line)
  }

  // MARK: Lines

  static let written: [(ZipBuilder.Entry, marks: Bool, line: String)] = [
    (good, false, " extracting: a                       "),
    (good, true, " extracting: a                       [binary]"),
    (.init("e"), true, " extracting: e                       [empty] "),
    (.init("f", "1", method: 8), false, "  inflating: f                       "),
    (.init("g", "1", method: 6), false, "  exploding: g                       "),
    (.init("h", "1", method: 1), false, "unshrinking: h                       "),
    (.init("i", "1", method: 12), false, " bunzipping: i                       "),
    (
      .init("t", "1").with { $0.central = { $0.internalAttributes = 1 } }, true,
      " extracting: t                       [text]  "
    ),
  ]

  @Test(arguments: written)
  func `a written entry has a line with its verb`(
    entry: ZipBuilder.Entry, marks: Bool, line: String
  ) throws {
    let first = try #require(try archive([entry]).entries.first)
    #expect(EntryLine.writing(first, first.name, marks: marks) == line)
  }

  @Test func `a link has a line now and one in the end`() {
    let (now, later) = EntryLine.linking("l", to: "t")
    #expect(now == "    linking: l                       -> t ")
    #expect(later == "  l                      -> t")
  }

  // MARK: Several archives

  @Test func `outcomes of several archives are counted by kind`() {
    var tally = ArchiveTally()
    #expect(tally.status == .success)
    tally.append(.success)
    #expect(tally.lines.isEmpty)
    for status in [UnzipStatus.success, .warning, .noArchive, .error, .unsupported] {
      tally.append(status)
    }
    #expect(
      tally.lines == [
        "", "2 archives were successfully processed.",
        "1 archive had warnings but no fatal errors.",
        "2 archives had fatal errors.", "1 file had no zipfile directory.",
      ])
    #expect(tally.status == .unsupported)
  }

  @Test func `every status has its number and a meaning`() {
    #expect(
      UnzipStatus.meanings.map(\.status.code) == [0, 1, 2, 3, 5, 9, 10, 11, 12, 50, 51, 80, 81, 82])
    #expect(!UnzipStatus.meanings.contains { $0.meaning.isEmpty })
  }

  // MARK: Small letters

  static let conversions: [(UInt16, ExtractionOptions.Lowercasing, String)] = [
    (0, .none, "   NAME\n"), (0, .fromDOS, "  ^name\n"), (0, .all, "  ^name\n"),
    (3, .fromDOS, "   NAME\n"), (3, .all, "  ^name\n"),
  ]

  @Test(arguments: conversions)
  func `names in small letters are marked`(
    host: UInt16, rule: ExtractionOptions.Lowercasing, end: String
  ) throws {
    let entry = ZipBuilder.Entry("NAME", "1").with {
      $0.central = { $0.versionMadeBy = host << 8 | 20 }
    }
    let first = try #require(try archive([entry]).entries.first)
    for isVerbose in [false, true] {
      var listing = TableListing(isVerbose: isVerbose, lowercases: rule)
      var output: [UInt8] = []
      listing.append(first, name: first.name, to: &output)
      let line = String(decoding: output, as: UTF8.self)
      #expect(line.hasSuffix(isVerbose ? String(end.dropFirst()) : end))
      #expect(listing.head.contains("(\"^\" ==> case") == (rule != .none))
    }
  }
}
