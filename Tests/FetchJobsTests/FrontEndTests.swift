import Dialogue
import FetchJobs
import NetworkCore
import ProgressReporting
import SystemIO
import TestSupport
import Testing

/// The whole of `fetch` through a front end that is no terminal, beside what the program does on one.
@Suite("fetch through another front end") struct FrontEndTests {
  let folder: TemporaryDirectory
  let server: FaultServer

  private static let body = [UInt8](repeating: 7, count: 1_000_000)

  init() throws {
    folder = try TemporaryDirectory()
    for side in ["ours", "theirs"] { try folder.write("\(side)/there", text: "old") }
    server = try FaultServer { Self.answer($0) }
  }

  private static func answer(_ request: FaultServer.Request) -> [FaultServer.Step] {
    switch request.path {
    case "/moved": [.text("HTTP/1.1 302 There\nLocation: /file?sig=t0p\nContent-Length: 0\n\n")]
    case "/none": [.text("HTTP/1.1 404 No\nContent-Length: 0\n\n")]
    case "/torn":
      [
        .text("HTTP/1.1 200 OK\nContent-Length: \(body.count)\nETag: \"v\"\n\n"),
        .send(Array(body.prefix(600_000))), .close,
      ]
    case "/open": [.text("HTTP/1.0 200 OK\n\nno length"), .close]
    case "/a.zip": whole(ZipBuilder([.init("a", "1"), .init("d/b", "22")]).bytes())
    case "/bad.zip":
      whole(
        ZipBuilder([.init("a", "1"), .init("b", "2").with { $0.central = { $0.crc = 9 } }]).bytes())
    default: whole(Array("the file\n".utf8))
    }
  }

  private static func whole(_ bytes: [UInt8]) -> [FaultServer.Step] {
    [.text("HTTP/1.1 200 OK\nContent-Length: \(bytes.count)\nETag: \"v\"\n\n"), .send(bytes)]
  }

  /// Options, paths on the server, and what makes a request the same.
  typealias Case = (
    arguments: [String], paths: [String], change: @Sendable (inout FetchRequest) -> Void
  )

  static let cases: [Case] = [
    ([], ["/file"], { _ in }), ([], ["/file", "/moved", "/none"], { $0.jobs = 1 }),
    ([], ["/there"], { _ in }),
    (["--existing", "skip"], ["/there"], { $0.options.existing = .skip }),
    ([], ["/open"], { _ in }), (["--retry", "1"], ["/torn"], { $0.options.retryLimit = 1 }),
    (["--dry-run"], ["/moved", "/none", "/there"], { $0.action = .plan }),
    (["--max-size", "3"], ["/file"], { $0.options.sizeLimit = 3 }),
    (["--checksum-file", "none"], ["/file"], { $0.checksumFile = "none" }),
  ]

  @Test(arguments: cases.indices, [false, true])
  func `tells what the program tells`(number: Int, isJSON: Bool) async throws {
    let (arguments, paths, change) = Self.cases[number]
    try await compare(["-j", "1"] + arguments, paths, isJSON) {
      $0.jobs = 1
      change(&$0)
    }
  }

  @Test(arguments: [["/a.zip"], ["/bad.zip", "/a.zip"], ["/none"], ["/file"]], [false, true])
  func `delivers what the program delivers`(paths: [String], isJSON: Bool) async throws {
    try await compare(["--extract", "DIR"], paths, isJSON) {
      $0.action = .extract(into: folder.path("ours"))
    }
  }

  @Test(arguments: [false, true])
  func `finds and removes the parts that the program finds`(isJSON: Bool) async throws {
    try await compare(["--retry", "0"], ["/torn"], isJSON) { $0.options.retryLimit = 0 }
    #expect(try tree("ours").contains { $0.hasPrefix("torn.part.journal") })
    try await compare(["--parts"], [], isJSON) { $0.action = .listParts }
    try await compare(["--sweep=1h"], [], isJSON) { $0.action = .sweep(olderThan: .seconds(3600)) }
    #expect(try tree("ours").count == 3)
    try await compare(["--sweep"], [], isJSON) { $0.action = .sweep(olderThan: .zero) }
    #expect(try tree("ours") == ["there 3"])
  }

  @Test func `a job that is cancelled says so to programs only`() async throws {
    let frontEnd = MemoryFrontEnd(name: "fetch")
    frontEnd.cancellation.cancel()
    var request = FetchRequest()
    request.urls = [server.url("/file")]
    request.target = .directory(folder.path("ours"))
    await #expect(throws: CancellationError.self) {
      try await FetchJob(request, through: frontEnd).run()
    }
    #expect(frontEnd.errors.isEmpty)
    #expect(try tree("ours") == ["there 3"])
  }

  // MARK: Comparing

  private func compare(
    _ arguments: [String], _ paths: [String], _ isJSON: Bool,
    _ change: (inout FetchRequest) -> Void
  ) async throws {
    let urls = paths.map { server.url($0) }
    var request = FetchRequest()
    request.urls = urls
    request.directory = folder.path("ours")
    request.target = .directory(request.directory)
    request.isJSON = isJSON
    change(&request)
    let frontEnd = MemoryFrontEnd(name: "fetch")
    let failure = try await FetchJob(request, through: frontEnd).run()

    let theirs = folder.path("theirs")
    let ended = try await BuiltProgram.run(
      "fetch",
      arguments.map { $0 == "DIR" ? theirs : $0 } + (isJSON ? ["--json"] : []) + ["-d", theirs]
        + urls)
    #expect(ended.status == failure?.exitStatus ?? 0)
    #expect(steady(frontEnd.output) == steady(ended.output))
    #expect(steady(frontEnd.errors) == steady(ended.errors))
    #expect(try tree("ours") == tree("theirs"))
  }

  /// The lines without what time and chance decide.
  private func steady(_ text: String) -> [String] {
    text.replacing(folder.path("theirs"), with: folder.path("ours"))
      .replacing(#/"(age|wait|pid|allocated)":[0-9.e-]+/#, with: "")
      .replacing(#/[0-9]+:[0-9]+ old|follows in [0-9.]+ s/#, with: "")
      .split(separator: "\n").map(String.init).filter { !$0.contains(#""event":"progress""#) }
  }

  private func tree(_ place: String) throws -> [String] {
    try FileSystem.names(in: folder.path(place)).sorted().flatMap { name -> [String] in
      let path = "\(place)/\(name)"
      let status = try FileSystem.status(folder.path(path))
      if status.kind == .directory { return try tree(path).map { "\(name)/\($0)" } }
      // How often a journal was written to depends on how the bytes came.
      return [name.hasSuffix(".journal") ? name : "\(name) \(status.size)"]
    }
  }
}
