import SystemIO
import TestSupport
import Testing

@Suite("fetch, killed and started again")
struct KillTests {
  @Test(.enabled(if: NginxServer.program != nil, "nginx is not installed"))
  func `brings the whole file without asking twice for what it had`() async throws {
    // Slow behind the first 4 MiB of an answer, where the request says so: no run is done before it is killed.
    let server = try NginxServer(location: "limit_rate_after 4m; limit_rate $http_x_rate;")
    let size = 40 << 20
    // Noise from the kernel: bytes in a wrong place do not go unseen.
    var content = [UInt8](repeating: 0, count: size)
    let noise = try FileDescriptor.open("/dev/urandom")
    for start in stride(from: 0, to: size, by: 1 << 20) {
      _ = try unsafe content.withUnsafeMutableBytes { bytes in
        try unsafe noise.read(into: .init(rebasing: bytes[start..<min(start + (1 << 20), size)]))
      }
    }
    try server.root.write("big", content)
    let folder = try TemporaryDirectory()
    func arguments(rate: String) -> [String] {
      ["-q", "-n", "1", "-H", "X-Rate: \(rate)", "-o", folder.path("big"), server.url("big")]
    }
    let part = folder.path("big.part")
    for round in 1...5 {
      let program = try RunningProgram("fetch", arguments(rate: "64k"))
      // A little more than the runs before it, however long that takes here.
      let isThere = try await eventually {
        (try? FileSystem.status(part).size) ?? 0 >= UInt64(round) * 3 << 20
      }
      #expect(isThere)
      try program.send(Signal(9))
      #expect(try await program.finish() == .signalled(9))
      #expect(!FileSystem.exists(folder.path("big")))
    }
    let last = try await BuiltProgram.run("fetch", arguments(rate: "0"))
    #expect(last.status == 0, "\(last.errors)")
    #expect(try folder.read("big") == content)
    #expect(try FileSystem.names(in: folder.path) == ["big"])
    // The log counts what left the server, part of which was still in the kernel's buffers when the
    // reader was killed.
    let wasted = server.servedBytes - size
    #expect(wasted < 5 * (6 << 20), "\(server.log)")
    #expect(server.log.last?.contains("bytes=") == true)
  }

  @Test func `stops cleanly on SIGINT and dies by it`() async throws {
    let server = try FaultServer { _ in
      [
        .text("HTTP/1.1 200 OK\nETag: \"a\"\nContent-Length: 1000000\n\n"),
        .send([UInt8](repeating: 7, count: 600_000)), .hang,
      ]
    }
    let folder = try TemporaryDirectory()
    let program = try RunningProgram("fetch", ["-o", folder.path("f"), server.url()])
    #expect(try await eventually { (try? folder.read("f.part").count) ?? 0 >= 600_000 })
    try program.send(.interrupt)
    #expect(try await program.finish() == .signalled(2))
    #expect(try FileSystem.names(in: folder.path).sorted() == ["f.part", "f.part.journal"])
    #expect(try folder.read("f.part").count >= 600_000)
  }
}
