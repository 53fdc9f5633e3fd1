import SystemIO
import TestSupport
import Testing

/// Secrets in every place that takes any, and all that others could find them in.
@Suite("fetch, trusted with secrets", .timeLimit(.minutes(5)))
struct SecretTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  static let secrets = [
    "url-pa55", "user-pa55", "bearer-t0ken", "field-c00kie", "file-c00kie", "proxy-pa55",
    "query-t0ken", "signed-5ig", "redirect-t0ken", "key-in-a-field",
    // user:url-pa55 and the like as they go over the wire.
    "dXNlcjp1cmwtcGE1NQ", "bWU6dXNlci1wYTU1", "cHJveDpwcm94eS1wYTU1",
  ]

  /// How a server ends things, and what becomes of the run.
  enum Ending: String, CaseIterable {
    case success, refusal, wantsLogin, reset, loop, badTarget, brokenHead, hang
  }

  private func steps(_ ending: Ending, _ request: FaultServer.Request) -> [FaultServer.Step] {
    let start = "HTTP/1.1 200 OK\nETag: \"a\"\nContent-Length: 100000\n\n"
    let half = FaultServer.Step.send([UInt8](repeating: 7, count: 50_000))
    switch ending {
    case .success: return [.text(start), half, half]
    case .refusal:
      return [
        .text("HTTP/1.1 403 No\nContent-Length: 0\nSet-Cookie: s=field-c00kie\n\n"), .close,
      ]
    case .wantsLogin:
      return [
        .text(
          "HTTP/1.1 401 No\nWWW-Authenticate: Basic realm=\"x\"\nContent-Length: 0\n\n")
      ]
    case .reset: return [.text(start), half, .reset]
    case .loop:
      let next = "/n?token=redirect-t0ken&n=\(request.number)"
      return [.text("HTTP/1.1 302 Found\nLocation: \(next)\nContent-Length: 0\n\n")]
    case .badTarget:
      return [
        .text(
          "HTTP/1.1 302 F\nLocation: http://a:url-pa55@[x/?token=redirect-t0ken\n"
            + "Content-Length: 0\n\n")
      ]
    case .brokenHead: return [.text("HTTP/1.1 200 OK\nContent-Length: 1x\n\n"), .close]
    case .hang: return [.text(start), half, .hang]
    }
  }

  /// Each run; what it was given without a proxy, then all of it through one.
  private func arguments(_ server: FaultServer, throughProxy: Bool) throws -> [String] {
    let jar = try folder.write(
      "cookies", text: "127.0.0.1\tFALSE\t/\tFALSE\t0\tname\tfile-c00kie\n")
    let query = "?X-Amz-Signature=signed-5ig&token=query-t0ken&part=1"
    let common = [
      "--retry", "1", "-b", jar, "-H", "Authorization: Bearer bearer-t0ken",
      "--header=X-Api-Key: key-in-a-field", "-HCookie: a=field-c00kie",
      "--referer", "http://user:url-pa55@example.org/?token=query-t0ken",
      "-o", folder.path("out/f"),
    ]
    guard throughProxy else {
      return common + [
        "-u", "me:user-pa55", "http://user:url-pa55@127.0.0.1:\(server.port)/f\(query)",
      ]
    }
    return common + [
      "--proxy", "http://prox:proxy-pa55@127.0.0.1:\(server.port)",
      "http://user:url-pa55@files.invalid/f\(query)",
    ]
  }

  @Test(arguments: Ending.allCases, [false, true])
  func `keeps them to itself`(_ ending: Ending, _ throughProxy: Bool) async throws {
    try FileSystem.makeDirectory(folder.path("out"))
    let server = try FaultServer { steps(ending, $0) }
    for isJSON in [true, false] {
      let arguments = try arguments(server, throughProxy: throughProxy)
      let asked = server.requests.count
      let program = try RunningProgram("fetch", (isJSON ? ["--json"] : []) + arguments)
      var seen = ""
      if ending == .hang {
        // Where the run before left a part, this one may ask once more at once, without a condition.
        try #require(try await eventually { server.requests.count > asked })
        try #require(
          try await eventually { try !FileSystem.names(in: folder.path("out")).isEmpty })
        for name in ["cmdline", "comm", "status"] {
          seen += try text("/proc/\(program.id)/\(name)")
        }
        #expect(seen.contains("*****"))
        #expect(throughProxy == seen.contains("files.invalid"))
        try program.send(.terminate)
      }
      try await program.finish()
      seen += program.outputText + program.errorText
      for name in try FileSystem.names(in: folder.path("out")) {
        seen += "\(name) " + (try text(folder.path("out/" + name)))
      }
      for secret in Self.secrets { #expect(!seen.contains(secret), "\(secret) in \(seen)") }
      try? FileSystem.unlink(folder.path("out/f"))
    }
    let sent = server.requests.flatMap(\.lines).joined(separator: "\n")
    for secret in ["bearer-t0ken", "field-c00kie", "key-in-a-field"] {
      #expect(sent.contains(secret))
    }
    #expect(sent.contains("file-c00kie") == !throughProxy)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try FileDescriptor.open(path).readToEnd(limit: 1 << 22), as: UTF8.self)
  }

  @Test(arguments: [
    ["-H", "bearer-t0ken"], ["--header=bearer-t0ken"], ["-u", "a:user-pa55", "--nonsense", "x"],
    ["ftp://user:url-pa55@127.0.0.1:99999/"], ["http://user:url-pa55@[::1/?token=query-t0ken"],
    ["foo://user:url-pa55@h/?token=query-t0ken"], ["-n", "0", "http://user:url-pa55@h/"],
  ])
  func `shows none in what it does not understand`(_ arguments: [String]) async throws {
    let ended = try await BuiltProgram.run(
      "fetch", ["--retry", "0"] + arguments + ["http://127.0.0.1:1/"])
    #expect(ended.status != 0)
    for secret in Self.secrets {
      #expect(!(ended.errors + ended.output).contains(secret), "\(ended.errors)")
    }
  }
}
