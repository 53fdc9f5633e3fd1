import NetworkCore
import ProgressReporting
import SystemIO
import TestSupport
import Testing

@Suite("A file over several connections")
struct SegmentsTests {
  let folder: TemporaryDirectory
  let session: NetworkSession
  let body = pattern(8 << 20)

  init() throws {
    folder = try TemporaryDirectory()
    session = try NetworkSession()
  }

  /// The first answer waits in the middle until so many others are asked for; the rest is as `others` says.
  func fetch(
    waitingFor count: Int = 3,
    _ others: @escaping @Sendable (FaultServer.Request, [UInt8]) -> [FaultServer.Step]
  ) async throws -> (DownloadReport, [FaultServer.Request]) {
    let asked = Counter()
    let server = try FaultServer { [body] request in
      guard request.number == 0 else {
        asked.increment()
        // None is answered before all are asked: whoever has an answer has to share again.
        return [.until { asked.count >= count }] + others(request, body)
      }
      return others(request, body).flatMap { step -> [FaultServer.Step] in
        guard case .send(let bytes) = step, bytes.count > 1 << 20 else { return [step] }
        return [
          .send(Array(bytes.prefix(100_000))), .until { asked.count >= count },
          .send(Array(bytes.dropFirst(100_000))),
        ]
      }
    }
    var options = DownloadOptions()
    options.connections = .fixed(4)
    let report = try await session.download(
      server.url(), to: .file(folder.path("file")), options: options)
    #expect(try folder.read("file") == body)
    #expect(report.byteCount == 8 << 20)
    return (report, server.requests)
  }

  @Test func `is shared equally from the start`() async throws {
    let (report, requests) = try await fetch { request, body in serve(body, request) }
    #expect(report.connectionCount == 4)
    let starts = requests.prefix(4).map { $0.range?.first ?? 0 }.sorted()
    for (number, start) in starts.enumerated() {
      #expect(abs(start - number * (2 << 20)) < 200_000)
    }
  }

  @Test(arguments: ["", "Accept-Ranges: bytes\n"])
  func `comes over one where ranges are ignored, after few tries`(fields: String) async throws {
    let (_, requests) = try await fetch(waitingFor: 1) { _, body in ok(body, fields) }
    #expect(requests.count <= 6)
    #expect(requests.filter { $0.range == nil }.count <= 2)
  }

  @Test func `asks anew for what stands still at the end`() async throws {
    let (report, requests) = try await fetch { request, body in
      let steps = serve(body, request)
      guard request.number == 2, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(bytes.count / 2))), .hang]
    }
    #expect(requests.count >= 5)
    // Only the join is fetched twice.
    #expect(report.wireBytes < 8 << 20 + 1 << 20)
  }

  @Test func `a task that is cancelled waits for its connections and keeps what came`() async throws
  {
    let server = try FaultServer { [body] request in
      let steps = serve(body, request)
      guard request.number == 0, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(1 << 20))), .hang]
    }
    var options = DownloadOptions()
    options.connections = .fixed(1)
    let (session, target, meter) = (session, DownloadTarget.file(folder.path("file")), WorkMeter())
    let url = server.url()
    let task = Task { [options] in
      try await session.download(url, to: target, options: options, progress: meter.share())
    }
    try #require(
      try await eventually { meter.snapshot().children.first?.completed ?? 0 >= 1 << 20 })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try FileSystem.names(in: folder.path).sorted() == ["file.part", "file.part.journal"])
    let report = try await session.download(url, to: target, options: options)
    #expect(report.resumedBytes == 1 << 20)
    #expect(try folder.read("file") == body)
  }
}
