import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("fetch --json")
struct EventTests {
  /// The fields of each event, as the documentation lists them.
  static let fields: [String: [String]] = [
    "started": ["version", "url"],
    "redirected": ["url", "to", "status"],
    "response": ["url", "status", "total", "resumed_at", "path"],
    "segment": ["url", "start", "end", "connections"],
    "retrying": ["url", "attempt", "wait", "code", "message"],
    "switched": ["url", "to", "code", "message"],
    "mending": ["url", "bytes", "code", "message"],
    "progress": [
      "url", "unit", "completed", "total", "fraction", "per_second", "seconds_left", "seconds",
    ],
    "verified": ["url", "path", "check"],
    "finished": [
      "url", "path", "bytes", "resumed", "wire", "requests", "connections", "length_verified",
      "skipped",
    ],
    "kept": ["url", "part", "bytes"],
    "left": ["url", "path", "errno", "message"],
    "failed": [
      "url", "code", "name", "domain", "curl", "errno", "status", "phase", "retryable", "message",
    ],
  ]

  private func expectDocumented(_ output: String) {
    for line in lines(output) {
      let event = field("event", line) ?? ""
      #expect(fieldNames(line) == ["event"] + (Self.fields[event] ?? ["?"]), "\(line)")
    }
  }

  private func slowed(
    _ steps: [FaultServer.Step], until isSo: @escaping @Sendable () -> Bool
  ) -> [FaultServer.Step] {
    guard case .send(let bytes)? = steps.last else { return steps }
    let half = bytes.count / 4
    return steps.dropLast() + [
      .send(Array(bytes[..<half])), .until(isSo), .send(Array(bytes[half...])),
    ]
  }

  /// What was told, without what only a slow machine has the time for.
  private func told(_ output: String) -> [String] {
    lines(output).filter { field("event", $0) != "progress" }
  }

  private func events(_ output: String) -> [String] {
    told(output).compactMap { field("event", $0) }
  }

  @Test func `tells of redirect, answer, check and end`() async throws {
    let world = try FetchWorld { request in
      guard request.path == "/old" else { return nil }
      return [.text("HTTP/1.1 307 There\nLocation: /new?token=t0p\nContent-Length: 0\n\n")]
    }
    let ended = try await world.run("--json", "-d", world.folder.path, world.server.url("/old"))
    #expect(ended.status == 0)
    #expect(ended.errors.isEmpty)
    expectDocumented(ended.output)
    #expect(events(ended.output) == ["started", "redirected", "response", "verified", "finished"])
    let all = told(ended.output)
    #expect(field("version", all[0]) == "1")
    #expect(field("status", all[1]) == "307")
    #expect(!ended.output.contains("t0p"))
    #expect(field("total", all[2]) == "9")
    #expect(field("check", all[3]) == "length")
    #expect(field("path", all[4]) == world.folder.path("new"))
    #expect(try world.folder.read("new") == world.body)
  }

  @Test func `tells of attempts, segments and where a part is taken up`() async throws {
    let body = pattern(9 << 20)
    let others = Counter()
    let world = try FetchWorld(body) { request in
      if request.number > 2 { others.increment() }
      return switch request.number {
      case 0: [.text("HTTP/1.1 503 Later\nRetry-After: 0\nContent-Length: 0\n\n")]
      case 1: FetchWorld.stuck(body, after: 2 << 20).dropLast() + [.reset]
      // Long enough for others to be given a part of the rest.
      case 2: slowed(FetchWorld.serve(body, request)) { others.count > 0 }
      default: nil
      }
    }
    let ended = try await world.run(
      "--json", "-n", "3", "-d", world.folder.path, world.server.url("/f"))
    #expect(ended.status == 0, "\(ended.output)")
    expectDocumented(ended.output)
    let seen = Set(events(ended.output))
    #expect(seen.isSuperset(of: ["started", "retrying", "response", "segment", "finished"]))
    let retry = lines(ended.output).first { field("event", $0) == "retrying" } ?? ""
    #expect(field("code", retry) == "-1008")
    #expect(Double(field("wait", retry) ?? "").map { $0 >= 0 && $0 <= 60 } == true)
    #expect(try world.folder.read("f") == body)
  }

