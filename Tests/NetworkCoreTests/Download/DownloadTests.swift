import NetworkCore
import ProgressReporting
import SystemIO
import TestSupport
import Testing

/// Bodies that differ at every offset, so that a byte in the wrong place is seen.
func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11 &+ seed) }
}

func ok(_ body: [UInt8], _ fields: String = "") -> [FaultServer.Step] {
  [.text("HTTP/1.1 200 OK\nContent-Length: \(body.count)\n\(fields)\n"), .send(body)]
}

/// Serves a body with ranges and a strong tag, as a good server does.
func serve(_ body: [UInt8], _ request: FaultServer.Request, tag: String = "v1") -> [FaultServer
  .Step]
{
  let fields = "ETag: \"\(tag)\"\nAccept-Ranges: bytes\n"
  let matches = request["if-range"].map { $0 == "\"\(tag)\"" } ?? true
  guard let range = request.range, matches else { return ok(body, fields) }
  guard range.first < body.count else {
    return [.text("HTTP/1.1 416 No\nContent-Range: bytes */\(body.count)\nContent-Length: 0\n\n")]
  }
  let last = min(range.last ?? body.count - 1, body.count - 1)
  let part = Array(body[range.first...last])
  return [
    .text(
      "HTTP/1.1 206 Partial\nContent-Range: bytes \(range.first)-\(last)/\(body.count)\n"
        + "Content-Length: \(part.count)\n\(fields)\n"), .send(part),
  ]
}

@Suite("A download")
struct DownloadTests {
  let folder: TemporaryDirectory
  let session: NetworkSession
  let body = pattern(700_000)

  init() throws {
    folder = try TemporaryDirectory()
    session = try NetworkSession()
  }

  var target: DownloadTarget { .file(folder.path("file")) }

  func options(_ change: (inout DownloadOptions) -> Void = { _ in }) -> DownloadOptions {
    var options = DownloadOptions()
    options.retryLimit = 2
    options.transfer.connectTimeout = .seconds(60)
    options.transfer.responseTimeout = .seconds(60)
    change(&options)
    return options
  }

  /// The names in the folder, sorted.
  var names: [String] { ((try? FileSystem.names(in: folder.path)) ?? []).sorted() }

  func failure(_ body: () async throws -> DownloadReport) async -> NetworkError? {
    do {
      _ = try await body()
      Issue.record("succeeded")
      return nil
    } catch let error as NetworkError {
      return error
    } catch {
      Issue.record("threw \(error)")
      return nil
    }
  }

  @Test func `without a length is an error where one is required`() async throws {
    let server = try FaultServer { _ in [.text("HTTP/1.1 200 OK\n\nyes"), .close] }
    let error = await failure {
      try await session.download(
        server.url(), to: target, options: options { $0.requiresLength = true })
    }
    #expect(error?.code == .badServerResponse)
    #expect(error?.exitStatus == 7)
    #expect(names.isEmpty)
  }

  @Test func `brings the bytes and nothing else`() async throws {
    let server = try FaultServer { [body] in serve(body, $0) }
    let meter = WorkMeter()
    let report = try await session.download(
      server.url(), to: target, options: options(), progress: meter.share())
    #expect(try folder.read("file") == body)
    #expect(names == ["file"])
    #expect(report.byteCount == 700_000)
    #expect(report.wireBytes == 700_000)
    #expect(report.isLengthVerified)
    #expect(meter.snapshot().children.first?.isFinished == true)
  }

