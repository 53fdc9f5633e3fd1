import SystemIO
import TestSupport
import Testing

@Suite("fetch, asked to look only")
struct LookTests {
  private let body = pattern(1_000_000)

  /// A part of 600 kB, left by a download that was stopped.
  private func leavePart(_ world: FetchWorld) async throws {
    let program = try RunningProgram(
      "fetch", ["-q", "-d", world.folder.path, world.server.url("/stuck")])
    try #require(
      try await eventually { (try? world.folder.read("stuck.part").count) ?? 0 >= 600_000 })
    try program.send(.interrupt)
    #expect(try await program.finish() == .signalled(2))
  }

  private func world() throws -> FetchWorld {
    let body = body
    return try FetchWorld(body) { request in
      switch (request.path, request.range?.last) {
      case ("/stuck", nil): FetchWorld.stuck(body, after: 600_000)
      case ("/changed", _), ("/moved", _):
        [.text("HTTP/1.1 302 There\nLocation: /file?sig=t0p\nContent-Length: 0\n\n")]
      case ("/none", _): [.text("HTTP/1.1 404 No\nContent-Length: 0\n\n")]
      case ("/whole", _): FetchWorld.stuck(body, after: 0)
      case ("/empty", _):
        [.text("HTTP/1.1 416 No\nContent-Range: bytes */0\nContent-Length: 0\n\n")]
      default: nil
      }
    }
  }

  private func plan(_ world: FetchWorld, _ arguments: String...) async throws -> [String: String] {
    let before = try world.names
    let ended = try await BuiltProgram.run(
      "fetch", ["--dry-run", "--json", "-d", world.folder.path] + arguments)
    #expect(try world.names == before, "nothing is written")
    #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
    let line = lines(ended.output).first ?? ""
    #expect(field("event", line) == "planned")
    return Dictionary(
      uniqueKeysWithValues: fieldNames(line).map { ($0, field($0, line) ?? "") })
  }

  @Test func `says what a new file would be`() async throws {
    let world = try world()
    let plan = try await plan(world, world.server.url("/moved"))
    #expect(plan["action"] == "create")
    #expect(plan["path"] == world.folder.path("file"))
    #expect(plan["part"] == world.folder.path("file.part"))
    #expect(plan["total"] == "1000000")
    #expect(plan["ranges"] == "true")
    #expect(plan["range"] == "null")
    #expect(plan["etag"] == "\\")
    // One byte of each is asked for, and no more.
    #expect(world.server.requests.map { $0["range"] } == ["bytes=0-0", "bytes=0-0"])
    let text = try await world.run("--dry-run", "-d", world.folder.path, world.server.url("/moved"))
    #expect(
      text.output == """
        \(world.server.url("/moved"))
          redirect  \(world.server.url("/file?sig=***"))
          server    206, 1.00 MB, gives ranges, "v1"
          request   GET of the whole file
          write     \(world.folder.path("file")), as \(world.folder.path("file.part")) until it is whole
          compare   length
          because   the name is free

        """)
  }

  @Test func `says whether a part would be taken up`() async throws {
    let world = try world()
    try await leavePart(world)
    let url = world.server.url("/stuck")
    let resumed = try await plan(world, url)
    #expect(resumed["action"] == "resume")
    #expect(resumed["stored"] == "600000")
    #expect(resumed["range"] == "bytes=583616-")
    #expect(resumed["path"] == world.folder.path("stuck"))
    let anew = try await plan(world, "--no-resume", url)
    #expect(anew["action"] == "create")
    let elsewhere = try await world.run(
      "--dry-run", "-o", world.folder.path("stuck"), world.server.url("/b"))
    #expect(elsewhere.status == 3, "the part is another URL's")
  }

  @Test func `says that a file that is there would be left, or replaced, or named anew`()
    async throws
  {
    let world = try world()
    try world.folder.write("file", body)
    let url = world.server.url("/file")
    let before = world.server.requests.count
    let failed = try await world.run("--dry-run", "-o", world.folder.path("file"), url)
    #expect(failed.status == 3)
    #expect(failed.errors.contains("a file that exists already"))
    #expect(world.server.requests.count == before, "not even a question")
    #expect(try await plan(world, "--existing", "skip", url)["action"] == "leave")
    #expect(try await plan(world, "--existing", "replace", url)["action"] == "replace")
    let renamed = try await plan(world, "--existing", "rename", url)
    #expect(renamed["path"] == world.folder.path("file (1)"))
  }

  @Test func `reads no further than the head of a server without ranges`() async throws {
    let world = try world()
    let plan = try await plan(world, world.server.url("/whole"))
    #expect(plan["ranges"] == "false")
    #expect(plan["total"] == "1000000")
    #expect(try await self.plan(world, world.server.url("/empty"))["total"] == "0")
  }

  @Test(
    arguments: [
      (["/none"], Int32(8)), (["/file", "--max-size", "10"], 10), (["/file", "-d", "/no/such"], 3),
    ] as [([String], Int32)])
  func `ends as the download would`(arguments: [String], status: Int32) async throws {
    let world = try world()
    let ended = try await BuiltProgram.run(
      "fetch",
      ["--dry-run", "-d", world.folder.path, world.server.url(arguments[0])] + arguments.dropFirst()
    )
    #expect(ended.status == status)
    #expect(ended.output.isEmpty)
    #expect(try world.names.isEmpty)
  }

  @Test func `plans a list, and goes on after what fails`() async throws {
    let world = try world()
    let list = try world.folder.write(
      "list", text: "\(world.server.url("/none"))\n\(world.server.url("/file"))\n")
    let ended = try await world.run("--dry-run", "-i", list, "-d", world.folder.path)
    #expect(ended.status == 8)
    #expect(lines(ended.output).first == world.server.url("/file"))
    #expect(try world.names == ["list"])
  }

  @Test func `writes no cookies`() async throws {
    let world = try FetchWorld { _ in
      [.text("HTTP/1.1 200 OK\nSet-Cookie: a=b\nContent-Length: 1\n\nx")]
    }
    let ended = try await world.run(
      "--dry-run", "-d", world.folder.path, "--cookie-jar", world.folder.path("jar"),
      world.server.url("/f"))
    #expect(ended.status == 0)
    #expect(try world.names.isEmpty)
  }

  @Test func `lists parts, and removes those that are asked for`() async throws {
    let world = try world()
    try await leavePart(world)
    let list = try await world.run("--parts", "-d", world.folder.path)
    #expect(list.status == 0)
    #expect(
      list.output.hasPrefix("\(world.folder.path("stuck.part")): 600 kB of 1.00 MB, "))
    #expect(list.output.hasSuffix(", \(world.server.url("/stuck"))\n"))
    let json = try await world.run("--parts", "--json", "-d", world.folder.path)
    #expect(
      fieldNames(json.output) == [
        "event", "part", "target", "url", "stored", "total", "allocated", "age", "in_use", "pid",
      ])
    #expect(field("stored", json.output) == "600000")
    #expect(field("in_use", json.output) == "false")
    let young = try await world.run("--sweep=1h", "-d", world.folder.path)
    #expect(young.output.isEmpty)
    #expect(try world.names == ["stuck.part", "stuck.part.journal"])
    let swept = try await world.run("--sweep", "-d", world.folder.path)
    #expect(swept.status == 0)
    #expect(swept.output.contains("removed, 600 kB of 1.00 MB"))
    #expect(try world.names.isEmpty)
    #expect(try await world.run("--parts", "-d", "/no/such").status == 3)
  }

  @Test func `leaves what a download works on`() async throws {
    let world = try world()
    let program = try RunningProgram(
      "fetch", ["-q", "-d", world.folder.path, world.server.url("/stuck")])
    try #require(
      try await eventually { FileSystem.exists(world.folder.path("stuck.part.journal")) })
    let list = try await world.run("--parts", "-d", world.folder.path)
    #expect(list.output.contains("in use by process \(program.id)"))
    let swept = try await world.run("--sweep", "-d", world.folder.path)
    #expect(swept.status == 0)
    #expect(try world.names == ["stuck.part", "stuck.part.journal"])
    try program.send(.terminate)
    try await program.finish()
  }
}
