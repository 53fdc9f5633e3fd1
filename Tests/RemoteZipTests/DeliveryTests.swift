import NetworkCore
import ProgressReporting
import RemoteZip
import Synchronization
import SystemIO
import TestSupport
import Testing
import ZipKitCore

@Suite("A delivery")
struct DeliveryTests {
  let folder: TemporaryDirectory
  let session: NetworkSession
  var target: String { folder.path("out") }

  init() throws {
    folder = try TemporaryDirectory()
    session = try NetworkSession()
  }

  static let sample = ZipBuilder([
    .init("a.txt", "first", method: 8), .init("docs/b.txt", String(repeating: "b", count: 90_000)),
    .init("docs/link", "b.txt", mode: 0o120777),
  ]).bytes()

  func ok(_ body: [UInt8], announcing length: Int? = nil) -> [FaultServer.Step] {
    [
      .text("HTTP/1.1 200 OK\nETag: \"1\"\nContent-Length: \(length ?? body.count)\n\n"),
      .send(body), .close,
    ]
  }

  func options() -> DeliveryOptions {
    var options = DeliveryOptions()
    options.download.retryLimit = 0
    return options
  }

  /// Everything below the target, hidden names included.
  func names(_ path: String = "out") throws -> [String] {
    try FileSystem.names(in: folder.path(path)).sorted()
  }

  @Test func `brings every entry and leaves nothing of its own`() async throws {
    let server = try NginxServer()
    try server.root.write("sample.zip", Self.sample)
    let meter = WorkMeter("Delivering")
    let report = try await RemoteZip.deliver(
      server.url("sample.zip"), into: target, session: session, progress: meter.share())
    #expect(report.isComplete)
    #expect(report.failures.isEmpty)
    #expect(report.failureCategory == nil)
    #expect(report.download.byteCount == UInt64(Self.sample.count))
    #expect(report.extraction.count(of: .done) == 2)
    #expect(try names() == ["a.txt", "docs"])
    #expect(try folder.read("out/a.txt") == Array("first".utf8))
    #expect(try folder.read("out/docs/link").count == 90_000)
    #expect(meter.snapshot().fraction == 1)
  }

  @Test func `is one bar that never falls, with a label for each step`() async throws {
    let seen = Mutex<[WorkSnapshot]>([])
    let body = Self.sample
    let meter = WorkMeter("Delivering")
    let server = try FaultServer { _ in
      [
        .text("HTTP/1.1 200 OK\nContent-Length: \(body.count)\n\n"),
        .send(Array(body[..<40_000])),
        .until { seen.withLock { $0.contains { $0.fraction ?? 0 > 0 } } },
        .send(Array(body[40_000...])),
      ]
    }
    let watch = Task {
      while !Task.isCancelled {
        let snapshot = meter.snapshot()
        seen.withLock { $0.append(snapshot) }
        try? await Task.sleep(for: .milliseconds(2))
      }
    }
    _ = try await RemoteZip.deliver(
      server.url(), into: target, session: session, options: options(), progress: meter.share())
    watch.cancel()
    await watch.value
    let last = meter.snapshot()
    let all = seen.withLock { $0 } + [last]
    let fractions = all.compactMap(\.fraction)
    #expect(fractions == fractions.sorted())
    #expect(last.fraction == 1)
    let labels = all.compactMap { $0.children.first?.label }
    #expect(labels.contains("Downloading…"))
    #expect(labels.last == "Extracting…")
    // While it downloads, the half of a half-loaded archive is a quarter and never more than a half.
    let loading = all.filter { $0.children.first?.label == "Downloading…" }.compactMap(\.fraction)
    #expect(loading.contains { $0 > 0 })
    #expect(loading.allSatisfy { $0 <= 0.5 })
  }

  @Test func `names each entry that failed, and brings the others`() async throws {
    let body = ZipBuilder([
      .init("good.txt", "good"), .init("bad.txt", "bad").with { $0.central = { $0.crc ^= 1 } },
      .init("../climbs.txt", "out"),
    ]).bytes()
    let server = try FaultServer { [self] _ in ok(body) }
    let report = try await RemoteZip.deliver(
      server.url(), into: target, session: session, options: options())
    #expect(!report.isComplete)
    #expect(report.failures.map(\.name) == ["bad.txt", "../climbs.txt"])
    #expect(report.failures.map(\.status) == [.failed, .refused])
    #expect(report.failures[0].problems.first?.code == .crcMismatch)
    #expect(report.failureCategory == .integrity)
    #expect(try names() == ["good.txt"])
    #expect(try names(".") == ["out"])
  }