  @Test func `goes on from the last byte after a broken connection`() async throws {
    let server = try FaultServer { [body] request in
      let steps = serve(body, request)
      guard request.number == 0, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(400_000))), .reset]
    }
    let report = try await session.download(server.url(), to: target, options: options())
    #expect(try folder.read("file") == body)
    #expect(report.requestCount == 2)
    #expect(server.requests[1]["if-range"] == "\"v1\"")
    // A reset may swallow bytes that were on their way; the join costs an overlap of 16 KiB.
    #expect(report.wireBytes <= 700_000 + 16 << 10)
  }

  @Test func `takes up the part of an earlier call`() async throws {
    let broken = try FaultServer { [body] request in
      [
        .text("HTTP/1.1 200 OK\nETag: \"v1\"\nContent-Length: 700000\n\n"),
        .send(Array(body.prefix(500_000))), .close,
      ]
    }

    let error = await failure {
      try await session.download(broken.url(), to: target, options: options { $0.retryLimit = 0 })
    }
    #expect(error?.code == .networkConnectionLost)
    #expect(names == ["file.part", "file.part.journal"])

    let good = try FaultServer { [body] in serve(body, $0) }
    let report = try await session.download(
      good.url(), to: target, options: options { $0.adoptsOtherURL = true })
    #expect(try folder.read("file") == body)
    #expect(report.resumedBytes == 500_000)
    #expect(report.wireBytes == 200_000 + 16 << 10)
    #expect(names == ["file"])
  }

  @Test func `does not touch the part of another URL`() async throws {
    let broken = try FaultServer { [body] _ in
      [
        .text("HTTP/1.1 200 OK\nContent-Length: 700000\n\n"), .send(Array(body.prefix(500_000))),
        .close,
      ]
    }
    _ = await failure {
      try await session.download(broken.url(), to: target, options: options { $0.retryLimit = 0 })
    }
    let good = try FaultServer { [body] in serve(body, $0) }
    let error = await failure {
      try await session.download(good.url(), to: target, options: options())
    }
    #expect(error?.code == .cannotCreateFile)
    #expect(names == ["file.part", "file.part.journal"])
  }

  @Test func `starts over when the file has changed`() async throws {
    let other = pattern(650_000, seed: 7)
    let server = try FaultServer { [body] request in
      guard request.number == 0 else { return serve(other, request, tag: "v2") }
      return [
        .text("HTTP/1.1 200 OK\nETag: \"v1\"\nContent-Length: 700000\n\n"),
        .send(Array(body.prefix(300_000))), .close,
      ]
    }
    _ = try await session.download(server.url(), to: target, options: options())
    #expect(try folder.read("file") == other)
  }

  @Test func `goes on in the middle of a file that has changed, too`() async throws {
    let other = pattern(650_000, seed: 7)
    let server = try FaultServer { [body] request in
      let steps = request.number == 0 ? serve(body, request) : serve(other, request, tag: "v2")
      guard request.number < 2, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(400_000))), .close]
    }
    let report = try await session.download(server.url(), to: target, options: options())
    #expect(try folder.read("file") == other)
    #expect(server.requests.count == 3)
    #expect(report.wireBytes == 400_000 + 650_000 + 16 << 10)
  }

  @Test func `is hashed from its start when it changes while it is hashed`() async throws {
    let (old, new) = (pattern(3 << 20), pattern(1 << 20, seed: 5))
    var digest = try RunningDigest(.sha256)
    digest.update(new)
    var options = DownloadOptions()
    options.checksums = [try digest.finish()]
    options.connections = .fixed(1)
    let server = try FaultServer { request in
      guard request.number == 0 else { return serve(new, request, tag: "v2") }
      // Nearly all of it: the bytes are still being read when the next answer comes.
      return Array(serve(old, request).prefix(1)) + [.send(old.dropLast(1)), .close]
    }
    let report = try await session.download(
      server.url(), to: .file(folder.path("file")), options: options)
    #expect(report.byteCount == 1 << 20)
    #expect(try folder.read("file") == new)
  }

  @Test func `notices that the bytes at the join differ`() async throws {
    let server = try FaultServer { [body] request in
      guard request.number == 0 else { return serve(pattern(700_000, seed: 9), request) }
      return [
        .text("HTTP/1.1 200 OK\nETag: \"v1\"\nContent-Length: 700000\n\n"),
        .send(Array(body.prefix(300_000))), .close,
      ]
    }
    _ = try await session.download(server.url(), to: target, options: options())
    #expect(try folder.read("file") == pattern(700_000, seed: 9))
    #expect(server.requests.count == 3)
    #expect(server.requests[2].range == nil)
  }

  @Test func `follows redirects and keeps secrets from other hosts`() async throws {
    let other = try FaultServer { [body] in serve(body, $0) }
    let first = try FaultServer { _ in
      [.text("HTTP/1.1 302 Found\nLocation: \(other.url())\nContent-Length: 0\n\n")]
    }
    _ = try await session.download(
      first.url(), to: target,
      options: options {
        $0.transfer.fields = [.init(name: "Authorization", value: "Bearer s3cret")]
      })
    #expect(first.requests[0]["authorization"] == "Bearer s3cret")
    #expect(other.requests[0]["authorization"] == nil)
    #expect(try folder.read("file") == body)
  }

  @Test func `takes the server's name, made safe`() async throws {
    let server = try FaultServer { _ in
      ok([1, 2, 3], "Content-Disposition: attachment; filename=\"../../etc/na me.zip\"\n")
    }
    let report = try await session.download(
      server.url("/x"), to: .directory(folder.path), options: options())
    #expect(report.path == folder.path("na me.zip"))
    #expect(names == ["na me.zip"])
  }

  @Test(arguments: DownloadOptions.ExistingFile.allCases)
  func `does with a file that exists as told`(existing: DownloadOptions.ExistingFile) async throws {
    try folder.write("file", text: "old")
    let server = try FaultServer { _ in ok([1, 2, 3]) }
    let choice = options { $0.existing = existing }
    switch existing {
    case .fail:
      let error = await failure {
        try await session.download(server.url(), to: target, options: choice)
      }
      #expect(error?.code == .cannotCreateFile)
      #expect(error?.category == .file)
      #expect(server.requests.isEmpty)
      #expect(try folder.read("file") == Array("old".utf8))
    case .skip:
      let report = try await session.download(server.url(), to: target, options: choice)
      #expect(report.wasSkipped)
      #expect(server.requests.isEmpty)
    case .replace:
      _ = try await session.download(server.url(), to: target, options: choice)
      #expect(try folder.read("file") == [1, 2, 3])
      #expect(names == ["file"])
    case .rename:
      let report = try await session.download(server.url(), to: target, options: choice)
      #expect(report.path == folder.path("file (1)"))
      #expect(try folder.read("file (1)") == [1, 2, 3])
      #expect(names == ["file", "file (1)"])
    }
  }

  @Test func `keeps its part when cancelled, and goes on later`() async throws {
    let server = try FaultServer { [body] request in
      let steps = serve(body, request)
      guard request.number == 0, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(300_000))), .hang]
    }
    let task = session.downloadTask(server.url(), to: target, options: options())
    task.start()
    try #require(try await eventually { task.meter.snapshot().completed >= 300_000 })
    task.meter.cancellation.cancel()
    await #expect(throws: CancellationError.self) { try await task.result() }
    #expect(names == ["file.part", "file.part.journal"])
    let report = try await session.download(server.url(), to: target, options: options())
    #expect(report.resumedBytes == 300_000)
    #expect(try folder.read("file") == body)
  }

  @Test func `refuses what is larger than allowed, before the body`() async throws {
    let server = try FaultServer { [body] in serve(body, $0) }
    let error = await failure {
      try await session.download(server.url(), to: target, options: options { $0.sizeLimit = 1000 })
    }
    #expect(error?.code == .dataLengthExceedsMaximum)
    #expect(error?.exitStatus == 10)
    #expect(names.isEmpty)
  }

  @Test func `writes to a device as the bytes come, and says when it is full`() async throws {
    let server = try FaultServer { [body] in serve(body, $0) }
    let report = try await session.download(
      server.url(), to: .file("/dev/null"), options: options())
    #expect(report.byteCount == 700_000)
    let error = await failure {
      try await session.download(server.url(), to: .file("/dev/full"), options: options())
    }
    #expect(error?.code == .cannotWriteToFile)
    #expect(error?.systemCode?.name == "ENOSPC")
    #expect(error?.exitStatus == 10)
  }

  @Test func `leaves nothing behind for a status that brings no file`() async throws {
    let server = try FaultServer { _ in
      [.text("HTTP/1.1 404 Not Found\nContent-Length: 9\n\nnot found")]
    }
    let error = await failure {
      try await session.download(server.url(), to: target, options: options())
    }
    #expect(error?.code == .fileDoesNotExist)
    #expect(error?.httpStatus == 404)
    #expect(names.isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test func `does not take a directory for a file`() async throws {
    let server = try FaultServer { _ in ok([1]) }
    let error = await failure {
      try await session.download(server.url(), to: .file(folder.path), options: options())
    }
    #expect(error?.code == .cannotCreateFile)
    #expect(server.requests.isEmpty)
  }
}
