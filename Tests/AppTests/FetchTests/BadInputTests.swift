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

  @Test(.disabled(if: Sanitizer.isOn, "its runtime opens files of its own"))
  func `a system that has no file to give`() async throws {
    let ended = try await BuiltProgram.runWithoutFiles(
      "fetch", ["--dry-run", "-d", folder.path, "http://127.0.0.1:1/a"])
    #expect(ended.status == 1, "\(ended.errors)")
    #expect(ended.errors.contains("pipe2: Too many open files"), "\(ended.errors)")
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

  /// Lists, and what is said of them.
  static let lists: [(text: String, words: [String])] = [
    ("http://x/a\nnot a url\n", ["line 2", "url", "expected a URL"]),
    ("http://x/a\tout\tmany\n", ["line 1", "size", "number of bytes"]),
    ("http://x/a\t../out\n", ["line 1", "output", "stays in the directory"]),
    ("http://x/a\t/etc/x\n", ["line 1", "output"]),
    ("http://x/a\tout\nhttp://x/b\tout\n", ["line 2", "output", "once"]),
    ("http://x/a\tout\t3\tsha256:12\n", ["line 1", "checksum", "digits"]),
    ("http://x/a\tout\t3\tcrc:12\n", ["line 1", "checksum", "sha256"]),
    ("http://x/a\tout\t3\t\tnowhere\n", ["line 1", "mirrors", "URL"]),
    ("url\toutput\nhttp://x/a\tb\tc\n", ["line 2", "one of url"]),
    ("\n# x\n{\"url\": \"http://x/a\", \"name\": 1}\n", ["line 3", "one of url"]),
    ("{\"url\": \"http://x/a\"\n", ["line 1", "JSON"]),
    ("{\"url\": 7}\n", ["line 1", "url", "JSON string"]),
    ("http://x:99999/a\n", ["line 1", "port"]),
    ("<metalink><file></metalink>", ["XML"]),
  ]

  @Test(arguments: lists)
  func `a list with a fault in it, before anything is fetched`(
    text: String, words: [String]
  ) async throws {
    let aside = try TemporaryDirectory()
    let list = try aside.write("list", text: text)
    for arguments in [["-i", list], ["--dry-run", "-i", list]] {
      let ended = try await BuiltProgram.run("fetch", arguments + ["-d", folder.path])
      #expect(ended.status == 2, "\(ended.errors)")
      #expect(ended.errors.hasPrefix("fetch: \(list): "))
      #expect(ended.errors.split(separator: "\n").count == 1)
      for word in words { #expect(ended.errors.contains(word), "\(ended.errors)") }
    }
    #expect(try FileSystem.names(in: folder.path).isEmpty)
  }

  @Test func `a list that is no text`() async throws {
    let list = try folder.write("list", [0x68, 0xFF, 0xFE, 0x0A])
    try await expectFailure(
      ["-i", list, "-d", folder.path], status: 2, "line 1", "UTF-8", leaves: ["list"])
  }

  @Test(arguments: [
    ("127.0.0.1\tFALSE\t/\tFALSE\t0\ta", true, ""), ("one two\n", false, "line 1"),
    ("# c\nx.y\tMAYBE\t/\tFALSE\t0\ta\ts3cret\n", false, "line 2: subdomains"),
    ("x.y\tTRUE\t/\tFALSE\tsoon\ta\ts3cret\n", false, "line 1: expires"),
  ])
  func `a cookie file with a fault in it`(text: String, isGood: Bool, words: String) async throws {
    let aside = try TemporaryDirectory()
    let cookies = try aside.write("cookies", text: text)
    let server = try FaultServer { _ in [.text("HTTP/1.1 200 OK\nContent-Length: 0\n\n")] }
    let ended = try await BuiltProgram.run(
      "fetch", ["-q", "-b", cookies, "-d", folder.path, server.url("/f")])
    #expect(ended.status == (isGood ? 0 : 2), "\(ended.errors)")
    #expect(ended.errors.contains(words))
    #expect(!ended.errors.contains("s3cret"))
    #expect(server.requests.count == (isGood ? 1 : 0))
  }

  @Test(arguments: [
    ("<html>\n", "line 1"), ("", "line 1"),
    ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\nxyz  b\n", "line 2"),
    ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  other\n", "'f'"),
  ])
  func `a list of checksums with a fault in it`(text: String, words: String) async throws {
    let aside = try TemporaryDirectory()
    let sums = try aside.write("SUMS", text: text)
    let server = try FaultServer { _ in [.text("HTTP/1.1 200 OK\nContent-Length: 0\n\n")] }
    try await expectFailure(
      ["--checksum-file", sums, "-d", folder.path, server.url("/f")], status: 2, sums, words)
    #expect(server.requests.isEmpty)
  }

  @Test func `inputs that cannot be read`() async throws {
    let url = "http://127.0.0.1:1/f"
    for (arguments, status) in [
      (["-i", "/no/such"], 3), (["-i", folder.path], 3), (["-b", "/no/such", url], 3),
      (["-b", folder.path, url], 3), (["--checksum-file", "/no/such", url], 3),
      (["--cacert", "/no/such", url], 2), (["--checksum-file", folder.path, url], 3),
    ] as [([String], Int32)] {
      try await expectFailure(["-d", folder.path] + arguments, status: status)
    }
  }

  @Test func `places that cannot be written to`() async throws {
    let server = try FaultServer { _ in [.text("HTTP/1.1 200 OK\nContent-Length: 1\n\nx")] }
    try folder.write("file", text: "x")
    for (arguments, word) in [
      (["-o", "/proc/self/x"], "/proc/self/x"),
      (["-d", folder.path("file")], "file"), (["-o", folder.path("file/x")], "file/x"),
      (["-o", folder.path("none/")], "none/"), (["-o", ""], "expected"),
      (["-o", folder.path(String(repeating: "n", count: 300))], "nnn"),
    ] {
      try await expectFailure(arguments + [server.url("/f")], status: 3, word, leaves: ["file"])
    }
    #expect(server.requests.isEmpty, "it is known before anything is asked for")
  }
}
