import NetworkCore
import TestSupport

extension TruthCase {
  private static let noise: [UInt8] = Array("SSH-2.0-OpenSSH_9.2p1\r\n".utf8)

  /// Connections and response heads.
  static let heads: [TruthCase] = [
    TruthCase(7, "closes without a byte", code: -1005, exit: 4, requests: 2...3) { _ in [.close] },
    TruthCase(8, "resets before the status line", code: -1005, exit: 4, requests: 2...3) { _ in
      [.reset]
    },
    TruthCase(9, "never answers", code: -1001, exit: 4, requests: 2...2, change: impatient) { _ in
      [.hang]
    },
    TruthCase(10, "status line, then close", code: -1005, requests: 2...2) { _ in
      [.text("HTTP/1.1 200 OK\n"), .close]
    },
    TruthCase(11, "head cut in a name", code: -1005, requests: 2...2) { _ in
      [.text("HTTP/1.1 200 OK\nContent-Le"), .close]
    },
    TruthCase(12, "one byte of the head at a time", code: -1001, requests: 2...2, change: impatient)
    { _ in
      [.drip(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8), every: .milliseconds(90))]
    },
    TruthCase(
      13, "a banner of SSH", code: -1017, exit: 7, requests: 0...1,
      greeting: [
        .send(noise), .wait(.milliseconds(50)), .close,
      ]
    ) { _ in [.close] },
    TruthCase(14, "a bare body", code: -1017, exit: 7) { _ in
      [.send(Array("hello there".utf8)), .close]
    },
    TruthCase(15, "HTTP/9.9", code: -1017, exit: 7) { _ in
      [.text("HTTP/9.9 200 OK\nContent-Length: 4\n\nbody"), .close]
    },
    TruthCase(16, "two digits of status", code: -1017, exit: 7) { _ in
      [.text("HTTP/1.1 20 OK\nContent-Length: 4\n\nbody"), .close]
    },
    TruthCase(17, "status 999", code: -1011, exit: 7) { _ in
      answer("999 What", "Content-Length: 4\n", [1, 2, 3, 4])
    },
    TruthCase(18, "LF line ends", code: 0) { _ in
      [.send(Array("HTTP/1.1 200 OK\nContent-Length: 1000\n\n".utf8) + body), .close]
    },
    TruthCase(19, "NUL in the head", code: -1017, exit: 7) { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nA: \0b\r\nContent-Length: 4\r\n\r\nbody".utf8)), .close]
    },
    TruthCase(20, "a line without a colon", code: -1017, exit: 7) { _ in
      [.text("HTTP/1.1 200 OK\nnonsense here\nContent-Length: 4\n\nbody"), .close]
    },
    TruthCase(21, "a line of 1.2 MB", code: -1103, exit: 10) { _ in
      answer("200 OK", "A: \(String(repeating: "x", count: 1_200_000))\nContent-Length: 0\n")
    },
    TruthCase(22, "20,000 lines", code: -1103, exit: 10) { _ in
      answer("200 OK", String(repeating: "A: b\n", count: 20_000) + "Content-Length: 0\n")
    },
    TruthCase(23, "100 Continue without end", code: -1017, exit: 7) { _ in
      [.text(String(repeating: "HTTP/1.1 100 Continue\n\n", count: 500)), .hang]
    },
    TruthCase(24, "101 unasked", code: -1017, exit: 7) { _ in
      answer("101 Switching", "Upgrade: x\nConnection: Upgrade\n", [1, 2, 3])
    },
  ]

  /// Framing of bodies.
  static let framing: [TruthCase] = [
    TruthCase(25, "half of the length, FIN", code: -1005, requests: 2...4, leavesPart: true) { _ in
      sized("2000", body)
    },
    TruthCase(26, "half of the length, RST", code: -1005, requests: 2...4) { _ in
      [
        .text("HTTP/1.1 200 OK\nContent-Length: 2000\n\n"), .send(body), .wait(.milliseconds(50)),
        .reset,
      ]
    },
    TruthCase(27, "a length and nothing", code: -1014, requests: 2...2) { _ in sized("2000", []) },
    TruthCase(28, "more than the length", code: 0, file: Array(body.prefix(500))) { _ in
      sized("500", body)
    },
    TruthCase(29, "a negative length", code: -1017, exit: 7) { _ in sized("-5", body) },
    TruthCase(30, "letters for a length", code: -1017, exit: 7) { _ in sized("abc", body) },
    TruthCase(31, "digits and letters for a length", code: -1017, exit: 7) { _ in
      sized("1000x", body)
    },
    TruthCase(32, "a length beyond 64 bits", code: -1103, exit: 10) { _ in
      sized("99999999999999999999", body)
    },
    TruthCase(33, "two lengths", code: -1017, exit: 7) { _ in
      answer("200 OK", "Content-Length: 1000\nContent-Length: 900\n", body)
    },
    TruthCase(34, "a length and chunks", code: 0) { _ in
      answer(
        "200 OK", "Content-Length: 7\nTransfer-Encoding: chunked\n",
        chunk(body) + Array("0\r\n\r\n".utf8))
    },
    TruthCase(35, "no last chunk", code: -1005, requests: 2...4, leavesPart: true) { _ in
      answer("200 OK", "Transfer-Encoding: chunked\n", chunk(body))
    },
    TruthCase(36, "cut inside a chunk", code: -1005, requests: 2...4, leavesPart: true) { _ in
      answer("200 OK", "Transfer-Encoding: chunked\n", Array(chunk(body).prefix(600)))
    },
    TruthCase(37, "a chunk size that is none", code: -1017, exit: 7, requests: 1...2) { _ in
      answer("200 OK", "Transfer-Encoding: chunked\n", chunk(body, size: "zzz"))
    },
    TruthCase(38, "a chunk size of 80 bits", code: -1017, exit: 7, requests: 1...2) { _ in
      answer("200 OK", "Transfer-Encoding: chunked\n", chunk(body, size: "fffffffffffffffffffff"))
    },
    TruthCase(39, "no length, a clean end", code: 0) { _ in answer("200 OK", "", body) },
    TruthCase(
      39, "no length, and one is required", code: -1011, change: { $0.requiresLength = true }
    ) { _ in answer("200 OK", "", body) },
    TruthCase(40, "no length, RST", code: -1005, requests: 2...4) { _ in
      [.text("HTTP/1.1 200 OK\n\n"), .send(body), .wait(.milliseconds(50)), .reset]
    },
    TruthCase(
      42, "stops in the middle", code: -1001, requests: 2...4, leavesPart: true, change: impatient
    ) { _ in
      [.text("HTTP/1.1 200 OK\nContent-Length: 2000\n\n"), .send(body), .hang]
    },
    TruthCase(
      43, "a byte now and then, for ever", code: -1001, requests: 2...6, leavesPart: true,
      change: impatient
    ) {
      _ in
      [.text("HTTP/1.1 200 OK\nContent-Length: 2000\n\n"), .drip(body, every: .milliseconds(120))]
    },
    TruthCase(49, "an unknown transfer coding", code: -1017, exit: 7) { _ in
      answer("200 OK", "Transfer-Encoding: xyz\n", body)
    },
  ]

  private static func coded(_ coding: String, _ bytes: [UInt8]) -> [FaultServer.Step] {
    answer("200 OK", "Content-Encoding: \(coding)\nContent-Length: \(bytes.count)\n", bytes)
  }

  /// Content codings.
  static let codings: [TruthCase] = [
    TruthCase(44, "damaged gzip", code: -1015, requests: 1...2) { _ in
      coded("gzip", Array(gzip(body).prefix(10)) + [7, 255, 255, 255] + body)
    },
    TruthCase(45, "gzip on the label, plain inside", code: -1015, requests: 2...2) { _ in
      coded("gzip", body)
    },
    TruthCase(46, "a wrong CRC", code: -3007, exit: 9, requests: 1...2) { _ in
      coded("gzip", gzip(body, crcFlaw: 1))
    },
    TruthCase(47, "gzip cut short", code: -3007, exit: 9, requests: 1...2) { _ in
      coded("gzip", gzip(body).dropLast(300))
    },
    TruthCase(48, "an unknown content coding", code: -1016) { _ in coded("xyz", body) },
    TruthCase(48, "an unknown content coding, kept", code: 0, change: { $0.decodes = false }) { _ in
      coded("xyz", body)
    },
    TruthCase(
      50, "more than allowed after decoding", code: -1103, exit: 10,
      change: {
        $0.sizeLimit = 2000
      }
    ) { _ in coded("gzip", gzip(pattern(3000))) },
    TruthCase(44, "good gzip", code: 0) { _ in coded("gzip", gzip(body)) },
  ]
}