  @Test func `tells how far it is, and what stays when it is stopped`() async throws {
    let body = pattern(1_000_000)
    let world = try FetchWorld(body) { _ in FetchWorld.stuck(body, after: 600_000) }
    let program = try RunningProgram(
      "fetch", ["--json", "-d", world.folder.path, world.server.url("/f")])
    try await program.waitFor("\"event\":\"progress\"")
    try await program.waitFor("\"completed\":600000")
    try program.send(.interrupt)
    #expect(try await program.finish() == .signalled(2))
    expectDocumented(program.outputText)
    #expect(events(program.outputText).suffix(2) == ["kept", "failed"])
    let all = told(program.outputText)
    #expect(field("part", all[all.count - 2]) == world.folder.path("f.part"))
    #expect(field("code", all.last ?? "") == "-999")
    #expect(field("retryable", all.last ?? "") == "false")
    #expect(program.errorText.isEmpty)
  }

  @Test(arguments: [false, true])
  func `tells of a journal that cannot be removed`(isJSON: Bool) async throws {
    let body = pattern(1_000_000)
    let isReplaced = Atomic<Bool>(false)
    let world = try FetchWorld(body) { _ in
      FetchWorld.stuck(body, after: 600_000).dropLast() + [
        .until { isReplaced.load(ordering: .acquiring) }, .send(Array(body[600_000...])),
      ]
    }
    let journal = world.folder.path("f.part.journal")
    let program = try RunningProgram(
      "fetch",
      ["-n", "1", "-d", world.folder.path] + (isJSON ? ["--json"] : [])
        + [world.server.url("/f")])
    while !FileSystem.exists(journal) { try await Task.sleep(for: .milliseconds(5)) }
    // A directory of its name is nothing that a file's removal takes away.
    try FileSystem.unlink(journal)
    try FileSystem.makeDirectories(journal)
    isReplaced.store(true, ordering: .releasing)
    #expect(try await program.finish() == .exited(status: 0))
    #expect(try world.folder.read("f") == body)
    if isJSON {
      expectDocumented(program.outputText)
      let left = lines(program.outputText).first { field("event", $0) == "left" } ?? ""
      #expect(field("path", left) == journal)
      #expect(field("errno", left) == "21")
    } else {
      #expect(program.errorText.contains("\(journal): warning: expected to remove it, found: "))
    }
  }

  @Test(arguments: [
    ("/none", "404 No", "-1100", "8"), ("/forbidden", "403 No", "-1102", "8"),
    ("/login", "401 No\nWWW-Authenticate: Basic realm=\"r\"", "-1013", "6"),
  ])
  func `tells why it failed`(path: String, status: String, code: String, exit: String) async throws
  {
    let world = try FetchWorld { _ in [.text("HTTP/1.1 \(status)\nContent-Length: 0\n\n")] }
    let ended = try await world.run("--json", "-d", world.folder.path, world.server.url(path))
    #expect("\(ended.status)" == exit)
    expectDocumented(ended.output)
    let failed = lines(ended.output).last ?? ""
    #expect(field("event", failed) == "failed")
    #expect(field("url", failed) == world.server.url(path))
    #expect(field("code", failed) == code)
    #expect(field("status", failed) == String(status.prefix(3)))
    #expect(field("domain", failed) == "NSURLErrorDomain")
    #expect(lines(ended.errors).count == 1)
  }

  @Test func `starts each download it tells the end of`() async throws {
    let world = try FetchWorld()
    try world.folder.write("there", text: "x")
    let ended = try await world.run(
      "--json", "-d", world.folder.path, "-j", "1", world.server.url("/there"), "foo://x/",
      "http://127.0.0.1:99999/")
    #expect(events(ended.output).filter { $0 == "started" }.count == 3)
    #expect(events(ended.output).filter { $0 == "failed" }.count == 3)
    #expect(ended.status == 3)
  }

  @Test func `has no URL where the list itself is at fault`() async throws {
    let ended = try await BuiltProgram.run("fetch", ["--json", "-i", "/no/such/list"])
    #expect(ended.status == 3)
    #expect(field("url", ended.output) == "null")
    #expect(field("errno", ended.output) == "2")
  }
}
