import TestSupport

extension TruthRow {
  private static func proxied(
    _ id: Int, _ what: String, code: Int, exit: Int32 = 4, curl: [Int?],
    requests: ClosedRange<Int> = 0...0, needs: [TruthNeed] = [], url: String,
    _ proxy: @escaping @Sendable (TruthStage) throws -> String
  ) -> TruthRow {
    TruthRow(id, what, .failure(code, exit: exit), curl: curl, part: .gone, requests: requests) {
      TruthScene(url, needs + [.proxy(try proxy($0))])
    }
  }

  /// Proxies.
  static let proxies: [TruthRow] = [
    proxied(
      106, "the proxy's name does not exist", code: 306, curl: [5], url: "http://127.0.0.1:9/file"
    ) {
      _ in "http://no-such-proxy.invalid:3128"
    },
    proxied(107, "the proxy refuses", code: 306, curl: [7], url: "http://127.0.0.1:9/file") { _ in
      "http://127.0.0.1:\(try Loopback.closedPort())"
    },
    proxied(
      107, "the proxy for https refuses", code: 310, curl: [7], url: "https://127.0.0.1:9/file"
    ) { _ in "http://127.0.0.1:\(try Loopback.closedPort())" },
    proxied(
      108, "the proxy answers CONNECT with 404", code: 311, exit: 8, curl: [56], requests: 1...1,
      url: "https://127.0.0.1:9/file"
    ) { "http://127.0.0.1:\(try $0.serve { _ in answer("404 No", "Content-Length: 0\n") }.port)" },
    proxied(
      109, "the SOCKS proxy is none", code: 120, curl: [28], needs: [.impatience],
      url: "http://127.0.0.1:9/file"
    ) { "socks5://127.0.0.1:\(try $0.serve { _ in whole }.port)" },
  ]

  private static func distrusted(
    _ id: Int, _ what: String, code: Int,
    _ claims: @escaping @Sendable (inout ServerIdentity.Claims) -> Void
  ) -> TruthRow {
    TruthRow(id, what, .failure(code, exit: 5), curl: [60], part: .gone, requests: 0...0) { stage in
      var asked = ServerIdentity.Claims()
      claims(&asked)
      let (server, trust) = try stage.serveSecurely(asked) { _ in whole }
      return TruthScene(server.url(), [trust])
    }
  }

  private static func unshaken(
    _ id: Int, _ what: String, code: Int, exit: Int32 = 5, curl: [Int?],
    connections: ClosedRange<Int>, needs: [TruthNeed] = [], _ greeting: [FaultServer.Step]
  ) -> TruthRow {
    TruthRow(
      id, what, .failure(code, exit: exit), curl: curl, part: .gone, requests: 0...0,
      connections: connections
    ) { stage in
      let server = try stage.serve(greeting: greeting) { _ in [.close] }
      return TruthScene("https://127.0.0.1:\(server.port)/file", needs)
    }
  }

