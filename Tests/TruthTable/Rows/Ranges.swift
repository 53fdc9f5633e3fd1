import TestSupport

extension TruthRow {
  /// What the run before a resuming row gets: 500 of 1000 bytes.
  static let half: [FaultServer.Step] = answer(
    "200 OK", "ETag: \"v1\"\nContent-Length: 1000\n", Array(body.prefix(500)))

  private static func resuming(
    _ id: Int, _ server: String, _ right: Right = .whole, curl: [Int?] = [nil],
    part: Part = .either, requests: ClosedRange<Int> = 1...1, needs: [TruthNeed] = [],
    _ script: @escaping @Sendable (FaultServer.Request) -> [FaultServer.Step]
  ) -> TruthRow {
    TruthRow(
      id, server, right, curl: curl, part: part, requests: requests, resumes: true,
      needs: needs
    ) { $0.number == 0 ? half : script($0) }
  }

  /// The bad answer to anything with a range, the whole file to anything else.
  private static func orWhole(_ bad: [FaultServer.Step])
    -> @Sendable (FaultServer.Request)
    -> [FaultServer.Step]
  {
    { $0.range == nil ? whole : bad }
  }

  /// Ranges, validators and resumed downloads.
  static let ranges: [TruthRow] = [
    TruthRow(73, "206 unasked", .failure(-1011, exit: 7), requests: 2...3) { _ in
      ranged("bytes 0-499/1000", body.prefix(500))
    },
    resuming(74, "200 to a range") { _ in whole },
    resuming(
      75, "206 with a shifted start", requests: 2...2,
      orWhole(ranged("bytes 400-999/1000", body.suffix(600)))),
    resuming(
      76, "206 without Content-Range", requests: 2...2,
      orWhole(answer("206 Part", "Content-Length: 500\n", Array(body.suffix(500))))),
    resuming(
      77, "206 with another total", requests: 2...2,
      orWhole(ranged("bytes 484-1999/2000", pattern(1516)))),
    resuming(78, "206 shorter than it says", requests: 2...4) { request in
      let first = request.range?.first ?? 0
      let bytes = body[first...]
      guard request.number == 1 else {
        return ranged("bytes \(first)-999/1000", bytes)
      }
      return answer(
        "206 Part", "Content-Range: bytes \(first)-999/1000\nContent-Length: \(bytes.count)\n",
        Array(bytes.prefix(300)))
    },
    resuming(
      78, "206 always shorter than it says", .failure(-1005, exit: 4), curl: [18], part: .kept,
      requests: 2...4
    ) { request in
      let first = request.range?.first ?? 0
      return answer(
        "206 Part",
        "ETag: \"v1\"\nContent-Range: bytes \(first)-999/1000\nContent-Length: \(1000 - first)\n",
        Array(body[first...].prefix(100)))
    },
    resuming(
      79, "multipart/byteranges to one range", requests: 2...2,
      orWhole(
        answer(
          "206 Part", "Content-Type: multipart/byteranges; boundary=x\nContent-Length: 4\n",
          Array("--x-".utf8)))),
    // The first answer had not told the length: else the file would have become a smaller one.
    TruthRow(80, "416, all is there", .file(Array(body.prefix(500))), resumes: true) { request in
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
    resuming(83, "404 on resume", .failure(-1100, exit: 8), part: .kept) { _ in
      answer("404 No", "Content-Length: 0\n")
    },
    resuming(84, "another entity tag", requests: 2...2) { request in
      guard let first = request.range?.first else { return whole }
      return ranged("bytes \(first)-999/1000", body[first...], "ETag: \"v2\"\n")
    },
    resuming(
      84, "another file with every answer", .failure(-1011, exit: 9), requests: 3...12,
      needs: [.patience(tries: 6)]
    ) { request in
      let tag = "ETag: \"v\(request.number + 1)\"\n"
      let bytes = body.map { $0 ^ UInt8(truncatingIfNeeded: request.number) }
      guard let first = request.range?.first else {
        return answer("200 OK", "\(tag)Content-Length: 1000\n", Array(bytes.prefix(500)))
      }
      return ranged("bytes \(first)-999/1000", bytes[first...], tag)
    },
    TruthRow(85, "a weak entity tag only", .whole, requests: 2...2) { request in
      let fields = "ETag: W/\"v1\"\n"
      guard let first = request.range?.first else {
        return answer("200 OK", fields + "Content-Length: 1000\n", Array(body.prefix(500)))
      }
      return request["if-range"] == nil
        ? ranged("bytes \(first)-999/1000", body[first...], fields) : answer("500 Oh")
    },
    resuming(86, "If-Range never honoured", requests: 2...2) { request in
      guard request["if-range"] == nil, let first = request.range?.first else {
        return answer("200 OK", "ETag: \"v1\"\nContent-Length: 1000\n", body)
      }
      return ranged("bytes \(first)-999/1000", body[first...])
    },
    resuming(87, "data shifted by a byte under a good head", requests: 2...2) { request in
      guard let first = request.range?.first else { return whole }
      return ranged("bytes \(first)-999/1000", [0] + body[first..<999])
    },
    TruthRow(
      87, "data shifted by a byte, and a checksum", .failure(-3007, exit: 9), part: .gone,
      needs: [.checksum(sha256: hexadecimal(TestDigest.sha256(body)))]
    ) { _ in sized("1000", [0] + body.dropLast()) },
    TruthRow(
      88, "two connections are allowed, the third gets 503", .file(large), requests: 2...80,
      needs: [.connections(4)]
    ) { request in
      guard request.concurrent <= 2 else { return answer("503 Busy", "Content-Length: 0\n") }
      let first = request.range?.first ?? 0
      let bytes = large[first...(request.range?.last ?? large.count - 1)]
      let fields = "ETag: \"v1\"\nAccept-Ranges: bytes\nContent-Length: \(bytes.count)\n"
      let range = "Content-Range: bytes \(first)-\(bytes.endIndex - 1)/\(large.count)\n"
      let head = request.range == nil ? "200 OK\n" + fields : "206 Part\n" + fields + range
      // Slow enough for a second connection to be worth while.
      let pieces = stride(from: bytes.startIndex, to: bytes.endIndex, by: 128 << 10).flatMap {
        [
          FaultServer.Step.send(Array(bytes[$0..<min($0 + 128 << 10, bytes.endIndex)])),
          .wait(.milliseconds(20)),
        ]
      }
      return [.text("HTTP/1.1 \(head)\n")] + pieces + [.close]
    },
    TruthRow(89, "one mirror has other bytes", .whole, requests: 2...3) { stage in
      let liar = try stage.serve { _ in sized("1000", [1] + body.dropFirst()) }
      let good = try stage.serve { _ in whole }
      let digest = hexadecimal(TestDigest.sha256(body))
      return TruthScene(liar.url(), [.mirrors([good.url()], sha256: digest)])
    },
  ]

  private static let large: [UInt8] = pattern(8 << 20)
}
