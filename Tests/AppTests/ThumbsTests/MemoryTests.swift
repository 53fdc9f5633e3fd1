import PdfThumbCore
import SystemIO
import TestSupport
import Testing

/// What a whole run takes, this program and its workers together.
@Suite("thumbs, and its memory", .serialized) struct MemoryTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The most that a run had at once, looked at some sixty times a second.
  private func peak(
    _ arguments: [String]
  ) async throws -> (all: UInt64, own: UInt64, ending: ChildProcess.Ending, errors: String) {
    let program = try RunningProgram("thumbs", arguments)
    let finished = Task { try await program.finish() }
    var most = (all: UInt64(0), own: UInt64(0))
    while true {
      let now = MemoryPeak.family(of: program.id)
      guard now.own > 0 || most.own == 0 else { break }
      most = (max(most.all, now.all), max(most.own, now.own))
      try await Task.sleep(for: .milliseconds(15))
    }
    return (most.all, most.own, try await finished.value, program.errorText)
  }

  /// What the run may take: 64 MiB, and 96 MiB a worker.
  private func expectBounded(_ path: String, jobs: Int) async throws {
    let out = folder.path("out-\(jobs)")
    let run = try await peak(["-q", "--jobs", "\(jobs)", "-o", out, path])
    #expect(run.ending == .exited(status: 0), "\(run.errors)")
    // As much as nothing would mean that nothing was looked at.
    #expect(run.all > 20 << 20)
    #expect(run.all <= UInt64(64 + 96 * jobs) << 20, "\(run.all >> 20) MiB with \(jobs) workers")
    #expect(run.own <= 64 << 20, "\(run.own >> 20) MiB")
  }

  /// 800 pages whose streams take 16 MB expanded, so that they are drawn from a copy.
  @Test(arguments: [1, 2])
  func `a long document is drawn, and expanded, within bounds`(jobs: Int) async throws {
    let lines = (0..<300).map { line in
      "BT /F1 2 Tf 1 0 0 1 20 \(line) Tm (line \(line) of words and words, one page of many) Tj ET"
    }
    let content = Array(lines.joined(separator: "\n").utf8)
    let packed = try #require(Zlib.compress(content, level: 6))
    let count = 800
    var builder = PDFBuilder(
      pages: (0..<count).map { .init(contentObject: 10_000 + $0) })
    for page in 0..<count {
      builder.objects[10_000 + page] = PDFBuilder.stream("/Filter /FlateDecode", packed)
    }
    try await expectBounded(try folder.write("d.pdf", builder.build()), jobs: jobs)
  }

  @Test(
    .enabled(if: Corpus.folder != nil, "\(Corpus.absence)"),
    arguments: [("/manual-text-", 1), ("/scan-jpeg-mixed", 1), ("/scan-jpeg-mixed", 2)])
  func `the longest documents of the corpus are drawn within bounds`(
    name: String, jobs: Int
  ) async throws {
    for path in Corpus.files(below: "pdfs/bench", suffix: ".pdf") where path.contains(name) {
      try await expectBounded(path, jobs: jobs)
    }
  }
}
