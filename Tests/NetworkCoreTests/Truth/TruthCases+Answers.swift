import NetworkCore
import TestSupport

extension TruthCase {
  private static func redirect(_ target: String?, status: Int = 302) -> [FaultServer.Step] {
    answer(
      "\(status) Found", (target.map { "Location: \($0)\n" } ?? "") + "Content-Length: 0\n",
      then: .wait(.zero))
  }

  /// Redirects and statuses.
  static let statuses: [TruthCase] = [
    TruthCase(51, "redirects to itself", code: -1007, exit: 7, requests: 21...21) { request in
      redirect(request.path)
    },
    TruthCase(52, "a redirect without a target", code: -1010, exit: 7) { _ in redirect(nil) },
    TruthCase(53, "a redirect with an empty target", code: -1010, exit: 7) { _ in redirect("") },
    TruthCase(54, "a target that is no URL", code: -1000) { _ in redirect("http://[::bad") },
    TruthCase(55, "a target whose host does not exist", code: -1003, exit: 4, requests: 1...2) {
      _ in
      redirect("http://no-such-host.invalid/")
    },
    TruthCase(56, "a target on this machine's disk", code: -1002) { _ in
      redirect("file:///etc/passwd")
    },
    TruthCase(57, "a target of an old kind", code: -1002) { _ in redirect("gopher://localhost/") },
    TruthCase(60, "401 without credentials", code: -1013, exit: 6) { _ in
      answer("401 No", "WWW-Authenticate: Basic realm=\"x\"\nContent-Length: 0\n")
    },
    TruthCase(
      61, "401 with credentials", code: -1013, exit: 6, requests: 2...2,
      change: {
        $0.transfer.credentials = .init(user: "u", password: "p")
      }
    ) { _ in
      answer("401 No", "WWW-Authenticate: Basic realm=\"x\"\nContent-Length: 0\n")
    },
    TruthCase(62, "401 with an unknown scheme", code: -1013, exit: 6) { _ in
      answer("401 No", "WWW-Authenticate: Martian\nContent-Length: 0\n")
    },
    TruthCase(63, "407 from an origin", code: 307, exit: 6) { _ in
      answer("407 No", "Content-Length: 0\n")
    },
    TruthCase(64, "403", code: -1102, exit: 8) { _ in answer("403 No", "Content-Length: 0\n") },
    TruthCase(65, "404 with a page", code: -1100, exit: 8) { _ in
      answer("404 No", "Content-Length: 9\n", Array("not found".utf8))
    },
    TruthCase(66, "410", code: -1100, exit: 8) { _ in answer("410 Gone", "Content-Length: 0\n") },
    TruthCase(67, "429, then the file", code: 0, requests: 2...2) { request in
      request.number == 0
        ? answer("429 Slow", "Retry-After: 1\nContent-Length: 0\n") : sized("1000", body)
    },
    TruthCase(68, "503 until tomorrow", code: -1008, exit: 8) { _ in
      answer("503 No", "Retry-After: 86400\nContent-Length: 0\n")
    },
    TruthCase(69, "500", code: -1011, exit: 8, requests: 2...2) { _ in
      answer("500 Oh", "Content-Length: 0\n")
    },
    TruthCase(69, "500, then the file", code: 0, requests: 2...2) { request in
      request.number == 0 ? answer("500 Oh", "Content-Length: 0\n") : sized("1000", body)
    },
    TruthCase(70, "204", code: -1014) { _ in answer("204 None", "", body) },
    TruthCase(71, "304 unasked", code: -1011) { _ in answer("304 Same") },
    TruthCase(72, "an empty file", code: 0, file: []) { _ in sized("0", []) },
  ]

  private static func part(
    _ range: String, _ bytes: some Collection<UInt8>, _ fields: String = "ETag: \"v1\"\n"
  ) -> [FaultServer.Step] {
    answer(
      "206 Part", "Content-Range: \(range)\nContent-Length: \(bytes.count)\n\(fields)",
      Array(bytes))
  }

  /// What the setting-up run of a resuming case gets: 500 of 1000 bytes.
  static let half: [FaultServer.Step] = answer(
    "200 OK", "ETag: \"v1\"\nContent-Length: 1000\n", Array(body.prefix(500)))

  private static func resuming(
    _ id: Int, _ server: String, code: Int = 0, file: [UInt8]? = nil,
    requests: ClosedRange<Int> = 1...1, leavesPart: Bool = false,
    _ script: @escaping @Sendable (FaultServer.Request) -> [FaultServer.Step]
  ) -> TruthCase {
    TruthCase(
      id, server, code: code, file: file, requests: requests, resumes: true,
      leavesPart: leavesPart
    ) { $0.number == 0 ? half : script($0) }
  }

