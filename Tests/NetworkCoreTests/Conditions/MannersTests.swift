import NetworkCore
import ProgressReporting
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("A busy server", .timeLimit(.minutes(3)))
struct MannersTests {
  static let body = pattern(4 << 20)

  /// How many requests a server has at a time, and the most it had.
  final class Load: Sendable {
    private let state = Mutex((now: 0, most: 0, refused: 0))

    /// A place of a request, for as long as somebody holds it.
    final class Place: Sendable {
      private let load: Load
      private let isHeld = Mutex(true)
      fileprivate init(_ load: Load) { self.load = load }
      deinit { leave() }

      /// Gives it up; before the last byte of an answer, so that whoever has it whole finds the place free.
      func leave() {
        let wasHeld = isHeld.withLock { held in
          defer { held = false }
          return held
        }
        if wasHeld { load.state.withLock { $0.now -= 1 } }
      }
    }

    /// A place where there is one within the limit.
    func enter(limit: Int) -> Place? {
      state.withLock { state in
        guard state.now < limit else {
          state.refused += 1
          return nil
        }
        state.now += 1
        state.most = max(state.most, state.now)
        return Place(self)
      }
    }
    var refused: Int { state.withLock { $0.refused } }
    var most: Int { state.withLock { $0.most } }
  }

  @Test(arguments: [
    "Retry-After: 1\n",
    "Date: Sun, 06 Nov 1994 08:49:37 GMT\nRetry-After: Sun, 06 Nov 1994 08:49:38 GMT\n",
  ])
  func `that names a wait is left alone so long`(fields: String) async throws {
    let server = try FaultServer { request in
      request.number == 0
        ? [.text("HTTP/1.1 429 Slow\n\(fields)Content-Length: 0\n\n")] : ok([1, 2])
    }
    let began = Environment.monotonicNow
    let trial = try await Trial.download(server.url(), retries: 1)
    #expect(trial.file == [1, 2], "\(String(describing: trial.error))")
    #expect(Environment.monotonicNow - began >= .seconds(1))
    #expect(server.requests.count == 2)
  }

  @Test func `that asks for more patience than there is ends it at once, and says how much`()
    async throws
  {
    let server = try FaultServer { _ in
      [.text("HTTP/1.1 503 Later\nRetry-After: 86400\nContent-Length: 0\n\n")]
    }
    let error = try await Trial.download(server.url(), retries: 5).failed(.resourceUnavailable)
    #expect(error.retryAfter == .seconds(86400))
    #expect(error.httpStatus == 503)
    #expect(server.requests.count == 1)
  }

  @Test func `that breaks off again and again is asked for the rest only`() async throws {
    let (size, step) = (Self.body.count, 300_000)
    let server = try FaultServer { request in
      let first = request.range?.first ?? 0
      let end = min(size, first + step)
      let status = first == 0 ? "200 OK" : "206 Partial Content"
      let range = first == 0 ? "" : "Content-Range: bytes \(first)-\(size - 1)/\(size)\n"
      return [
        .text("HTTP/1.1 \(status)\nETag: \"a\"\n\(range)Content-Length: \(size - first)\n\n"),
        .send(Array(Self.body[first..<end])), .close,
      ]
    }
    // Far more breaks than tries: each that brings something does not count.
    let trial = try await Trial.download(server.url(), retries: 1) { $0.connections = .fixed(1) }
    #expect(trial.file == Self.body, "\(String(describing: trial.error))")
    #expect(server.requests.count > 10)
  }

  @Test(arguments: [false, true])
  func `that serves one connection only still gives the file`(resets: Bool) async throws {
    let load = Load()
    let server = try FaultServer { request in
      guard let place = load.enter(limit: 1) else {
        return resets ? [.reset] : [.text("HTTP/1.1 503 Busy\nContent-Length: 0\n\n"), .close]
      }
      var steps = Self.answer(request)
      // Others are asked for meanwhile; it ends with the place given up and the last byte.
      guard case .send(let body)? = steps.popLast() else { return steps }
      return steps + [
        .send(Array(body.prefix(body.count / 2))), .until { load.refused > 0 },
        .send(Array(body[(body.count / 2)..<(body.count - 1)])), .act { place.leave() },
        .send(Array(body.suffix(1))),
      ]
    }
    let trial = try await Trial.download(server.url(), retries: 3) {
      $0.connections = .fixed(4)
    }
    #expect(trial.file == Self.body, "\(String(describing: trial.error))")
    #expect(load.refused > 0)
    #expect(load.refused < 12, "asked again \(load.refused) times")
  }

