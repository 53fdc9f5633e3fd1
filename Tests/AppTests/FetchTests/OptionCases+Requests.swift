import SystemIO
import TestSupport
import Testing

private let busy: [FaultServer.Step] = [.text("HTTP/1.1 503 Later\nContent-Length: 0\n\n")]

private func challenge(_ request: FaultServer.Request) -> [FaultServer.Step]? {
  // me:secret
  request["authorization"] == "Basic bWU6c2VjcmV0"
    ? nil
    : [
      .text(
        "HTTP/1.1 401 No\nWWW-Authenticate: Basic realm=\"r\"\nContent-Length: 0\n\n")
    ]
}

extension OptionCase {
  static let patience: [OptionCase] = [
    OptionCase("retry") { _ in
      busy
    } check: { bench in
      try await bench.expect(8, "--retry", "0", bench.url)
      #expect(bench.server.requests.count == 1)
      try await bench.expect(8, "--retry", "1", bench.url)
      #expect(bench.server.requests.count == 3)
      try await bench.expect(2, "--retry", "-1", bench.url)
    },
    OptionCase("retry-max-time") { _ in
      [.text("HTTP/1.1 503 Later\nRetry-After: 100\nContent-Length: 0\n\n")]
    } check: { bench in
      let ended = try await bench.expect(8, "--retry-max-time", "5s", bench.url)
      #expect(ended.errors.contains("within 5 s"))
      #expect(bench.server.requests.count == 1)
    },
    OptionCase("connect-timeout") { bench in
      // It accepts and says nothing, so that the handshake is what does not end.
      let silent = try FaultServer(greeting: [.hang]) { _ in [] }
      let ended = try await bench.expect(
        4, "--connect-timeout", "300ms", "--retry", "0", "https://127.0.0.1:\(silent.port)/")
      #expect(ended.errors.contains("time"))
    },
    OptionCase("stall-timeout") { _ in
      FetchWorld.stuck(pattern(100), after: 10)
    } check: { bench in
      let ended = try await bench.expect(4, "--stall-timeout", "2s", "--retry", "0", bench.url)
      #expect(ended.errors.contains("standing still"))
    },
    OptionCase("max-time") { _ in
      FetchWorld.stuck(pattern(100), after: 10)
    } check: { bench in
      let ended = try await bench.expect(4, "--max-time", "3s", bench.url)
      #expect(ended.errors.contains("whole transfer"))
      #expect(bench.server.requests.count == 1)
    },
    OptionCase("limit-rate") { request in
      FetchWorld.serve(pattern(300_000), request)
    } check: { bench in
      let clock = ContinuousClock()
      let time = try await clock.measure {
        try await bench.expect(0, "--limit-rate", "200K", bench.url)
      }
      #expect(time > .seconds(1))
      try await bench.expect(2, "--limit-rate", "0", bench.url)
    },
  ]

  static let request: [OptionCase] = [
    OptionCase("header") { bench in
      try await bench.expect(0, "-H", "X-One: a b", "--header=X-Two:c", bench.url)
      #expect(bench.last?["x-one"] == "a b")
      #expect(bench.last?["x-two"] == "c")
      for bad in ["none", ": x", "A b: c", "X: a\nY: b", "X: a\u{0B}b"] {
        let ended = try await bench.expect(2, "-H", bad, bench.url)
        #expect(ended.errors.contains("Name: value"))
      }
    },
    OptionCase("user", script: challenge) { bench in
      try await bench.expect(6, bench.url)
      try await bench.expect(6, "-u", "me:wrong", bench.url)
      try await bench.expect(0, "--user", "me:secret", bench.url)
    },
    OptionCase("netrc", script: challenge) { bench in
      try bench.aside.write(".netrc", text: "machine 127.0.0.1 login me password secret\n")
      let home = "HOME=\(bench.aside.path)"
      try await bench.expect(6, bench.url, environment: [home])
      try await bench.expect(0, "--netrc", bench.url, environment: [home])
    },
    OptionCase("proxy", "noproxy") { bench in
      let proxy = "http://127.0.0.1:\(bench.server.port)"
      try await bench.expect(0, "-x", proxy, "http://nowhere.invalid/f")
      #expect(bench.last?.path == "http://nowhere.invalid/f")
      let there = bench.server.url("/g")
      try await bench.expect(0, "--proxy", "http://127.0.0.1:1", "--noproxy", "127.0.0.1", there)
      #expect(bench.last?.path == "/g")
    },
    OptionCase("cookies", "cookie-jar") { request in
      [
        .text(
          "HTTP/1.1 200 OK\nSet-Cookie: new=1; Path=/; Max-Age=99\nContent-Length: 1\n\nx")
      ]
    } check: { bench in
      let cookies = try bench.aside.write(
        "in", text: "127.0.0.1\tFALSE\t/\tFALSE\t0\told\t2\n")
      let jar = bench.aside.path("jar")
      try await bench.expect(0, "--cookies", cookies, "--cookie-jar", jar, bench.url)
      #expect(bench.last?["cookie"] == "old=2")
      try await bench.expect(0, "-b", jar, "--existing", "replace", bench.url)
      let kept = String(decoding: try bench.aside.read("jar"), as: UTF8.self)
      #expect(bench.last?["cookie"]?.contains("new=1") == true, "\(kept)")
    },
    OptionCase("user-agent", "referer") { bench in
      try await bench.expect(0, "-A", "me/1", "--referer", "http://x.invalid/", bench.url)
      #expect(bench.last?["user-agent"] == "me/1")
      #expect(bench.last?["referer"] == "http://x.invalid/")
    },
  ]

