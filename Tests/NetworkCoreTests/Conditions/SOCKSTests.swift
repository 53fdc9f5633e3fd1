import NetworkCore
import SystemIO
import TestSupport
import Testing

@Suite("A SOCKS proxy", .timeLimit(.minutes(2)))
struct SOCKSTests {
  static let body = pattern(3000)

  /// What a SOCKS5 server answers: to the greeting, to the login, to the request.
  struct Script5: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var method: [UInt8]
    var login: [UInt8] = []
    var reply: [UInt8] = []
    var proxyUser = ""
    var code: NetworkErrorCode
    var proxyCode: String

    init(
      _ name: String, method: [UInt8] = [5, 0], login: [UInt8] = [], reply: [UInt8] = [],
      user: String = "", _ code: NetworkErrorCode, _ proxyCode: String
    ) {
      testDescription = name
      (self.method, self.login, self.reply, proxyUser) = (method, login, reply, user)
      (self.code, self.proxyCode) = (code, "CURLPX_" + proxyCode)
    }
  }

  static func reply(_ code: UInt8, kind: UInt8 = 1) -> [UInt8] {
    [5, code, 0, kind, 0, 0, 0, 0, 0, 0]
  }

  static let refusals5 = [
    Script5("speaks version 4", method: [4, 0], .socksUnsupportedServerVersion, "BAD_VERSION"),
    Script5("accepts no method", method: [5, 255], .socks5NoAcceptableMethod, "NO_AUTH"),
    Script5(
      "chooses a method nobody offered", method: [5, 0x42], .socks5UnsupportedNegotiationMethod,
      "UNKNOWN_MODE"),
    Script5(
      "refuses the login", method: [5, 2], login: [1, 1], user: "me:wrong@", .socks5BadCredentials,
      "USER_REJECTED"),
    Script5(
      "wants a login that is too long", method: [5, 2],
      user: String(repeating: "u", count: 300) + ":p@", .socks5BadCredentials, "LONG_USER"),
    Script5(
      "fails in general", reply: reply(1), .socks5BadState, "REPLY_GENERAL_SERVER_FAILURE"),
    Script5("does not allow it", reply: reply(2), .socks5BadState, "REPLY_NOT_ALLOWED"),
    Script5(
      "finds no network", reply: reply(3), .cannotConnectToHost, "REPLY_NETWORK_UNREACHABLE"),
    Script5("finds no host", reply: reply(4), .cannotConnectToHost, "REPLY_HOST_UNREACHABLE"),
    Script5("is refused itself", reply: reply(5), .cannotConnectToHost, "REPLY_CONNECTION_REFUSED"),
    Script5("sees the time to live end", reply: reply(6), .timedOut, "REPLY_TTL_EXPIRED"),
    Script5(
      "does not know the command", reply: reply(7), .socks5BadState, "REPLY_COMMAND_NOT_SUPPORTED"),
    Script5(
      "does not know the kind of address", reply: reply(8), .socks5BadResponseAddress,
      "REPLY_ADDRESS_TYPE_NOT_SUPPORTED"),
    Script5("answers beyond the protocol", reply: reply(77), .socks5BadState, "REPLY_UNASSIGNED"),
    Script5(
      "is bound to an address of no kind", reply: reply(0, kind: 9), .socks5BadResponseAddress,
      "BAD_ADDRESS_TYPE"),
    Script5("goes away in the middle", .socks5BadState, "CLOSED"),
  ]

  @Test(arguments: refusals5)
  func `of version 5 that refuses has a number for each reason`(_ script: Script5) async throws {
    let proxy = try TalkServer { talk in
      guard let head = talk.read(2), talk.read(Int(head[1])) != nil else { return }
      talk.send(script.method)
      if script.method == [5, 2] {
        guard let user = talk.read(2), talk.read(Int(user[1])) != nil, let count = talk.read(1),
          talk.read(Int(count[0])) != nil
        else { return }
        talk.send(script.login)
      }
      guard talk.read(4 + 4 + 2) != nil else { return }
      talk.send(script.reply)
    }
    let error = try await Trial.download("http://127.0.0.1:9/f") {
      $0.transfer.proxy = "socks5://\(script.proxyUser)127.0.0.1:\(proxy.port)"
    }.failed(script.code)
    #expect(error.proxyCode?.name == script.proxyCode, "\(error.detailedDescription)")
    #expect(error.curlCode == .proxy)
    #expect(error.phase == .proxy)
  }

  @Test(arguments: [
    (UInt8(0), UInt8(91), NetworkErrorCode.socks4RequestFailed, "REQUEST_FAILED"),
    (0, 92, .socks4IdentdFailed, "IDENTD"), (0, 93, .socks4IdConflict, "IDENTD_DIFFER"),
    (0, 99, .socks4UnknownStatusCode, "UNKNOWN_FAIL"),
    (4, 90, .socksUnsupportedServerVersion, "BAD_VERSION"),
  ])
  func `of version 4 that refuses has a number for each reason`(
    version: UInt8, reply: UInt8, code: NetworkErrorCode, name: String
  ) async throws {
    let proxy = try TalkServer { talk in
      guard talk.read(8) != nil, talk.readString() != nil else { return }
      talk.send([version, reply, 0, 0, 0, 0, 0, 0])
    }
    let error = try await Trial.download("http://127.0.0.1:9/f") {
      $0.transfer.proxy = "socks4://127.0.0.1:\(proxy.port)"
    }.failed(code)
    #expect(error.proxyCode?.name == "CURLPX_" + name)
    #expect(error.phase == .proxy)
    #expect(error.proxyCode?.reply == (90...93 ~= reply && version == 0 ? Int(reply) : nil))
  }

  @Test(arguments: ["socks4", "socks4a", "socks5", "socks5h"])
  func `passes a download on`(scheme: String) async throws {
    let server = try FaultServer { _ in ok(Self.body) }
    let proxy = try TalkServer { talk in
      if scheme.hasPrefix("socks4") {
        guard talk.read(8) != nil, talk.readString() != nil else { return }
        if scheme == "socks4a" { _ = talk.readString() }
        talk.send([0, 90, 0, 0, 0, 0, 0, 0])
      } else {
        guard let head = talk.read(2), talk.read(Int(head[1])) != nil else { return }
        talk.send([5, 0])
        guard let request = talk.read(4), let first = talk.read(1) else { return }
        _ = talk.read((request[3] == 3 ? Int(first[0]) : 3) + 2)
        talk.send(Self.reply(0))
      }
      talk.relay(to: server.port)
    }
    // A name of the proxy's own, where the proxy is the one to look it up.
    let host = scheme == "socks4a" || scheme == "socks5h" ? "files.invalid" : "127.0.0.1"
    let trial = try await Trial.download("http://\(host):\(server.port)/f") {
      $0.transfer.proxy = "\(scheme)://127.0.0.1:\(proxy.port)"
    }
    #expect(trial.file == Self.body, "\(String(describing: trial.error))")
  }

  @Test func `that is no proxy at all is told from one`() async throws {
    let server = try FaultServer { _ in ok(Self.body) }
    let error = try await Trial.download("http://127.0.0.1:9/f") {
      $0.transfer.proxy = "socks5://127.0.0.1:\(server.port)"
      $0.transfer.connectTimeout = .seconds(3)
    }
    #expect([.timedOut, .socks5BadState].contains(error.error?.code))
    #expect(error.error?.phase == .proxy, "\(error.error?.detailedDescription ?? "")")
    let nobody = try Loopback.closedPort()
    let refused = try await Trial.download("http://127.0.0.1:9/f") {
      $0.transfer.proxy = "socks4://127.0.0.1:\(nobody)"
    }.failed(.cannotConnectToHost)
    #expect(refused.systemCode?.name == "ECONNREFUSED")
    #expect(refused.phase == .proxy)
  }

  @Test(.enabled(if: ServerProgram.Kind.danted.path != nil, "dante-server is not installed"))
  func `of Debian lets through what its rules allow`() async throws {
    let (server, other) = (try FaultServer { _ in ok(Self.body) }, try FaultServer { _ in ok([]) })
    let dante = try ServerProgram(.danted, arguments: { ["-f", $0, "-p", $0 + ".pid"] }) {
      port, work in
      """
      logoutput: \(work)/log
      internal: 127.0.0.1 port = \(port)
      external: 127.0.0.1
      clientmethod: none
      socksmethod: none
      user.privileged: root
      user.unprivileged: nobody
      client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }
      socks block { from: 127.0.0.0/8 to: 127.0.0.1/32 port = \(other.port) }
      socks pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }
      """
    }
    let proxies = ["socks4", "socks5"].map { "\($0)://127.0.0.1:\(dante.port)" }
    for proxy in proxies {
      let trial = try await Trial.download(server.url()) { $0.transfer.proxy = proxy }
      #expect(trial.file == Self.body, "\(String(describing: trial.error))")
    }
    let old = try await Trial.download(other.url()) { $0.transfer.proxy = proxies[0] }
    try old.failed(.socks4RequestFailed)
    let new = try await Trial.download(other.url()) { $0.transfer.proxy = proxies[1] }
    #expect(try new.failed(.socks5BadState).proxyCode?.name == "CURLPX_REPLY_NOT_ALLOWED")
    let closed = "http://127.0.0.1:\(try Loopback.closedPort())/"
    let refused = try await Trial.download(closed) { $0.transfer.proxy = proxies[1] }
    #expect(
      try refused.failed(.cannotConnectToHost).proxyCode?.name
        == "CURLPX_REPLY_CONNECTION_REFUSED")
  }
}
