import NetworkCore
import ProgressReporting
import SystemIO
import TestSupport
import Testing

@Suite("What a download costs")
struct SyncingTests {
  let folder: TemporaryDirectory
  let session: NetworkSession

  init() throws {
    folder = try TemporaryDirectory()
    session = try NetworkSession()
  }

  var target: DownloadTarget { .file(folder.path("file")) }

  /// What the journal would prove after the machine had stopped.
  var syncedBytes: UInt64 {
    guard let bytes = try? folder.read("file.part.journal"), let state = JournalState(bytes) else {
      return 0
    }
    return state.proven(bootID: "another boot", partSize: .max).count
  }

  @Test func `a machine that stops in the middle does not cost what came before`() async throws {
    let body = pattern(3 << 20)
    let server = try FaultServer { request in
      let steps = serve(body, request)
      guard request.number == 0, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(2 << 20))), .hang]
    }
    var options = DownloadOptions()
    options.connections = .fixed(1)
    let task = session.downloadTask(server.url(), to: target, options: options)
    task.start()
    // The connection is open and silent: nothing but the passing of time makes the checkpoint.
    // The last quarter of a MiB is noted at the end of a run only.
    try #require(
      try await eventually {
        syncedBytes >= 7 << 18 && task.meter.snapshot().completed >= 2 << 20
      })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.result() }
    #expect(syncedBytes == 2 << 20)
    let report = try await session.download(server.url(), to: target)
    #expect(report.resumedBytes == 2 << 20)
    #expect(try folder.read("file") == body)
  }

  @Test func `a version that is gone is not claimed by a later checkpoint`() async throws {
    let (old, new) = (pattern(2 << 20), pattern(1 << 20, seed: 5))
    let server = try FaultServer { request in
      switch request.number {
      case 0:
        return Array(serve(old, request).prefix(1)) + [.send(Array(old.prefix(1 << 20))), .close]
      case 1:
        let steps = serve(new, request, tag: "v2")
        return [steps[0], .send(Array(new.prefix(300 << 10))), .hang]
      default: return serve(new, request, tag: "v2")
      }
    }
    // On a slow machine it would look worth while to try others beside it.
    var options = DownloadOptions()
    options.connections = .fixed(1)
    let task = session.downloadTask(server.url(), to: target, options: options)
    task.start()
    // The last quarter of a MiB is noted at the end of a run only.
    try #require(
      try await eventually { 256 << 10...300 << 10 ~= syncedBytes && server.requests.count == 2 })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.result() }
    _ = try await session.download(server.url(), to: target)
    #expect(try folder.read("file") == new)
  }

  @Test func `few bytes are there at once, not when many have come`() async throws {
    let server = try FaultServer { _ in
      [.text("HTTP/1.1 200 OK\nContent-Length: 100\n\nabc"), .hang]
    }
    let task = session.downloadTask(server.url(), to: target)
    task.start()
    try #require(try await eventually { task.meter.snapshot().completed >= 3 })
    #expect(try folder.read("file.part") == Array("abc".utf8))
    task.cancel()
    _ = try? await task.result()
  }

  @Test func `a connection that breaks every 5 MiB hardly moves more than the file`() async throws {
    let body = pattern(23 << 20)
    let step = 5 << 20
    let server = try FaultServer { request in
      let steps = serve(body, request)
      guard case .send(let bytes)? = steps.last, bytes.count > step else { return steps }
      // A reset throws away what is on its way: that would be the server's waste, not ours.
      return [steps[0], .send(Array(bytes.prefix(step))), .arrival, .reset]
    }
    // On a slow machine it would look worth while to try others beside it, and to drop them.
    var options = DownloadOptions()
    options.connections = .fixed(1)
    let report = try await session.download(server.url(), to: target, options: options)
    #expect(try folder.read("file") == body)
    #expect(server.requests.count >= 5)
    #expect(Double(server.sentBytes) <= 1.05 * Double(body.count))
    #expect(Double(report.wireBytes) <= 1.05 * Double(body.count))
  }
}