  /// The answer to a request for the body or a part of it.
  private static func answer(_ request: FaultServer.Request) -> [FaultServer.Step] {
    let size = body.count
    let first = request.range?.first ?? 0
    let last = request.range?.last ?? size - 1
    let range = request.range == nil ? "" : "Content-Range: bytes \(first)-\(last)/\(size)\n"
    let status = request.range == nil ? "200 OK" : "206 Partial Content"
    return [
      .text("HTTP/1.1 \(status)\nETag: \"a\"\n\(range)Content-Length: \(last + 1 - first)\n\n"),
      .send(Array(body[first...last])),
    ]
  }

  @Test func `gets fewer files of a batch at a time`() async throws {
    let load = Load()
    let server = try FaultServer { _ in
      guard let place = load.enter(limit: 2) else {
        return [.text("HTTP/1.1 503 Busy\nContent-Length: 0\n\n")]
      }
      // The first two wait for somebody who is turned away.
      return [.until { load.refused > 0 }, .wait(.milliseconds(20)), .act { place.leave() }]
        + ok([7])
    }
    let folder = try TemporaryDirectory()
    let items = (0..<60).map {
      DownloadItem(url: server.url("/\($0)"), target: .file(folder.path("\($0)")))
    }
    var options = DownloadOptions()
    options.retryLimit = 20
    options.transfer.proxy = ""
    let outcomes = try await NetworkSession().downloadAll(items, jobs: 16, options: options)
    for outcome in outcomes { _ = try outcome.get() }
    // Sixteen at a time all along would be refused far more often than they are served.
    #expect(load.refused < 90, "\(load.refused)")
    #expect(load.refused > 0)
  }

  @Test func `does not hold up another one`() async throws {
    let busy = try FaultServer { request in
      request.number < 1
        ? [.text("HTTP/1.1 503 Busy\nRetry-After: 3\nContent-Length: 0\n\n")] : ok([1])
    }
    let idle = try FaultServer { _ in ok([2]) }
    let folder = try TemporaryDirectory()
    var options = DownloadOptions()
    options.transfer.proxy = ""
    // Hosts are told apart by name, and both of these are this machine.
    let other = idle.url().replacing("127.0.0.1", with: "localhost")
    let items = [busy.url(), busy.url("/b"), other].enumerated().map {
      DownloadItem(url: $1, target: .file(folder.path("\($0)")))
    }
    let order = Mutex<[Int]>([])
    let outcomes = try await NetworkSession().downloadAll(items, jobs: 3, options: options) {
      index, _ in order.withLock { $0.append(index) }
    }
    for outcome in outcomes { _ = try outcome.get() }
    // One of the two is told to wait; it is the last to end.
    #expect(order.withLock { $0.last } != 2)
  }

  @Test func `can be left while it is waited for`() async throws {
    let server = try FaultServer { _ in
      [.text("HTTP/1.1 503 Busy\nRetry-After: 100\nContent-Length: 0\n\n")]
    }
    let folder = try TemporaryDirectory()
    let session = try NetworkSession()
    let url = server.url()
    var options = DownloadOptions()
    options.transfer.proxy = ""
    let work = (0..<3).map { number in
      Task { [options] in
        try await session.download(url, to: .file(folder.path("\(number)")), options: options)
      }
    }
    try #require(try await eventually { !server.requests.isEmpty })
    // Time to ask again, for who would.
    try await Task.sleep(for: .milliseconds(200))
    for task in work { task.cancel() }
    for task in work {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(server.requests.count <= 3)
  }
}