  /// The bad answer to anything with a range, the whole file to anything else.
  private static func orWhole(_ bad: [FaultServer.Step])
    -> @Sendable (FaultServer.Request)
    -> [FaultServer.Step]
  {
    { $0.range == nil ? sized("1000", body) : bad }
  }

  /// Ranges, validators and resumed downloads.
  static let ranges: [TruthCase] = [
    TruthCase(73, "206 unasked", code: -1011, requests: 2...3) { _ in
      part("bytes 0-499/1000", body.prefix(500))
    },
    resuming(74, "200 to a range") { _ in sized("1000", body) },
    resuming(
      75, "206 with a shifted start", requests: 2...2,
      orWhole(part("bytes 400-999/1000", body.suffix(600)))),
    resuming(
      76, "206 without Content-Range", requests: 2...2,
      orWhole(answer("206 Part", "Content-Length: 500\n", Array(body.suffix(500))))),
    resuming(
      77, "206 with another total", requests: 2...2,
      orWhole(part("bytes 484-1999/2000", pattern(1516)))),
    resuming(78, "206 shorter than it says", requests: 2...4) { request in
      let first = request.range?.first ?? 0
      let bytes = body[first...]
      guard request.number == 1 else { return part("bytes \(first)-999/1000", bytes) }
      return answer(
        "206 Part", "Content-Range: bytes \(first)-999/1000\nContent-Length: \(bytes.count)\n",
        Array(bytes.prefix(300)))
    },
    resuming(
      79, "multipart/byteranges to one range", requests: 2...2,
      orWhole(
        answer(
          "206 Part", "Content-Type: multipart/byteranges; boundary=x\nContent-Length: 4\n",
          Array("--x-".utf8)))),
    // The first answer had not told the length: else the file would have become a smaller one.
    TruthCase(80, "416, all is there", code: 0, file: Array(body.prefix(500)), resumes: true) {
      request in
      guard request.number == 0 else {
        return answer("416 No", "Content-Range: bytes */500\nContent-Length: 0\n")
      }
      let chunk = Array("1f4\r\n".utf8) + body.prefix(500)
      return answer("200 OK", "ETag: \"v1\"\nTransfer-Encoding: chunked\n", chunk)
    },
    resuming(
      81, "416 with another size", requests: 2...2,
      orWhole(answer("416 No", "Content-Range: bytes */300\nContent-Length: 0\n"))),
    resuming(82, "412", requests: 2...2, orWhole(answer("412 No", "Content-Length: 0\n"))),
    resuming(83, "404 on resume", code: -1100, leavesPart: true) { _ in
      answer("404 No", "Content-Length: 0\n")
    },
    resuming(86, "If-Range never honoured", requests: 2...2) { request in
      guard request["if-range"] == nil, let first = request.range?.first else {
        return answer("200 OK", "ETag: \"v1\"\nContent-Length: 1000\n", body)
      }
      return part("bytes \(first)-999/1000", body[first...])
    },
    resuming(
      87, "data shifted by a byte", requests: 2...2,
      { request in
        guard let first = request.range?.first else { return sized("1000", body) }
        return part("bytes \(first)-999/1000", [0] + body[first..<999])
      }),
    resuming(84, "another entity tag", requests: 2...2) { request in
      guard let first = request.range?.first else { return sized("1000", body) }
      return part("bytes \(first)-999/1000", body[first...], "ETag: \"v2\"\n")
    },
    TruthCase(85, "a weak entity tag only", code: 0, requests: 2...2) { request in
      let fields = "ETag: W/\"v1\"\n"
      guard let first = request.range?.first else {
        return answer("200 OK", fields + "Content-Length: 1000\n", Array(body.prefix(500)))
      }
      return request["if-range"] == nil
        ? part("bytes \(first)-999/1000", body[first...], fields) : answer("500 Oh")
    },
    TruthCase(
      98, "more than allowed", code: -1103, exit: 10, change: { $0.sizeLimit = 999 }
    ) { _ in sized("1000", body) },
    TruthCase(
      99, "more than allowed and no length", code: -1103, exit: 10, leavesPart: false,
      change: { $0.sizeLimit = 999 }
    ) { _ in answer("200 OK", "", body) },
    TruthCase(96, "more than the disk holds", code: -3003, exit: 10) { _ in
      sized("4611686018427387904", body)
    },
  ]
}
