import SystemIO
import TestSupport
import Testing

@Suite("fetch, given what cannot be")
struct BadInputTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  func expectFailure(
    _ arguments: [String], status: Int32, _ words: String..., leaves names: [String] = [],
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let ended = try await BuiltProgram.run("fetch", arguments)
    #expect(ended.status == status, "\(ended.errors)", sourceLocation: location)
    let lines = ended.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(ended.errors)", sourceLocation: location)
    #expect(lines.first?.hasPrefix("fetch: ") == true, sourceLocation: location)
    for word in words { #expect(ended.errors.contains(word), sourceLocation: location) }
    #expect(ended.output.isEmpty, sourceLocation: location)
    #expect(
      try FileSystem.names(in: folder.path).sorted() == names, sourceLocation: location)
  }

  @Test func `a status that brings no file`() async throws {
    let server = try FaultServer { _ in
      [.text("HTTP/1.1 404 Not Found\nContent-Length: 4\n\nnope")]
    }
    try await expectFailure(["-d", folder.path, server.url("/a")], status: 8, "404")
  }

  @Test func `a refused connection`() async throws {
    let url = "http://127.0.0.1:\(try Loopback.closedPort())/a"
    try await expectFailure(["--retry", "0", "-d", folder.path, url], status: 4, "refused")
  }

  @Test func `a full device`() async throws {
    let server = try FaultServer { _ in
      [.text("HTTP/1.1 200 OK\nContent-Length: 4\n\nnope")]
    }
    try await expectFailure(["-o", "/dev/full", server.url()], status: 10, "/dev/full", "space")
  }

  @Test(
    .enabled(if: SmallDisk.isAvailable, "only root may mount a small disk"),
    arguments: ["Content-Length: 3000000\n", ""])
  func `a disk that is too small`(length: String) async throws {
    let disk = try SmallDisk(bytes: 1 << 20)
    let body = [UInt8](repeating: 7, count: 3_000_000)
    let server = try FaultServer { _ in
      [.text("HTTP/1.1 200 OK\n\(length)\n"), .send(body), .close]
    }
    try await expectFailure(["-q", "-d", disk.path, server.url("/a")], status: 10, disk.path)
    // What is announced is refused before the first byte; what is not may leave its part.
    let names = try disk.names()
    #expect(length.isEmpty ? !names.contains("a") : names.isEmpty)
  }

  @Test func `a directory as target`() async throws {
    try await expectFailure(["-o", folder.path, "http://127.0.0.1:1/"], status: 3, "directory")
  }

  @Test func `a directory that does not exist`() async throws {
    try await expectFailure(
      ["-o", folder.path("no/such"), "http://127.0.0.1:1/"], status: 3, "no/such")
  }

  @Test(arguments: [
    ("foo://x/", "foo"), ("http://127.0.0.1:99999/", "99999"), ("http://", "http://"),
  ])
  func `a URL that is none`(url: String, word: String) async throws {
    try await expectFailure(["-d", folder.path, url], status: 2, word)
  }

  @Test func `a password does not show`() async throws {
    let port = try Loopback.closedPort()
    let ended = try await BuiltProgram.run(
      "fetch",
      ["--json", "--retry", "1", "-d", folder.path, "http://me:pa55@127.0.0.1:\(port)/?token=t0p"])
    #expect(ended.status == 4)
    for secret in ["pa55", "t0p"] {
      #expect(!ended.errors.contains(secret))
      #expect(!ended.output.contains(secret))
    }
    #expect(ended.output.contains("\"code\":-1004"))
  }

  @Test func `an error code that does not exist`() async throws {
    try await expectFailure(["--explain", "nothing-like-it"], status: 2, "nothing-like-it")
    let known = try await BuiltProgram.run("fetch", ["--explain", "-1003"])
    #expect(known.status == 0)
    #expect(known.output.contains("NSURLErrorCannotFindHost"))
  }
}
