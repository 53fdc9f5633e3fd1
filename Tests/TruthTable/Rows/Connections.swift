import SystemIO
import TestSupport

extension TruthRow {
  private static func nowhere(
    _ id: Int, _ server: String, code: Int, curl: [Int?], exit: Int32 = 4,
    _ needs: [TruthNeed] = [], _ url: @escaping @Sendable (TruthStage) throws -> String
  ) -> TruthRow {
    TruthRow(id, server, .failure(code, exit: exit), curl: curl, part: .gone, requests: 0...0) {
      stage in
      TruthScene(try url(stage), needs)
    }
  }

  private static func http(_ port: UInt16, host: String = "127.0.0.1") -> String {
    "http://\(host):\(port)/file"
  }

  /// Connections that do not come about.
  static let connections: [TruthRow] = [
    nowhere(1, "its port is closed", code: -1004, curl: [7]) { _ in http(try Loopback.closedPort())
    },
    nowhere(2, "it drops every SYN", code: -1001, curl: [28], [.impatience]) {
      http(try $0.deafPort())
    },
    // No route leads to a multicast address for TCP, on any machine.
    nowhere(3, "there is no route to it", code: -1009, curl: [7]) { _ in "http://224.0.0.1:9/file"
    },
    nowhere(3, "there is no network", code: -1009, curl: [7], [.isolation]) { _ in
      "http://192.0.2.1:9/file"
    },
    nowhere(4, "its name does not exist", code: -1003, curl: [6]) { _ in
      "http://no-such-host.invalid/file"
    },
    TruthRow(
      5, "the resolver does not answer", .failure(-1003, exit: 4), curl: [6], part: .gone,
      requests: 0...0
    ) { stage in
      // Nobody listens there.
      let file = try stage.write("resolv.conf", text: "nameserver 127.93.84.75\n")
      return TruthScene("http://courier.test/file", [.resolver(file)])
    },
    TruthRow(6, "its IPv6 address is deaf, its IPv4 address works", .whole) { stage in
      let server = try stage.serve { _ in whole }
      // The same port of the other family.
      guard let port = try? stage.deafPort(.ipv6, port: server.port) else {
        throw TruthUnavailable(description: "there is no IPv6 on loopback")
      }
      let file = try stage.write("hosts", text: "::1 both.test\n127.0.0.1 both.test\n")
      return TruthScene(http(port, host: "both.test"), [.hosts(file)])
    },
  ]

  private static let noise: [UInt8] = Array("SSH-2.0-OpenSSH_9.2p1\r\n".utf8)

  /// Connections that break before an answer, and response heads.
  static let heads: [TruthRow] = [
    TruthRow(
      7, "closes without a byte", .failure(-1005, exit: 4), curl: [52], requests: 2...3
    ) { _ in [.close] },
    TruthRow(
      8, "resets before the status line", .failure(-1005, exit: 4), curl: [56], requests: 2...3
    ) { _ in [.reset] },
    TruthRow(
      9, "never answers", .failure(-1001, exit: 4), curl: [28], requests: 2...2,
      needs: [.impatience]
    ) { _ in [.hang] },
    TruthRow(10, "status line, then close", .failure(-1005, exit: 4), requests: 2...2) { _ in
      [.text("HTTP/1.1 200 OK\n"), .close]
    },
    TruthRow(11, "head cut in a name", .failure(-1005, exit: 4), requests: 2...2) { _ in
      [.text("HTTP/1.1 200 OK\nContent-Le"), .close]
    },
    TruthRow(
      12, "one byte of the head at a time", .failure(-1001, exit: 4), curl: [28], requests: 2...2,
      needs: [.impatience]
    ) { _ in
      let field = "A: " + String(repeating: "x", count: 400)
      return [.drip(Array("HTTP/1.1 200 OK\r\n\(field)\r\n".utf8), every: .milliseconds(90))]
    },
    TruthRow(
      13, "a banner of SSH", .failure(-1017, exit: 7), curl: [1], requests: 0...1,
      greeting: [.send(noise), .wait(.milliseconds(50)), .close]
    ) { _ in [.close] },
    TruthRow(14, "a bare body (HTTP/0.9)", .failure(-1017, exit: 7), curl: [1]) { _ in
      [.send(Array("hello there".utf8)), .close]
    },
    TruthRow(15, "HTTP/9.9", .failure(-1017, exit: 7), curl: [1]) { _ in
      [.text("HTTP/9.9 200 OK\nContent-Length: 4\n\nbody"), .close]
    },
    TruthRow(16, "two digits of status", .failure(-1017, exit: 7), curl: [1]) { _ in
      [.text("HTTP/1.1 20 OK\nContent-Length: 4\n\nbody"), .close]
    },
    TruthRow(17, "status 999", .failure(-1011, exit: 7)) { _ in
      answer("999 What", "Content-Length: 4\n", [1, 2, 3, 4])
    },
    TruthRow(18, "LF line ends", .whole) { _ in
      [.send(Array("HTTP/1.1 200 OK\nContent-Length: 1000\n\n".utf8) + body), .close]
    },
    TruthRow(19, "NUL in the head", .failure(-1017, exit: 7), curl: [8]) { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nA: \0b\r\nContent-Length: 4\r\n\r\nbody".utf8)), .close]
    },
    TruthRow(20, "a line without a colon", .failure(-1017, exit: 7), curl: [8]) { _ in
      [.text("HTTP/1.1 200 OK\nnonsense here\nContent-Length: 4\n\nbody"), .close]
    },
    TruthRow(21, "a line of 1.2 MB", .failure(-1103, exit: 10), curl: [27]) { _ in
      answer("200 OK", "A: \(String(repeating: "x", count: 1_200_000))\nContent-Length: 0\n")
    },
    TruthRow(22, "20,000 lines", .failure(-1103, exit: 10)) { _ in
      answer("200 OK", String(repeating: "A: b\n", count: 20_000) + "Content-Length: 0\n")
    },
    TruthRow(23, "100 Continue without end", .failure(-1017, exit: 7)) { _ in
      [.text(String(repeating: "HTTP/1.1 100 Continue\n\n", count: 500)), .hang]
    },
    TruthRow(24, "101 unasked", .failure(-1017, exit: 7)) { _ in
      answer("101 Switching", "Upgrade: x\nConnection: Upgrade\n", [1, 2, 3])
    },
  ]
}
