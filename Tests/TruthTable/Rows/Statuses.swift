import TestSupport

extension TruthRow {
  private static func refused(
    _ id: Int, _ status: String, _ fields: String = "", code: Int, exit: Int32 = 8,
    requests: ClosedRange<Int> = 1...1, needs: [TruthNeed] = []
  ) -> TruthRow {
    TruthRow(
      id, status, .failure(code, exit: exit), part: .gone, requests: requests, needs: needs
    ) { _ in answer(status, fields + "Content-Length: 0\n") }
  }

  private static func sends(
    _ id: Int, _ server: String, to target: String?, code: Int, exit: Int32,
    requests: ClosedRange<Int> = 1...1, curl: [Int?] = [nil]
  ) -> TruthRow {
    TruthRow(
      id, server, .failure(code, exit: exit), curl: curl, part: .gone, requests: requests
    ) { redirect(target ?? $0.path) }
  }

  /// Redirects.
  static let redirects: [TruthRow] = [
    sends(51, "redirects to itself", to: nil, code: -1007, exit: 7, requests: 21...21),
    TruthRow(52, "a redirect without a target", .failure(-1010, exit: 7)) { _ in redirect(nil) },
    sends(53, "a redirect with an empty target", to: "", code: -1010, exit: 7),
    sends(54, "a target that is no URL", to: "http://[::bad", code: -1000, exit: 7),
    sends(
      55, "a target whose host does not exist", to: "http://no-such-host.invalid/", code: -1003,
      exit: 4, requests: 1...2, curl: [6]),
    sends(56, "a target on this machine's disk", to: "file:///etc/passwd", code: -1002, exit: 7),
    sends(57, "a target of an old kind", to: "gopher://localhost/", code: -1002, exit: 7),
    TruthRow(58, "https leads to http", .failure(-1022, exit: 5)) { stage in
      let plain = try stage.serve { _ in whole }
      let target = plain.url()
      let (server, trust) = try stage.serveSecurely { _ in redirect(target) }
      return TruthScene(server.url(), [trust])
    },
    TruthRow(59, "leads to another origin, which must not see secrets", .whole, requests: 2...2) {
      stage in
      let stranger = try stage.serve { _ in whole }
      let target = stranger.url()
      let server = try stage.serve { _ in redirect(target) }
      var scene = TruthScene(
        server.url(), [.field("Authorization: Bearer t0p"), .field("Cookie: key=t0p")])
      scene.check = { [weak stranger, weak server] in
        guard server?.requests.first?["authorization"] != nil else { return "no secret was sent" }
        let told = stranger?.requests.contains { $0.lines.contains { $0.contains("t0p") } } ?? true
        return told ? "the other origin saw a secret" : nil
      }
      return scene
    },
  ]

  /// Statuses.
  static let statuses: [TruthRow] = [
    refused(
      60, "401 without credentials", "WWW-Authenticate: Basic realm=\"x\"\n", code: -1013, exit: 6),
    refused(
      61, "401 with credentials", "WWW-Authenticate: Basic realm=\"x\"\n", code: -1013, exit: 6,
      requests: 2...2, needs: [.credentials(user: "u", password: "p")]),
    refused(
      62, "401 with an unknown scheme", "WWW-Authenticate: Martian\n", code: -1013, exit: 6),
    refused(63, "407 from an origin", code: 307, exit: 6),
    refused(64, "403", code: -1102),
    TruthRow(65, "404 with a page", .failure(-1100, exit: 8), part: .gone) { _ in
      answer("404 No", "Content-Length: 9\n", Array("not found".utf8))
    },
    refused(66, "410", code: -1100),
    TruthRow(67, "429 with Retry-After: 1, then the file", .whole, requests: 2...2) { request in
      request.number == 0 ? answer("429 Slow", "Retry-After: 1\nContent-Length: 0\n") : whole
    },
    TruthRow(
      67, "429 and again 429", .failure(-1008, exit: 8), part: .gone, requests: 2...2
    ) { _ in answer("429 Slow", "Retry-After: 1\nContent-Length: 0\n") },
    refused(68, "503 until tomorrow", "Retry-After: 86400\n", code: -1008),
    refused(69, "500 and again 500", code: -1011, requests: 2...2),
    TruthRow(69, "500, then the file", .whole, requests: 2...2) { request in
      request.number == 0 ? answer("500 Oh", "Content-Length: 0\n") : whole
    },
    TruthRow(70, "204 with a body", .failure(-1014, exit: 8)) { _ in answer("204 None", "", body) },
    TruthRow(71, "304 unasked", .failure(-1011, exit: 7)) { _ in answer("304 Same") },
    TruthRow(72, "an empty file", .file([])) { _ in sized("0", []) },
  ]
}
