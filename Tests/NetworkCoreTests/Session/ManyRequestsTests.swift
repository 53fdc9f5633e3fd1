import NetworkCore
import ProgressReporting
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("Many requests over one session")
struct ManyRequestsTests {
  let folder: TemporaryDirectory
  let session: NetworkSession

  init() throws {
    folder = try TemporaryDirectory()
    session = try NetworkSession()
  }

  /// What the process holds.
  struct Holdings {
    var descriptors: Int
    var loopThreads: Int
    var residentKiB: Int

    init() throws {
      descriptors = try FileSystem.names(in: "/proc/self/fd").count
      loopThreads = try FileSystem.names(in: "/proc/self/task").count { thread in
        (try? Self.text("/proc/self/task/\(thread)/comm")) == "fetch-loop\n"
      }
      let line = try Self.text("/proc/self/status").split(separator: "\n")
        .first { $0.hasPrefix("VmRSS:") }
      residentKiB = Int(line?.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    private static func text(_ path: String) throws -> String {
      String(decoding: try FileDescriptor.open(path).readToEnd(limit: 1 << 16), as: UTF8.self)
    }
  }

  private func read(_ url: String, times: Int) async throws {
    let session = session
    try await withThrowingTaskGroup(of: Int.self) { group in
      var asked = 0
      for _ in 0..<8 {
        group.addTask { try await session.read(url).count }
        asked += 1
      }
      while let count = try await group.next() {
        #expect(count == 10 << 10)
        guard asked < times else { continue }
        group.addTask { try await session.read(url).count }
        asked += 1
      }
    }
  }

  @Test(.enabled(if: NginxServer.program != nil, "nginx is not installed"))
  func `ten thousand of them need no more than a few hundred`() async throws {
    let server = try NginxServer()
    try server.root.write("f", pattern(10 << 10))
    try await read(server.url("f"), times: 500)
    let before = try Holdings()
    try await read(server.url("f"), times: 9500)
    let after = try Holdings()
    #expect(after.descriptors <= before.descriptors + 4)
    #expect(after.loopThreads == before.loopThreads)
    // 2 KiB kept for each request would be more.
    #expect(after.residentKiB <= before.residentKiB + (18 << 10))
    // A line is written behind the answer.
    #expect(try await eventually { server.log.count == 10_000 })
  }

  @Test func `a long list comes whole, and says what did not`() async throws {
    let server = try FaultServer { request in
      request.path == "/17" ? [.text("HTTP/1.1 404 No\nContent-Length: 0\n\n")] : ok([1, 2, 3])
    }
    let items = (0..<300).map {
      DownloadItem(url: server.url("/\($0)"), target: .directory(folder.path))
    }
    let order = Mutex<[Int]>([])
    let before = try FileSystem.names(in: "/proc/self/fd").count
    let outcomes = try await session.downloadAll(items, jobs: 3) { index, _ in
      order.withLock { $0.append(index) }
    }
    for (index, outcome) in outcomes.enumerated() {
      switch outcome {
      case .success(let report): #expect(report.path == folder.path("\(index)"))
      case .failure(let error):
        #expect(index == 17)
        #expect(error.code == .fileDoesNotExist)
      }
    }
    #expect(order.withLock { $0.sorted() } == Array(0..<300))
    #expect(
      try FileSystem.names(in: folder.path).sorted()
        == (0..<300).filter { $0 != 17 }.map { "\($0)" }.sorted())
    #expect(server.requests.map(\.concurrent).max() ?? 0 <= 3)
    #expect(try FileSystem.names(in: "/proc/self/fd").count <= before + 20)
  }

  @Test func `a list takes up the parts that it left`() async throws {
    let body = pattern(700_000)
    let server = try FaultServer { request in
      let steps = serve(body, request)
      guard request.number < 2, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(400_000))), .close]
    }
    let items = (0..<2).map {
      DownloadItem(url: server.url("/\($0)"), target: .directory(folder.path))
    }
    var options = DownloadOptions()
    options.retryLimit = 0
    let broken = try await session.downloadAll(items, options: options)
    #expect(broken.allSatisfy { (try? $0.get()) == nil })
    let outcomes = try await session.downloadAll(items, options: options)
    #expect(outcomes.compactMap { try? $0.get().resumedBytes } == [400_000, 400_000])
    #expect(try folder.read("0") == body)
    #expect(try folder.read("1") == body)
  }
}