  /// A server with a certificate, signed by an authority whose certificate is in `ca`.
  private static func secure(
    _ bench: Bench, _ change: (inout ServerSecurity) -> Void = { _ in }
  ) throws -> (server: FaultServer, identity: ServerIdentity) {
    let authority = try ServerIdentity.authority()
    try bench.aside.write("ca", authority.pem())
    let identity = try ServerIdentity(signedBy: authority)
    var security = ServerSecurity(identity)
    change(&security)
    let body = bench.world.body
    let server = try FaultServer(security: security) { FetchWorld.serve(body, $0) }
    return (server, identity)
  }

  static let connection: [OptionCase] = [
    OptionCase("cacert", "insecure") { bench in
      let (server, _) = try secure(bench)
      try await bench.expect(5, server.url())
      try await bench.expect(0, "--cacert", bench.aside.path("ca"), server.url("/a"))
      try await bench.expect(0, "--insecure", server.url("/b"))
      try await bench.expect(2, "--cacert", bench.aside.path("none"), server.url())
    },
    OptionCase("cert", "key") { bench in
      let (server, _) = try secure(bench) { $0.demandsCertificate = true }
      let me = try ServerIdentity()
      let cert = try bench.aside.write("cert", me.pem())
      let key = try bench.aside.write("key", me.keyPEM())
      try await bench.expect(5, "--insecure", "--retry", "0", server.url())
      try await bench.expect(0, "--insecure", "--cert", cert, "--key", key, server.url())
      try await bench.expect(2, "--cert", bench.aside.path("none"), server.url())
    },
    OptionCase("pinned-key") { bench in
      let (server, identity) = try secure(bench)
      let pin = "sha256//" + base64(try identity.publicKeyDigest())
      let wrong = "sha256//" + base64([UInt8](repeating: 1, count: 32))
      try await bench.expect(0, "--insecure", "--pinned-key", pin, server.url())
      try await bench.expect(5, "--insecure", "--pinned-key", wrong, server.url("/b"))
    },
    OptionCase("https-only") { bench in
      try await bench.expect(2, "--https-only", bench.url)
      let (server, _) = try secure(bench)
      try await bench.expect(0, "--https-only", "--insecure", server.url())
      #expect(bench.server.requests.isEmpty)
    },
    OptionCase("http1.1", "http2") { bench in
      let (server, _) = try secure(bench) { $0.speaksHTTP2 = true }
      // The server speaks HTTP/2 with those who offer it, and breaks off.
      _ = try await bench.fetch(
        "--http1.1", "--http2", "--insecure", "--retry", "0", "--max-time", "20s", server.url())
      #expect(server.requests.map(\.path) == ["/"])
      try await bench.expect(0, "--http2", "--http1.1", bench.url)
    },
    OptionCase("ipv4", "ipv6") { bench in
      try await bench.expect(0, "-4", bench.url)
      try await bench.expect(4, "-6", "--retry", "0", bench.server.url("/g"))
      try await bench.expect(0, "--ipv6", "--ipv4", bench.server.url("/h"))
    },
  ]

  static let knowing: [OptionCase] = [
    OptionCase("explain") { bench in
      let one = try await bench.expect(0, "--explain", "-1005")
      #expect(one.output.contains("CURLE_PARTIAL_FILE"))
      let all = try await bench.expect(0, "--explain", "all")
      #expect(lines(all.output).count > 80)
      try await bench.expect(2, "--explain", "nothing")
    },
    OptionCase("dry-run") { bench in
      let said = try await bench.expect(0, "--dry-run", bench.url)
      #expect(said.output.contains("GET of the whole"))
      #expect(try bench.world.names.isEmpty)
    },
    OptionCase("parts", "sweep") { bench in
      #expect(try await bench.expect(0, "--parts").output.isEmpty)
      try await bench.expect(0, "--sweep")
      try await bench.expect(2, "--sweep=never")
    },
    OptionCase("quiet", "progress", "color", "json") { bench in
      #expect(try await bench.expect(0, bench.url).errors.isEmpty)
      for style in ["auto", "bar", "plain", "json", "none"] {
        try await bench.expect(
          0, "--progress", style, "--color", "never", "--existing", "replace", bench.url)
      }
      let json = try await bench.expect(0, "--json", "--existing", "replace", bench.url)
      #expect(lines(json.output).allSatisfy { $0.hasPrefix("{\"event\":\"") })
      try await bench.expect(2, "--progress", "no", bench.url)
    },
    OptionCase("help", "version") { bench in
      let long = try await bench.expect(0, "--help").output
      let short = try await bench.expect(0, "-h").output
      #expect(long.count > short.count)
      #expect(try await bench.expect(0, "--version").output.hasPrefix("fetch (Courier) "))
    },
  ]

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let value = (0..<3).reduce(0) {
        $0 << 8 | Int(start + $1 < bytes.count ? bytes[start + $1] : 0)
      }
      for digit in 0..<4 {
        text.append(digit <= group.count ? digits[value >> (18 - 6 * digit) & 63] : "=")
      }
    }
    return text
  }
}
