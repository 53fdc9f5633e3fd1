import NetworkCore
import ProgressReporting
import SystemIO
import TestSupport
import Testing

@Suite("Resume data")
struct ResumeDataTests {
  let folder: TemporaryDirectory
  let session: NetworkSession
  let body = pattern(700_000)

  init() throws {
    folder = try TemporaryDirectory()
    session = try NetworkSession()
  }

  /// A good server that stands still in its first answer, after 500 000 bytes.
  func standing(_ tag: @escaping @Sendable (Int) -> String = { _ in "v1" }) throws -> FaultServer {
    try FaultServer { [body] request in
      let steps = serve(body, request, tag: tag(request.number))
      guard request.number == 0, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(500_000))), .hang]
    }
  }

  func begin(_ url: String, _ target: DownloadTarget? = nil) async throws -> DownloadTask {
    let task = session.downloadTask(url, to: target ?? .file(folder.path("f")))
    task.start()
    try #require(try await eventually { task.meter.snapshot().completed >= 500_000 })
    return task
  }

  func failure(_ body: () async throws -> Void) async -> NetworkError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? NetworkError
    }
  }

  @Test func `takes a download on in another session`() async throws {
    let server = try standing()
    let task = try await begin(server.url(), .directory(folder.path))
    let data = try #require(await task.cancelProducingResumeData())
    #expect(data.url == server.url())
    #expect(!data.needsURL)
    #expect(data.target == folder.path("file"))
    #expect(data.storedBytes == 500_000)
    #expect(data.totalBytes == 700_000)
    let copy = try ResumeData(data.bytes)
    #expect(copy == data)
    let report = try await NetworkSession().download(resuming: copy)
    #expect(report.resumedBytes == 500_000)
    #expect(report.path == folder.path("file"))
    #expect(try folder.read("file") == body)
    // It is whole: there is nothing to take on any more.
    #expect(await task.resumeData() == nil)
    let error = await failure { _ = try await session.download(resuming: data) }
    #expect(error?.code == .cannotOpenFile)
    #expect(error?.systemCode?.name == "ENOENT")
  }

  @Test func `is there after a pause and after a failure`() async throws {
    let server = try standing()
    let task = try await begin(server.url())
    task.pause()
    // Bytes are counted before the journal has them.
    try #require(
      try await eventually { await task.resumeData()?.storedBytes ?? 0 >= 256 << 10 })
    task.cancel()
    _ = try? await task.result()
    let part = try #require(try await PartialDownload.list(in: folder.path).first)
    let data = try #require(part.resumeData)
    #expect(data.storedBytes == 500_000)
    let next = session.downloadTask(resuming: data)
    #expect(try await next.result().resumedBytes == 500_000)
    #expect(try folder.read("f") == body)
  }

  @Test func `keeps no secret and asks for the URL instead`() async throws {
    let server = try standing()
    let url = "http://joe:hunter2@127.0.0.1:\(server.port)/f?token=hunter2&x=1"
    let task = try await begin(url)
    let data = try #require(await task.cancelProducingResumeData())
    #expect(!String(decoding: data.bytes, as: UTF8.self).contains("hunter2"))
    #expect(data.needsURL)
    let error = await failure { _ = try await session.download(resuming: data) }
    #expect(error?.code == .cannotDecodeRawData)
    #expect(error?.category == .usage)
    let other = await failure {
      _ = try await session.download(resuming: data, url: server.url("/other"))
    }
    #expect(other?.code == .cannotOpenFile)
    let report = try await session.download(resuming: data, url: url)
    #expect(report.resumedBytes == 500_000)
    #expect(try folder.read("f") == body)
  }

  @Test func `goes on at a new URL when told`() async throws {
    let server = try standing()
    let task = try await begin(server.url("/f?expires=1"))
    let data = try #require(await task.cancelProducingResumeData())
    var options = DownloadOptions()
    options.adoptsOtherURL = true
    let report = try await session.download(
      resuming: data, url: server.url("/f?expires=2"), options: options)
    #expect(report.resumedBytes == 500_000)
    #expect(try folder.read("f") == body)
  }

  @Test func `does not fit a part that went on to another version`() async throws {
    let server = try standing { $0 == 0 ? "v1" : "v2" }
    let task = try await begin(server.url())
    let data = try #require(await task.cancelProducingResumeData())
    // Another download of the same URL finds a new version, and is interrupted in its turn.
    let changed = try FaultServer { [body] request in
      let steps = serve(body, request, tag: "v2")
      guard case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(400_000))), .close]
    }
    var options = DownloadOptions()
    options.retryLimit = 0
    options.adoptsOtherURL = true
    await #expect(throws: NetworkError.self) {
      try await session.download(
        changed.url(), to: .file(folder.path("f")), options: options)
    }
    let error = await failure { _ = try await session.download(resuming: data) }
    #expect(error?.code == .cannotOpenFile)
    #expect(error?.path == folder.path("f.part"))
  }

  @Test func `that is damaged anywhere is refused`() async throws {
    let server = try standing()
    let task = try await begin(server.url())
    let bytes = try #require(await task.cancelProducingResumeData()).bytes
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x20
      let cut = Array(bytes[..<index])
      for bad in [damaged, cut, bytes + [0]] {
        let error = await failure { _ = try ResumeData(bad) }
        #expect(error?.code == .cannotDecodeRawData, "\(index)")
      }
    }
  }

  @Test func `is not made of nothing`() async throws {
    #expect(ResumeData(partOf: folder.path("none")) == nil)
    try folder.write("x.part", text: "somebody else's")
    #expect(ResumeData(partOf: folder.path("x")) == nil)
    let idle = session.downloadTask("http://127.0.0.1/", to: .file(folder.path("y")))
    #expect(await idle.resumeData() == nil)
  }
}
