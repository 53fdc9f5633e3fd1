import Glibc
import PdfThumbCore
import SystemIO
import TestSupport
import Testing

/// Workers that are forked from a process made at the start of a program.
@Suite struct `The launcher` {
  /// What the probe prints as the parent of forked workers.
  private func lines(_ words: String..., environment: [String] = []) async throws -> [String] {
    try await OwnedThread.run(named: "launch") {
      let parent = try Probe.parent(["launch"] + words, environment: environment)
      return try parent.lines()
    }
  }

  /// Under a sanitizer a limit on address space is none: it would hit the sanitizer's own.
  @Test(
    arguments: [
      ("crash", "crashed signal 31"), ("abort", "crashed signal 6"), ("trap", "crashed signal 11"),
      ("exit", "crashed exit status 3"), ("grow", "limitExceeded"), ("flood", "limitExceeded"),
      ("lie", "crashed"), ("refuse", "pageMissing"),
    ].filter { $0.0 != "grow" || !Sanitizer.isOn })
  func `a page that ends its forked worker costs that page`(
    deed: String, fate: String
  ) async throws {
    let lines = try await lines("fates", deed)
    try #require(lines.count == 4)
    #expect(lines[0] == "launcher")
    #expect(lines[1] == "10 drawn")
    #expect(lines[2].hasPrefix("11 \(fate)"), "\(lines[2])")
    #expect(lines[3] == "20 drawn")
  }

  @Test(arguments: ["socket", "process", "signal", "thread"])
  func `a forked worker that tries a socket, a process, a signal or a thread is killed`(
    deed: String
  ) async throws {
    try #require(SandboxReport.offered.hasSystemCallFilter)
    #expect(try await lines("fates", deed).dropFirst(2).first == "11 crashed signal 31")
  }

  @Test(arguments: [("open-file", EACCES), ("write-file", ENOSYS)])
  func `a forked worker cannot open a file`(deed: String, denied: Int32) async throws {
    try #require(SandboxReport.offered.landlockVersion > 0)
    #expect(
      try await lines("fates", deed).dropFirst(2).first
        == "11 crashed exit status 9: result \(denied)")
  }

  @Test func `a forked worker has its own four descriptors and no other`() async throws {
    #expect(
      try await lines("fates", "descriptors").dropFirst(2).first
        == "11 crashed exit status 9: result 15")
  }

  @Test(arguments: [(["COURIER_SECRET=hush", "LANG=C"], 0), (["LANG=C"], 0)])
  func `a forked worker does not find a secret of the environment in its memory`(
    environment: [String], found: Int
  ) async throws {
    #expect(
      try await lines("fates", "secret", environment: environment).dropFirst(2).first
        == "11 crashed exit status 9: result \(found)")
  }

  @Test func `workers and launcher that are lost are replaced`() async throws {
    #expect(
      try await lines("losses") == [
        "launcher", "same worker true", "11 crashed signal 9", "next worker true true",
        "11 crashed signal 9", "without launcher true true", "children 1",
      ])
  }

  @Test func `a process with several threads gets no launcher`() {
    #expect(!ThumbnailWorker.startLauncher())
  }
}
