import Synchronization
import TestSupport
import Testing
import ZipKitCore

/// Archives with more problems than are kept.
@Suite("very many problems") struct ProblemTests {
  private static let count = 10_050
  /// Each entry's checksum is another.
  private static let damaged = ZipBuilder(
    (0..<count).map { number in
      ZipBuilder.Entry("f\(number)", "x").with { $0.central = { $0.crc ^= 1 } }
    }
  ).bytes()

  private func verify(
    _ bytes: [UInt8], jobs: Int
  ) async throws -> (report: ExtractionReport, told: [ExtractionReport.Outcome]) {
    var options = ExtractionOptions()
    options.jobs = jobs
    let told = Mutex<[ExtractionReport.Outcome]>([])
    let report = try await ZipArchive(bytes: bytes).verify(options: options) { outcome in
      told.withLock { $0.append(outcome) }
    }
    return (report, told.withLock { $0 })
  }

  @Test(arguments: [1, 2, 4])
  func `the first are kept, whoever finds them, and all are counted`(jobs: Int) async throws {
    let (report, told) = try await verify(Self.damaged, jobs: jobs)
    let problems = report.allProblems
    #expect(problems.map(\.entryIndex) == (0..<10_000).map { $0 })
    #expect(problems.allSatisfy { $0.code == .crcMismatch && $0.entry == "f\($0.entryIndex ?? 0)" })
    #expect((problems.total, problems.omitted) == (Self.count, 50))
    #expect(problems.codes == [.crcMismatch])
    #expect(problems.count(of: .crcMismatch) == Self.count)
    #expect(problems.count(of: .overlap) == 0)
    #expect(report.count(of: .failed) == Self.count)
    #expect(told.map(\.entryIndex) == Array(0..<Self.count))
    for outcome in told + report.outcomes {
      #expect(outcome.problems.map(\.code) == [.crcMismatch])
      #expect(outcome.problems.map(\.entryIndex) == [outcome.entryIndex])
      #expect(outcome.isAbridged == (outcome.entryIndex >= 10_000))
    }
  }

  @Test(arguments: [1, 2, 4])
  func `long names count for more`(jobs: Int) async throws {
    let entries = (0..<200).map { number in
      ZipBuilder.Entry("\(number)" + String(repeating: "n", count: 60_000), "x")
        .with { $0.central = { $0.crc ^= 1 } }
    }
    let problems = try await verify(ZipBuilder(entries).bytes(), jobs: jobs).report.allProblems
    #expect((60...80).contains(problems.count))
    #expect(problems.map(\.entryIndex) == (0..<problems.count).map { $0 })
    #expect(problems.total == 200)
  }

  @Test func `problems of names are bounded, and so is an inspection`() throws {
    let entries = (0..<Self.count).map { number in
      ZipBuilder.Entry(number == 10_049 ? "/f" : "../f\(number)", "x")
    }
    let archive = try ZipArchive(bytes: ZipBuilder(entries).bytes())
    for found in [archive.nameProblems(), archive.inspect()] {
      #expect(found.map(\.code) == Array(repeating: .nameEscapes, count: 10_000))
      #expect(found.omitted == 50)
      #expect(found.count(of: .nameEscapes) == 10_049)
      #expect(found.codes == [.nameAbsolute, .nameEscapes])
    }
    #expect(archive.nameProblems().problems(ofEntry: 9_999).isAbridged == false)
    let last = archive.nameProblems().problems(ofEntry: 10_049)
    #expect(last.isAbridged)
    #expect(last.problems.map(\.code) == [.nameAbsolute])
  }

  @Test func `those of planning and of reading stand together, in order`() async throws {
    let entries = (0..<Self.count).map { number in
      ZipBuilder.Entry(number % 2 == 0 ? "../f\(number)" : "f\(number)", "x")
        .with { $0.central = { $0.crc ^= 1 } }
    }
    let directory = try TemporaryDirectory()
    let report = try await ZipArchive(bytes: ZipBuilder(entries).bytes())
      .extract(to: directory.path("out"))
    let problems = report.allProblems
    #expect(problems.map(\.entryIndex) == (0..<10_000).map { $0 })
    #expect(problems.count(of: .nameEscapes) == Self.count / 2)
    #expect(problems.count(of: .crcMismatch) == Self.count / 2)
    #expect(report.outcome(of: 10_048).problems.map(\.code) == [.nameEscapes])
    #expect(report.outcome(of: 10_049).problems.map(\.code) == [.crcMismatch])
  }
}
