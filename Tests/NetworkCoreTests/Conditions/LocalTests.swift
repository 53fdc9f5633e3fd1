import NetworkCore
import ProgressReporting
import SystemIO
import TestSupport
import Testing

@Suite("What this machine itself has to say", .timeLimit(.minutes(2)))
struct LocalTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  // MARK: file URLs

  /// A file that may not be read by anybody, root included.
  static let unreadable = [
    "/proc/sys/vm/compact_memory", "/proc/sys/net/ipv4/route/flush",
  ].first { path in
    guard FileSystem.exists(path) else { return false }
    do throws(SystemError) {
      _ = try FileDescriptor.open(path)
      return false
    } catch {
      return error.errno == 13 || error.errno == 1
    }
  }

  @Test func `a local file is fetched like any other`() async throws {
    let path = try folder.write("a file", [1, 2, 3])
    let url =
      "file://"
      + path.split(separator: "/").map { "/\($0)" }.joined()
      .replacing(" ", with: "%20")
    #expect(try await Trial.download(url).file == [1, 2, 3])
  }

  @Test(arguments: [0, 1, 3 << 20])
  func `a local file of any size is whole, as a file and as a stream`(size: Int) async throws {
    let content = pattern(size)
    let url = "file://" + (try folder.write("f", content))
    #expect(try await Trial.download(url) { $0.requiresLength = true }.file == content)
    #expect(try await NetworkSession().read(url) == content)
  }

  @Test func `a local file that is missing, or a directory`() async throws {
    let missing = try await Trial.download("file://\(folder.path)/none").failed(.fileDoesNotExist)
    #expect(missing.systemCode?.name == "ENOENT")
    #expect(missing.path == folder.path("none"))
    #expect(missing.exitStatus == 3)
    let directory = try await Trial.download("file://\(folder.path)").failed(.fileIsDirectory)
    #expect(directory.systemCode?.name == "EISDIR")
    let below = try await Trial.download("file:///etc/hosts/x").failed(.fileDoesNotExist)
    #expect(below.systemCode?.name == "ENOTDIR")
  }

  @Test(.enabled(if: unreadable != nil, "there is no file here that root may not read"))
  func `a local file that may not be read`() async throws {
    let error = try await Trial.download("file://" + #require(Self.unreadable))
      .failed(.noPermissionsToReadFile)
    #expect(error.exitStatus == 3)
    #expect(error.phase == .preparation)
  }

  // MARK: Cookies

  @Test(arguments: [
    "127.0.0.1\tFALSE\t/\tFALSE\tnever\tname\tvalue\n", "just words\n",
    "127.0.0.1\tFALSE\t/\tFALSE\t0\tgood\tyes\n127.0.0.1\tMAYBE\t/\tFALSE\t0\tname\tsecret\n",
  ])
  func `a damaged cookie file`(text: String) async throws {
    let file = try folder.write("cookies", text: text)
    let error = try await Trial.download("http://127.0.0.1:1/") { $0.transfer.cookieFile = file }
      .failed(.cannotParseCookieFile)
    #expect(error.exitStatus == 2)
    #expect(error.path == file)
    #expect(!error.detailedDescription.contains("secret"))
  }

  @Test func `cookies go out and come back into the jar`() async throws {
    let file = try folder.write("cookies", text: "127.0.0.1\tFALSE\t/\tFALSE\t0\tname\tvalue\n")
    let server = try FaultServer { _ in ok([1], "Set-Cookie: fresh=baked; Max-Age=1000\n") }
    let jar = folder.path("jar")
    try await downloadOnce(server.url(), cookies: file, jar: jar)
    #expect(server.requests.first?["cookie"] == "name=value")
    // The jar is written when the session ends, on its thread.
    try #require(try await eventually { FileSystem.exists(jar) })
    #expect(String(decoding: try folder.read("jar"), as: UTF8.self).contains("fresh\tbaked"))
  }

  private func downloadOnce(_ url: String, cookies: String, jar: String) async throws {
    var options = DownloadOptions()
    options.transfer.cookieFile = cookies
    options.transfer.cookieJar = jar
    _ = try await NetworkSession().download(url, to: .file(folder.path("f")), options: options)
  }

  @Test func `a jar that cannot be written is told before the first byte`() async throws {
    let server = try FaultServer { _ in ok([1]) }
    for jar in [folder.path("no/such/jar"), folder.path, "/proc/jar"] {
      let error = try await Trial.download(server.url()) { $0.transfer.cookieJar = jar }
        .failed(.cannotCreateFile)
      #expect(error.path == jar)
      #expect(error.exitStatus == 3)
    }
    #expect(server.requests.isEmpty)
  }

  // MARK: Names and networks

  @Test func `a name that does not exist`() async throws {
    let trial = try await Trial.download("http://nothing.invalid/f")
    // A machine that reaches no name server cannot know; one without a way out says so.
    guard NetworkRoutes.leadOut else {
      try trial.failed(.notConnectedToInternet)
      return
    }
    let error = try trial.failed(.cannotFindHost)
    #expect(error.phase == .resolve)
    let resolver = try #require(error.resolverCode)
    #expect(error.cause?.code == resolver.hostError)
    #expect(error.isRetryable == resolver.isTransient)
  }

  @Test func `a stream tells the same of it`() async throws {
    var settings = TransferSettings()
    settings.proxy = ""
    settings.connectTimeout = .seconds(100)
    let error = await #expect(throws: NetworkError.self) {
      try await NetworkSession().read("http://nothing.invalid/f", settings: settings)
    }
    #expect([.cannotFindHost, .notConnectedToInternet].contains(error?.code))
    #expect(error?.resolverCode != nil || error?.code == .notConnectedToInternet)
  }

  @Test func `a port that nobody listens on`() async throws {
    let error = try await Trial.download("http://127.0.0.1:\(try Loopback.closedPort())/")
      .failed(.cannotConnectToHost)
    #expect(error.systemCode?.name == "ECONNREFUSED")
    #expect(error.phase == .connect)
    #expect(error.curlCode == .couldntConnect)
  }

  @Test func `attempts are counted, redirects are not`() async throws {
    let server = try FaultServer { request in
      request.path == "/start"
        ? [.text("HTTP/1.1 302 F\nLocation: /end\nContent-Length: 0\n\n")]
        : [.text("HTTP/1.1 503 Busy\nContent-Length: 0\n\n")]
    }
    let error = try await Trial.download(server.url("/start"), retries: 2).failed(
      .resourceUnavailable)
    #expect(error.attempt == 3)
    #expect(error.httpStatus == 503)
    #expect(error.phase == .header)
    #expect(error.url == server.url("/end"))
    #expect(server.requests.count == 6)
  }

  @Test
  func
    `a target that cannot be made is told as preparation, one that cannot be named as placement`()
    async throws
  {
    let server = try FaultServer { _ in ok([1]) }
    var options = DownloadOptions()
    options.transfer.proxy = ""
    let early = await #expect(throws: NetworkError.self) {
      try await NetworkSession().download(
        server.url(), to: .file(folder.path("no/such")), options: options)
    }
    #expect(early?.phase == .preparation)
    #expect(early?.code == .cannotCreateFile)
    #expect(server.requests.isEmpty)
    // The name is taken while the file comes.
    let taken = folder.path("taken")
    let racing = try FaultServer { _ in
      [
        .text("HTTP/1.1 200 OK\nContent-Length: 2\n\n"), .send([1]),
        .until { FileSystem.exists(taken) }, .send([2]),
      ]
    }
    async let racer: Void = {
      while racing.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      try folder.write("taken", [9])
    }()
    let late = await #expect(throws: NetworkError.self) {
      try await NetworkSession().download(racing.url(), to: .file(taken), options: options)
    }
    try await racer
    #expect(late?.phase == .placement, "\(late?.detailedDescription ?? "")")
    #expect(try folder.read("taken") == [9])
  }
}
