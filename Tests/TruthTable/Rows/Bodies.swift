import TestSupport

extension TruthRow {
  /// Framing of bodies.
  static let framing: [TruthRow] = [
    TruthRow(
      25, "half of the length, FIN", .failure(-1005, exit: 4), curl: [18], part: .kept,
      requests: 2...4
    ) { _ in sized("2000", body) },
    TruthRow(
      26, "half of the length, RST", .failure(-1005, exit: 4), curl: [56], requests: 2...4
    ) { _ in
      [
        .text("HTTP/1.1 200 OK\nContent-Length: 2000\n\n"), .send(body), .arrival,
        .reset,
      ]
    },
    TruthRow(
      27, "a length and nothing", .failure(-1014, exit: 4), curl: [18], requests: 2...2
    ) { _ in sized("2000", []) },
    TruthRow(28, "more than the length", .file(Array(body.prefix(500)))) { _ in sized("500", body)
    },
    TruthRow(29, "a negative length", .failure(-1017, exit: 7), curl: [8]) { _ in sized("-5", body)
    },
    TruthRow(30, "letters for a length", .failure(-1017, exit: 7), curl: [8]) { _ in
      sized("abc", body)
    },
    TruthRow(31, "digits and letters for a length", .failure(-1017, exit: 7)) { _ in
      sized("1000x", body)
    },
    TruthRow(32, "a length beyond 64 bits", .failure(-1103, exit: 10)) { _ in
      sized("99999999999999999999", body)
    },
    TruthRow(33, "two lengths", .failure(-1017, exit: 7)) { _ in
      answer("200 OK", "Content-Length: 1000\nContent-Length: 900\n", body)
    },
    TruthRow(34, "a length and chunks", .whole) { _ in
      answer(
        "200 OK", "Content-Length: 7\nTransfer-Encoding: chunked\n",
        chunk(body) + Array("0\r\n\r\n".utf8))
    },
    TruthRow(
      35, "no last chunk", .failure(-1005, exit: 4), curl: [18], part: .kept, requests: 2...4
    ) { _ in answer("200 OK", "Transfer-Encoding: chunked\n", chunk(body)) },
    TruthRow(
      36, "cut inside a chunk", .failure(-1005, exit: 4), curl: [18], part: .kept, requests: 2...4
    ) { _ in answer("200 OK", "Transfer-Encoding: chunked\n", Array(chunk(body).prefix(600))) },
    TruthRow(
      37, "a chunk size that is none", .failure(-1017, exit: 7), curl: [56], requests: 1...2
    ) { _ in answer("200 OK", "Transfer-Encoding: chunked\n", chunk(body, size: "zzz")) },
    TruthRow(
      38, "a chunk size of 80 bits", .failure(-1017, exit: 7), curl: [56], requests: 1...2
    ) { _ in
      answer("200 OK", "Transfer-Encoding: chunked\n", chunk(body, size: "fffffffffffffffffffff"))
    },
    TruthRow(39, "no length, a clean end", .whole) { _ in answer("200 OK", "", body) },
    TruthRow(40, "no length, RST", .failure(-1005, exit: 4), curl: [56], requests: 2...4) { _ in
      [.text("HTTP/1.1 200 OK\n\n"), .send(body), .arrival, .reset]
    },
    TruthRow(
      41, "no length, TLS ends without close_notify", .failure(-1005, exit: 4), curl: [nil, 56],
      requests: 2...4
    ) { stage in
      let (server, trust) = try stage.serveSecurely { _ in answer("200 OK", "", body, then: .cut) }
      return TruthScene(server.url(), [trust])
    },
    TruthRow(41, "no length, TLS ends with close_notify", .whole) { stage in
      let (server, trust) = try stage.serveSecurely { _ in answer("200 OK", "", body) }
      return TruthScene(server.url(), [trust])
    },
    TruthRow(
      42, "stops in the middle", .failure(-1001, exit: 4), curl: [28], part: .kept, requests: 2...4,
      needs: [.impatience]
    ) { _ in [.text("HTTP/1.1 200 OK\nContent-Length: 2000\n\n"), .send(body), .hang] },
    TruthRow(
      43, "a byte now and then, for ever", .failure(-1001, exit: 4), curl: [28], part: .kept,
      requests: 2...6, needs: [.impatience]
    ) { _ in
      [.text("HTTP/1.1 200 OK\nContent-Length: 2000\n\n"), .drip(body, every: .milliseconds(120))]
    },
    TruthRow(49, "an unknown transfer coding", .failure(-1017, exit: 7), curl: [nil, 61]) { _ in
      answer("200 OK", "Transfer-Encoding: xyz\n", body)
    },
  ]

  private static func coded(_ coding: String, _ bytes: [UInt8]) -> [FaultServer.Step] {
    answer("200 OK", "Content-Encoding: \(coding)\nContent-Length: \(bytes.count)\n", bytes)
  }

  /// Content codings.
  static let codings: [TruthRow] = [
    TruthRow(44, "damaged gzip", .failure(-1015, exit: 7), requests: 1...2) { _ in
      coded("gzip", Array(gzip(body).prefix(10)) + [7, 255, 255, 255] + body)
    },
    TruthRow(44, "good gzip", .whole) { _ in coded("gzip", gzip(body)) },
    TruthRow(
      45, "gzip on the label, plain inside", .failure(-1015, exit: 7), requests: 2...2
    ) { _ in coded("gzip", body) },
    TruthRow(46, "a wrong CRC", .failure(-3007, exit: 9), requests: 1...2) { _ in
      coded("gzip", gzip(body, crcFlaw: 1))
    },
    TruthRow(47, "gzip cut short", .failure(-3007, exit: 9), requests: 1...2) { _ in
      coded("gzip", gzip(body).dropLast(300))
    },
    TruthRow(48, "an unknown content coding", .failure(-1016, exit: 7)) { _ in coded("xyz", body) },
    TruthRow(48, "an unknown content coding, kept", .whole, needs: [.rawCoding]) { _ in
      coded("xyz", body)
    },
    TruthRow(
      50, "gzip that unpacks to more than allowed", .failure(-1103, exit: 10),
      needs: [.sizeLimit(2000)]
    ) { _ in coded("gzip", gzip(pattern(3000))) },
  ]
}