  @Test func `that cannot be downloaded throws the network's error and keeps the part`()
    async throws
  {
    let server = try FaultServer { [self] request in
      request.number == 0
        ? ok(Array(Self.sample[..<50_000]), announcing: Self.sample.count)
        : [
          .text(
            "HTTP/1.1 206 Partial\nETag: \"1\"\nContent-Range: bytes "
              + "\(request.range?.first ?? 0)-\(Self.sample.count - 1)/\(Self.sample.count)\n"
              + "Content-Length: \(Self.sample.count - (request.range?.first ?? 0))\n\n"),
          .send(Array(Self.sample[(request.range?.first ?? 0)...])),
        ]
    }
    let error = await #expect(throws: NetworkError.self) {
      _ = try await RemoteZip.deliver(
        server.url(), into: target, session: session, options: options())
    }
    #expect(error?.code == .networkConnectionLost)
    #expect(try names().contains(".courier-delivery.zip.part"))
    #expect(try !names().contains("a.txt"))

    let report = try await RemoteZip.deliver(
      server.url(), into: target, session: session, options: options())
    #expect(report.download.resumedBytes > 0)
    #expect(report.isComplete)
    #expect(try names() == ["a.txt", "docs"])
  }

  @Test func `sweeps the part after a failure where that is asked for`() async throws {
    let server = try FaultServer { [self] _ in
      ok(Array(Self.sample[..<50_000]), announcing: Self.sample.count)
    }
    var options = options()
    options.sweepsAfterFailure = true
    await #expect(throws: NetworkError.self) {
      _ = try await RemoteZip.deliver(
        server.url(), into: target, session: session, options: options)
    }
    #expect(try names() == [])
  }

  @Test func `of something that is no zip says so and leaves nothing`() async throws {
    let server = try FaultServer { [self] _ in ok(Array("<html>no archive</html>".utf8)) }
    let error = await #expect(throws: ZipError.self) {
      _ = try await RemoteZip.deliver(
        server.url(), into: target, session: session, options: options())
    }
    #expect(error?.code == .noEndRecord)
    #expect(error?.category == .integrity)
    #expect(try names() == [])
  }

  @Test func `into a file says so before anything is asked of the server`() async throws {
    try folder.write("out", [1])
    let server = try FaultServer { [self] _ in ok(Self.sample) }
    let error = await #expect(throws: ZipError.self) {
      _ = try await RemoteZip.deliver(
        server.url(), into: target, session: session, options: options())
    }
    #expect(error?.code == .targetUnusable)
    #expect(error?.category == .file)
    #expect(server.requests.isEmpty)
    #expect(try folder.read("out") == [1])
  }

  @Test func `cancelled while it downloads sweeps what it made`() async throws {
    let body = Self.sample
    let server = try FaultServer { _ in
      [
        .text("HTTP/1.1 200 OK\nContent-Length: \(body.count)\n\n"), .send(Array(body[..<50_000])),
        .hang,
      ]
    }
    let meter = WorkMeter("Delivering")
    let folder = folder
    let cancel = Task {
      let part = folder.path("out/.courier-delivery.zip.part")
      try #require(try await eventually { (try? FileSystem.status(part).size) ?? 0 > 0 })
      meter.cancellation.cancel()
    }
    await #expect(throws: CancellationError.self) {
      _ = try await RemoteZip.deliver(
        server.url(), into: target, session: session, progress: meter.share())
    }
    try await cancel.value
    #expect(try names() == [])
  }

  @Test func `cancelled by its task sweeps what it made`() async throws {
    let body = Self.sample
    let server = try FaultServer { _ in
      [
        .text("HTTP/1.1 200 OK\nContent-Length: \(body.count)\n\n"), .send(Array(body[..<50_000])),
        .hang,
      ]
    }
    let (session, target) = (session, target)
    let url = server.url()
    let delivery = Task { _ = try await RemoteZip.deliver(url, into: target, session: session) }
    try #require(try await eventually { !server.requests.isEmpty })
    delivery.cancel()
    await #expect(throws: CancellationError.self) { try await delivery.value }
    #expect(try names() == [])
  }

  @Test func `cancelled while it extracts leaves whole files only`() async throws {
    let text = String(repeating: "x", count: 4 << 20)
    let body = ZipBuilder((0..<24).map { .init("f\($0)", text) }).bytes()
    let server = try NginxServer()
    try server.root.write("big.zip", body)
    let meter = WorkMeter("Delivering")
    let cancel = Task {
      while meter.snapshot().children.first?.label != "Extracting…" { await Task.yield() }
      meter.cancellation.cancel()
    }
    // It may be done before the switch is thrown; then every file is there.
    do {
      let report = try await RemoteZip.deliver(
        server.url("big.zip"), into: target, session: session, progress: meter.share())
      #expect(report.isComplete)
    } catch is CancellationError {}
    await cancel.value
    for name in try names() {
      #expect(try FileSystem.status(folder.path("out/\(name)")).size == UInt64(text.utf8.count))
    }
  }
}
