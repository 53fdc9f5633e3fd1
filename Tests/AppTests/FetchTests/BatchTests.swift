import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("fetch, given a list")
struct BatchTests {
  private func list(_ world: FetchWorld, _ names: [String]) throws -> String {
    try world.folder.write("list", text: names.map { world.server.url($0) + "\n" }.joined())
  }

  @Test func `says a line for each file, and what is there already the next time`() async throws {
    let world = try FetchWorld()
    let list = try list(world, ["/a", "/b", "/c"])
    let out = world.folder.path("out")
    try FileSystem.makeDirectories(out)
    let first = try await world.run("-i", list, "-d", out, "-j", "1")
    #expect(first.status == 0)
    #expect(first.output.isEmpty)
    #expect(lines(first.errors) == ["a", "b", "c"].map { "fetch: \(out)/\($0): 9 B" })
    try FileSystem.unlink(out + "/b")
    let again = try await world.run("-i", list, "-d", out, "-j", "1")
    #expect(again.status == 0)
    #expect(
      lines(again.errors) == [
        "fetch: \(out)/a: is there already", "fetch: \(out)/b: 9 B",
        "fetch: \(out)/c: is there already",
      ])
    let quiet = try await world.run("-q", "-i", list, "-d", out)
    #expect(quiet.errors.isEmpty)
  }

  @Test func `asks for nothing where name and checksum are known`() async throws {
    let world = try FetchWorld(Array("abc".utf8))
    let sum = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let list = try world.folder.write(
      "list", text: "\(world.server.url("/a"))\tout-a\t3\t\(sum)\n")
    for round in 0..<2 {
      let ended = try await world.run("-i", list, "-d", world.folder.path)
      #expect(ended.status == 0)
      #expect(ended.errors.contains("sha256 from the caller matches"))
      #expect(ended.errors.contains("is there already") == (round == 1))
      #expect(world.server.requests.count == 1)
    }
    // A file of that name with other bytes is not the file, and is left alone.
    try world.folder.write("out-a", text: "abd")
    let wrong = try await world.run("-i", list, "-d", world.folder.path)
    #expect(wrong.status == 9)
    #expect(wrong.errors.contains("out-a: expected sha256 ba7816bf"))
    #expect(try world.folder.read("out-a") == Array("abd".utf8))
    let replaced = try await world.run("-i", list, "-d", world.folder.path, "--existing", "replace")
    #expect(replaced.status == 0)
    #expect(try world.folder.read("out-a") == Array("abc".utf8))
  }

  @Test func `goes on after it was stopped in the middle`() async throws {
    let body = pattern(1_000_000)
    let isGood = Mutex(false)
    let world = try FetchWorld(body) { request in
      request.path == "/b" && !isGood.withLock { $0 } ? FetchWorld.stuck(body, after: 600_000) : nil
    }
    let list = try list(world, ["/a", "/b", "/c"])
    let arguments = ["-i", list, "-d", world.folder.path, "-j", "1"]
    let program = try RunningProgram("fetch", arguments)
    try #require(
      try await eventually { (try? world.folder.read("b.part").count) ?? 0 >= 600_000 })
    try program.send(.terminate)
    #expect(try await program.finish() == .signalled(15))
    #expect(program.errorText.contains("b.part: 600 kB are kept; the same command goes on"))
    #expect(try world.names == ["a", "b.part", "b.part.journal", "list"])
    isGood.withLock { $0 = true }
    let again = try await BuiltProgram.run("fetch", arguments)
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.errors.contains("/b: 1.00 MB, 600 kB of it from an earlier run"))
    #expect(try world.names == ["a", "b", "c", "list"])
    for name in ["a", "b", "c"] { #expect(try world.folder.read(name) == body) }
  }

  @Test func `ends with the first failure in the order of the list`() async throws {
    let world = try FetchWorld { request in
      switch request.path {
      case "/slow404": [.wait(.milliseconds(300)), .text("HTTP/1.1 404 No\nContent-Length: 0\n\n")]
      case "/401": [.text("HTTP/1.1 401 No\nContent-Length: 0\n\n")]
      default: nil
      }
    }
    let list = try list(world, ["/a", "/slow404", "/401", "/b"])
    let ended = try await world.run("-i", list, "-d", world.folder.path)
    #expect(ended.status == 8)
    #expect(try world.names == ["a", "b", "list"])
    #expect(lines(ended.errors).count == 4)
  }

  @Test func `does not take one file for two`() async throws {
    let world = try FetchWorld()
    let list = try list(world, ["/x/index.html", "/y/index.html"])
    for _ in 0..<2 {
      let ended = try await world.run("-i", list, "-d", world.folder.path, "-j", "1")
      #expect(ended.status == 3, "\(ended.errors)")
      #expect(ended.errors.contains("expected a free name"))
    }
  }

  @Test func `takes every N-th entry of a list, each in exactly one part`() async throws {
    let world = try FetchWorld()
    let names = (0..<7).map { "/f\($0)" }
    let list = try list(world, names)
    var seen: [String] = []
    for index in 1...3 {
      let before = world.server.requests.count
      let ended = try await world.run(
        "-q", "-i", list, "-d", world.folder.path, "--shard", "\(index)/3")
      #expect(ended.status == 0)
      let asked = world.server.requests.dropFirst(before).map(\.path).sorted()
      #expect(asked == stride(from: index - 1, to: 7, by: 3).map { names[$0] })
      seen += asked
    }
    #expect(seen.sorted() == names)
    for bad in ["0/3", "4/3", "x", "1/0", "1", "-1/3"] {
      let ended = try await world.run("-i", list, "-d", world.folder.path, "--shard", bad)
      #expect(ended.status == 2, "\(bad)")
      #expect(ended.errors.contains(bad))
    }
  }

  @Test(arguments: [1, 3])
  func `has at most so many files under way`(jobs: Int) async throws {
    let counts = Mutex((now: 0, most: 0))
    let world = try FetchWorld { request in
      counts.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      Loopback.sleep(.milliseconds(60))
      counts.withLock { $0.now -= 1 }
      return nil
    }
    let list = try list(world, (0..<9).map { "/f\($0)" })
    let ended = try await world.run("-q", "-i", list, "-d", world.folder.path, "-j", "\(jobs)")
    #expect(ended.status == 0)
    #expect(counts.withLock { $0.most } <= jobs)
    #expect(world.server.requests.count == 9)
  }

  @Test func `reads a list from standard input`() async throws {
    let world = try FetchWorld()
    let program = try RunningProgram("fetch", ["-i", "-", "-d", world.folder.path])
    try program.type("# files\n\(world.server.url("/a"))\n\n")
    try program.type("\(world.server.url("/b"))")
    program.endInput()
    #expect(try await program.finish() == .exited(status: 0))
    #expect(try world.names == ["a", "b"])
  }

  @Test func `shares cookies between the files of a list and keeps them in a jar`() async throws {
    let world = try FetchWorld { request in
      guard request.path == "/a" else { return nil }
      return [
        .text(
          "HTTP/1.1 200 OK\nContent-Length: 1\nSet-Cookie: got=a; Max-Age=1000; Path=/\n\nx")
      ]
    }
    let list = try list(world, ["/a", "/b"])
    let jar = world.folder.path("jar")
    let ended = try await world.run(
      "-q", "-i", list, "-d", world.folder.path, "-j", "1", "--cookie-jar", jar)
    #expect(ended.status == 0)
    #expect(world.server.requests.last?["cookie"] == "got=a")
    #expect(String(decoding: try world.folder.read("jar"), as: UTF8.self).contains("\tgot\ta"))
    let next = try await world.run("-q", "-d", world.folder.path, "-b", jar, world.server.url("/c"))
    #expect(next.status == 0)
    #expect(world.server.requests.last?["cookie"] == "got=a")
  }
}