  /// TLS.
  static let tls: [TruthRow] = [
    TruthRow(
      110, "a self-signed certificate", .failure(-1202, exit: 5), curl: [60], part: .gone,
      requests: 0...0
    ) { stage in
      let security = ServerSecurity(try ServerIdentity())
      return TruthScene(try stage.serve(security: security) { _ in whole }.url())
    },
    distrusted(111, "an expired certificate", code: -1201) {
      ($0.begins, $0.ends) = (.seconds(-7200), .seconds(-3600))
    },
    distrusted(112, "a certificate that is not yet valid", code: -1204) {
      $0.begins = .seconds(3600)
    },
    distrusted(113, "a certificate for another host", code: -1202) {
      $0.names = "DNS:elsewhere.example"
    },
    TruthRow(
      114, "a certificate of an unknown issuer", .failure(-1203, exit: 5), curl: [60], part: .gone,
      requests: 0...0
    ) { stage in
      let (server, _) = try stage.serveSecurely { _ in whole }
      let other = try stage.write("other.pem", ServerIdentity.authority("another").pem())
      return TruthScene(server.url(), [.authority(other)])
    },
    TruthRow(
      115, "demands a client certificate", .failure(-1206, exit: 5), curl: [56], part: .gone,
      requests: 0...0
    ) { stage in
      let (server, trust) = try stage.serveSecurely(.init(), { $0.demandsCertificate = true }) {
        _ in whole
      }
      return TruthScene(server.url(), [trust])
    },
    TruthRow(
      116, "speaks TLS 1.1 at most", .failure(-1200, exit: 5), curl: [35], part: .gone,
      requests: 0...0
    ) { stage in
      let (server, trust) = try stage.serveSecurely(.init(), { $0.isOld = true }) { _ in whole }
      return TruthScene(server.url(), [trust])
    },
    unshaken(
      117, "silent in the handshake", code: -1001, exit: 4, curl: [28], connections: 2...2,
      needs: [.impatience], [.hang]),
    unshaken(
      118, "closes in the handshake", code: -1200, curl: [35], connections: 2...2, [.close]),
    unshaken(
      119, "speaks plain HTTP where TLS is expected", code: -1200, curl: [35], connections: 1...1,
      [
        .wait(.milliseconds(20)), .text("HTTP/1.1 400 Bad Request\nContent-Length: 0\n\n"),
        .wait(.milliseconds(50)), .close,
      ]),
    TruthRow(
      120, "speaks TLS where plain HTTP is expected", .failure(-1005, exit: 4), curl: [52, 56],
      part: .gone, requests: 0...0
    ) { stage in
      let (server, _) = try stage.serveSecurely { _ in whole }
      return TruthScene("http://127.0.0.1:\(server.port)/file")
    },
    TruthRow(
      121, "the file of authorities does not exist", .failure(-1200, exit: 2), part: .gone,
      requests: 0...0
    ) { stage in
      let (server, _) = try stage.serveSecurely { _ in whole }
      return TruthScene(server.url(), [.authority(stage.path("nothing.pem"))])
    },
    TruthRow(
      122, "another key than the pinned one", .failure(-1202, exit: 5), curl: [90], part: .gone,
      requests: 0...0
    ) { stage in
      let (server, trust) = try stage.serveSecurely { _ in whole }
      let other = base64(try ServerIdentity().publicKeyDigest())
      return TruthScene(server.url(), [trust, .pin(other)])
    },
  ]

  private static func http2(
    _ id: Int, _ what: String, _ right: Right, curl: [Int?] = [nil], requests: ClosedRange<Int>,
    _ script: @escaping @Sendable (FaultServer.Request) -> [FaultServer.Step]
  ) -> TruthRow {
    TruthRow(id, what, right, curl: curl, requests: requests) { stage in
      let (server, trust) = try stage.serveSecurely(.init(), { $0.speaksHTTP2 = true }, script)
      return TruthScene(server.url(), [trust, .http2])
    }
  }

  private static func frames(_ bytes: [UInt8]..., then end: FaultServer.Step = .wait(.zero))
    -> [FaultServer.Step]
  {
    bytes.map { .send($0) } + [end]
  }

  /// The whole file, or all of it as a range, to whoever asks after a first try.
  private static func secondTry(_ request: FaultServer.Request, _ status: Int) -> [FaultServer.Step]
  {
    var fields = [("content-length", "1000"), ("etag", "\"v1\"")]
    if status == 206 { fields.append(("content-range", "bytes 0-999/1000")) }
    return frames(
      HTTP2Frame.head(status, fields, stream: request.stream),
      HTTP2Frame.data(body, isLast: true, stream: request.stream))
  }

  /// HTTP/2.
  static let http2: [TruthRow] = [
    http2(123, "HTTP/2: GOAWAY in the body, then the rest", .whole, requests: 2...2) { request in
      let stream = request.stream
      guard request.number == 0 else { return secondTry(request, 206) }
      return frames(
        HTTP2Frame.head(
          200, [("content-length", "1000"), ("etag", "\"v1\"")], stream: stream),
        HTTP2Frame.data(Array(body.prefix(500)), isLast: false, stream: stream),
        HTTP2Frame.goAway(last: stream), then: .close)
    },
    http2(
      123, "HTTP/2: GOAWAY in the body, always", .failure(-1005, exit: 4), curl: [18, 16],
      requests: 2...4
    ) { request in
      frames(
        HTTP2Frame.head(200, [("content-length", "1000")], stream: request.stream),
        HTTP2Frame.data(Array(body.prefix(500)), isLast: false, stream: request.stream),
        HTTP2Frame.goAway(last: request.stream, error: 2), then: .close)
    },
    http2(123, "HTTP/2: REFUSED_STREAM, then the file", .whole, requests: 2...2) { request in
      request.number == 0
        ? frames(HTTP2Frame.reset(7, stream: request.stream)) : secondTry(request, 200)
    },
  ]
}
