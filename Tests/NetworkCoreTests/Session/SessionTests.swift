import NetworkCore
import ProgressReporting
import TestSupport
import Testing

@Suite("A session")
struct SessionTests {
  let session: NetworkSession

  init() throws { session = try NetworkSession() }

  @Test func `reads text`() async throws {
    let server = try FaultServer { _ in ok(Array("grüße".utf8)) }
    #expect(try await session.string(from: server.url()) == "grüße")
    let latin = try FaultServer { _ in
      ok([0x67, 0x72, 0xFC], "Content-Type: text/plain; charset=ISO-8859-1\n")
    }
    #expect(try await session.string(from: latin.url()) == "grü")
  }

  @Test @MainActor func `calls back on the main actor with text or error`() async throws {
    let server = try FaultServer { request in
      request.path == "/good" ? ok(Array("yes".utf8)) : [.text("HTTP/1.1 403 No\n\n"), .close]
    }
    var text = ""
    var code: NetworkErrorCode?
    await session.string(
      from: server.url("/good"), success: { text = $0 }, failure: { _ in Issue.record("failed") }
    ).wait()
    await session.string(
      from: server.url("/bad"), success: { _ in Issue.record("succeeded") },
      failure: { code = $0.code }
    ).wait()
    #expect(text == "yes")
    #expect(code == .noPermissionsToReadFile)
  }

  /// The one thing that tells a whole body from a cut one is that TLS said it ends.
  @Test(arguments: [true, false])
  func `a stream without a length ends with close_notify`(isAnnounced: Bool) async throws {
    let authority = try ServerIdentity.authority()
    let folder = try TemporaryDirectory()
    var settings = TransferSettings()
    settings.certificateAuthorities = try folder.write("authority.pem", authority.pem())
    let identity = try ServerIdentity(signedBy: authority)
    let server = try FaultServer(security: ServerSecurity(identity)) { _ in
      [.text("HTTP/1.1 200 OK\n\nyes"), isAnnounced ? .close : .cut]
    }
    var code: NetworkErrorCode?
    do {
      #expect(try await session.string(from: server.url(), settings: settings) == "yes")
    } catch let error as NetworkError {
      code = error.code
    }
    #expect(code == (isAnnounced ? nil : .networkConnectionLost))
  }

  @Test func `a challenge cut short does not count against the answer after it`() async throws {
    let authority = try ServerIdentity.authority()
    let folder = try TemporaryDirectory()
    var settings = TransferSettings()
    settings.certificateAuthorities = try folder.write("authority.pem", authority.pem())
    settings.credentials = .init(user: "u", password: "p")
    let identity = try ServerIdentity(signedBy: authority)
    let server = try FaultServer(security: ServerSecurity(identity)) { request in
      guard request["authorization"] == nil else { return ok(Array("yes".utf8)) }
      return [.text("HTTP/1.1 401 No\nWWW-Authenticate: Basic realm=\"x\"\n\nno"), .cut]
    }
    #expect(try await session.string(from: server.url(), settings: settings) == "yes")
    #expect(server.requests.count == 2)
  }

  @Test func `streams with the server held back`() async throws {
    let body = pattern(6 << 20)
    let server = try FaultServer { _ in ok(body) }

    var total = 0
    var isFirst = true
    for try await chunk in try await session.bytes(from: server.url()) {
      if isFirst {
        isFirst = false
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(chunk.elementsEqual(body[total..<(total + chunk.count)]))
      total += chunk.count
    }
    #expect(total == body.count)
  }

  @Test func `reads exactly the range asked for`() async throws {
    let body = pattern(10_000)
    let server = try FaultServer { serve(body, $0) }
    #expect(try await session.read(server.url(), range: 100..<200) == Array(body[100..<200]))
    let whole = try FaultServer { _ in ok(body) }
    await #expect(throws: NetworkError.self) {
      try await session.read(whole.url(), range: 100..<200)
    }
    await #expect(throws: NetworkError.self) {
      try await session.read(server.url(), limit: 100)
    }
  }

  @Test func `tells a stream that was cut from one that ended`() async throws {
    let server = try FaultServer { _ in
      [.text("HTTP/1.1 200 OK\nContent-Length: 100\n\n12345"), .close]
    }
    do {
      _ = try await session.read(server.url())
      Issue.record("succeeded")
    } catch let error as NetworkError {
      #expect(error.code == .networkConnectionLost)
      #expect(error.byteOffset == 5)
    }
  }

  /// Serves 200,000 bytes of a body and then nothing; what is asked for later comes whole.
  private func standing(_ body: [UInt8]) throws -> FaultServer {
    try FaultServer { request in
      let steps = serve(body, request)
      guard request.number == 0, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(200_000))), .hang]
    }
  }

  @Test @MainActor func `pauses, resumes and reports through handlers`() async throws {
    let body = pattern(400_000)
    let server = try standing(body)
    let folder = try TemporaryDirectory()
    var events: [String] = []
    var handlers = DownloadHandlers()
    handlers.start = { events.append("start") }
    handlers.pause = { events.append("pause") }
    handlers.completion = { events.append("completion \($0.byteCount)") }
    handlers.failure = { _ in events.append("failure") }
    var last: WorkSnapshot?
    handlers.progress = { last = $0 }
    let task = session.downloadTask(
      server.url(), to: .file(folder.path("f")), handlers: handlers)
    task.pause()
    task.start()
    try #require(try await eventually { task.meter.snapshot().completed >= 200_000 })
    task.resume()
    task.pause()
    task.pause()
    try await Task.sleep(for: .milliseconds(50))
    #expect(server.requests.count == 1)
    task.resume()
    _ = try await task.result()
    task.pause()
    #expect(events == ["start", "pause", "start", "completion 400000"])
    #expect(last?.isFinished == true)
    #expect(try folder.read("f") == body)
  }

  @Test func `a pause that is over at once costs nothing`() async throws {
    let body = pattern(400_000)
    let server = try standing(body)
    let folder = try TemporaryDirectory()
    let task = session.downloadTask(server.url(), to: .file(folder.path("f")))
    task.start()
    try #require(try await eventually { task.meter.snapshot().completed >= 200_000 })
    // The request that is dropped ends after that.
    task.pause()
    task.resume()
    #expect(try await task.result().byteCount == 400_000)
    #expect(try folder.read("f") == body)
    #expect(server.requests.count == 2)
  }

  @Test func `a task that is cancelled says so`() async throws {
    let server = try FaultServer { _ in [.hang] }
    let folder = try TemporaryDirectory()
    let task = session.downloadTask(server.url(), to: .file(folder.path("f")))
    task.start()
    try #require(try await eventually { !server.requests.isEmpty })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.result() }
  }

  @Test func `a session that is closed ends what is under way and starts nothing`() async throws {
    let server = try FaultServer { _ in [.hang] }
    let session = session
    let waiting = Task { try await session.read(server.url()) }
    try #require(try await eventually { !server.requests.isEmpty })
    await session.close()
    await #expect(throws: NetworkError.self) { try await waiting.value }
    await #expect(throws: NetworkError.self) { try await session.read(server.url()) }
    await session.close()
    #expect(server.requests.count == 1)
  }
}
