import NetworkCore
import SystemIO
import TestSupport
import Testing

@Suite("HTTP/2", .timeLimit(.minutes(2)))
struct HTTP2Tests {
  static let body = pattern(3000)
  let folder: TemporaryDirectory
  let authority: ServerIdentity
  let identity: ServerIdentity
  let trusted: String

  init() throws {
    folder = try TemporaryDirectory()
    authority = try ServerIdentity.authority()
    identity = try ServerIdentity(signedBy: authority)
    trusted = try folder.write("ca", authority.pem())
  }

  private func download(
    _ url: String, retries: Int = 5, _ version: TransferSettings.HTTPVersion = .http2
  ) async throws -> Trial {
    try await Trial.download(url, retries: retries) {
      $0.transfer.certificateAuthorities = trusted
      $0.transfer.version = version
    }
  }

  private func server(
    _ script: @escaping @Sendable (FaultServer.Request) -> [FaultServer.Step]
  ) throws -> FaultServer {
    var security = ServerSecurity(identity)
    security.speaksHTTP2 = true
    return try FaultServer(security: security, script)
  }

  @Test(.enabled(if: NginxServer.program != nil, "nginx is not installed"))
  func `is spoken with nginx where it is wanted, and 1.1 where it is not`() async throws {
    let server = try NginxServer(identity: identity)
    try server.root.write("f", Self.body)
    #expect(try await download(server.url("f")).file == Self.body)
    #expect(try await download(server.url("f"), .http1).file == Self.body)
    let missing = try await download(server.url("none")).failed(.fileDoesNotExist)
    #expect(missing.httpStatus == 404)
    // The line is written behind the answer.
    try #require(try await eventually { server.log.count == 3 })
    #expect(
      server.log.map { $0.split(separator: " ").last } == ["HTTP/2.0", "HTTP/1.1", "HTTP/2.0"])
  }

  /// What a server does to every stream, and how often it is tried before 1.1 is.
  enum Breakage: UInt32, CaseIterable {
    case protocolError = 1
    case internalError = 2
    case wantsOldVersion = 13
    case nonsense = 1000

    func frame(_ stream: UInt32) -> [UInt8] {
      // Data of no stream is what the protocol does not have.
      self == .nonsense
        ? [0, 0, 1, 0, 0, 0, 0, 0, 0, 7] : HTTP2Frame.reset(rawValue, stream: stream)
    }
    var tries: Int { self == .wantsOldVersion ? 1 : 2 }
  }

  @Test(arguments: Breakage.allCases)
  func `that breaks is given up for 1.1`(breakage: Breakage) async throws {
    let server = try server { request in
      request.lines.isEmpty ? [.send(breakage.frame(request.stream)), .wait(.zero)] : ok(Self.body)
    }
    let trial = try await download(server.url())
    #expect(trial.file == Self.body, "\(trial.error?.detailedDescription ?? "")")
    let old = server.requests.filter { !$0.lines.isEmpty }.count
    #expect(old == 1)
    #expect((1...breakage.tries).contains(server.requests.count - old), "\(server.requests.count)")
  }

  @Test func `whose server goes away at once is tried again`() async throws {
    let server = try server { request in
      switch (request.lines.isEmpty, request.number) {
      case (true, 0): [.send(HTTP2Frame.goAway(last: 0)), .close]
      case (true, _):
        [
          .send(
            HTTP2Frame.head(
              200, [("content-length", "\(Self.body.count)")], stream: request.stream)),
          .send(HTTP2Frame.data(Self.body, isLast: true, stream: request.stream)), .wait(.zero),
        ]
      default: ok(Self.body)
      }
    }
    #expect(try await download(server.url()).file == Self.body)
    #expect(server.requests.count == 2)
  }

  @Test func `that breaks, as 1.1 does, is an error of the network`() async throws {
    let server = try server { request in
      request.lines.isEmpty ? [.send(HTTP2Frame.reset(2, stream: request.stream))] : [.reset]
    }
    let error = try await download(server.url(), retries: 3).failed(.networkConnectionLost)
    #expect(error.attempt == 4)
    #expect(error.exitStatus == 4)
  }
}
