import NetworkCore
import SystemIO
import TestSupport
import Testing

@Suite("An HTTP proxy", .timeLimit(.minutes(2)))
struct HTTPProxyTests {
  static let body = pattern(2000)
  static let plain = "http://files.invalid/f"
  static let secure = "https://files.invalid/f"

  private func trial(_ url: String, through port: UInt16, _ login: String = "") async throws
    -> Trial
  {
    try await Trial.download(url) { $0.transfer.proxy = "http://\(login)127.0.0.1:\(port)" }
  }

  @Test func `hears the name that it is to look up`() async throws {
    let proxy = try FaultServer { _ in ok(Self.body) }
    #expect(try await trial(Self.plain, through: proxy.port).file == Self.body)
    #expect(proxy.requests.first?.path == Self.plain)
  }

  @Test(arguments: [
    (plain, NetworkErrorCode.httpProxyConnectionFailure),
    (secure, .httpsProxyConnectionFailure),
  ])
  func `that is not there`(url: String, code: NetworkErrorCode) async throws {
    let refused = try await trial(url, through: try Loopback.closedPort()).failed(code)
    #expect(refused.systemCode?.name == "ECONNREFUSED")
    #expect(refused.phase == .proxy)
    #expect(refused.exitStatus == 4)
    let unknown = try await Trial.download(url) { $0.transfer.proxy = "http://no.invalid:3128" }
      .failed(code)
    #expect(unknown.curlCode == .couldntResolveProxy)
    #expect(unknown.phase == .proxy)
  }

  @Test func `that wants a login gets one, and says so where there is none`() async throws {
    let proxy = try FaultServer { request in
      let isKnown = request["proxy-authorization"] == "Basic bWU6cGE1NQ=="
      return isKnown
        ? ok(Self.body)
        : [
          .text(
            "HTTP/1.1 407 Who\nProxy-Authenticate: Basic realm=\"p\"\nContent-Length: 0\n\n")
        ]
    }
    #expect(try await trial(Self.plain, through: proxy.port, "me:pa55@").file == Self.body)
    for login in ["", "me:wrong@"] {
      for url in [Self.plain, Self.secure] {
        let error = try await trial(url, through: proxy.port, login).failed(
          .httpBadProxyCredentials)
        #expect(error.exitStatus == 6)
        #expect(!error.isRetryable)
      }
    }
  }

  @Test func `that knows no way of login that we know`() async throws {
    let proxy = try FaultServer { _ in
      [.text("HTTP/1.1 407 Who\nProxy-Authenticate: Runes\nContent-Length: 0\n\n")]
    }
    try await trial(Self.plain, through: proxy.port).failed(.httpAuthenticationTypeUnsupported)
  }

  @Test(arguments: [403, 404, 502, 503])
  func `that does not make the tunnel`(status: Int) async throws {
    let proxy = try FaultServer { request in
      #expect(request.method == "CONNECT")
      return [.text("HTTP/1.1 \(status) No\nContent-Length: 0\n\n"), .close]
    }
    let error = try await trial(Self.secure, through: proxy.port)
      .failed(.httpsProxyUnexpectedResponse)
    #expect(error.phase == .proxy)
    #expect(error.curlCode == .recvError)
  }

  @Test func `that answers in no language, or not at all`() async throws {
    let garbage = try FaultServer { _ in [.text("220 welcome to something else\n"), .close] }
    let strange = try await trial(Self.secure, through: garbage.port)
    #expect(strange.error != nil)
    #expect(strange.error?.phase == .proxy, "\(strange.error?.detailedDescription ?? "")")
    let closing = try FaultServer { _ in [.reset] }
    let lost = try await trial(Self.secure, through: closing.port)
    #expect(lost.error?.phase == .proxy, "\(lost.error?.detailedDescription ?? "")")
    #expect(lost.error?.isRetryable == true)
  }

  @Test(.enabled(if: ServerProgram.Kind.squid.path != nil, "squid is not installed"))
  func `of Debian`() async throws {
    let server = try FaultServer { _ in ok(Self.body) }
    let squid = try ServerProgram(.squid, arguments: { ["-N", "-f", $0] }) { port, work in
      """
      http_port 127.0.0.1:\(port)
      pid_filename none
      cache deny all
      cache_log \(work)/log
      access_log none
      coredump_dir \(work)
      visible_hostname test.invalid
      acl server port \(server.port)
      http_access allow server
      http_access deny all
      """
    }
    #expect(try await trial(server.url(), through: squid.port).file == Self.body)
    // Its own answers about what it cannot reach or does not allow are told from the file.
    let closed = "http://127.0.0.1:\(try Loopback.closedPort())/"
    let denied = try await trial(closed, through: squid.port).failed(.noPermissionsToReadFile)
    #expect(denied.httpStatus == 403)
    try await trial(Self.secure, through: squid.port).failed(.httpsProxyUnexpectedResponse)
  }

  static let environments: [([String: String], String, String?)] = [
    (["http_proxy": "http://p:1"], "http://h.example/", "http://p:1"),
    (["HTTP_PROXY": "http://p:1"], "http://h.example/", nil),
    (["HTTPS_PROXY": "http://p:1"], "https://h.example/", "http://p:1"),
    (["https_proxy": "http://p:1"], "http://h.example/", nil),
    (["ALL_PROXY": "socks5://p"], "ftp://h.example/", "socks5://p"),
    (["all_proxy": "http://p", "no_proxy": "h.example"], "http://h.example/", nil),
    (["all_proxy": "http://p", "NO_PROXY": "x, .example"], "http://h.example/", nil),
    (["all_proxy": "http://p", "no_proxy": "*"], "http://h.example/", nil),
    (["all_proxy": "http://p", "no_proxy": "example"], "http://hexample/", "http://p"),
    (["all_proxy": "http://p"], "file:///etc/hosts", nil),
  ]

  @Test(arguments: environments)
  func `is found in the environment as libcurl finds it`(
    environment: [String: String], url: String, proxy: String?
  ) {
    #expect(ProxyRoute.proxy(for: url, TransferSettings()) { environment[$0] } == proxy)
    var settings = TransferSettings()
    settings.proxy = ""
    #expect(ProxyRoute.proxy(for: url, settings) { environment[$0] } == nil)
  }
}
