import TestSupport

/// A head and what follows.
func answer(
  _ status: String, _ fields: String = "", _ body: [UInt8] = [], then end: FaultServer.Step = .close
) -> [FaultServer.Step] {
  [.text("HTTP/1.1 \(status)\n\(fields)\n"), .send(body), end]
}

/// 200 with a length of its own.
func sized(
  _ length: String, _ body: [UInt8], then end: FaultServer.Step = .close
) -> [FaultServer.Step] {
  answer("200 OK", "Content-Length: \(length)\n", body, then: end)
}

/// The whole good file.
let whole = sized("1000", TruthRow.body)

/// A part of a file, as it should be unless told otherwise.
func ranged(
  _ range: String, _ bytes: some Collection<UInt8>, _ fields: String = "ETag: \"v1\"\n"
) -> [FaultServer.Step] {
  answer(
    "206 Part", "Content-Range: \(range)\nContent-Length: \(bytes.count)\n\(fields)", Array(bytes))
}

/// A redirect; the connection stays open.
func redirect(_ target: String?) -> [FaultServer.Step] {
  answer(
    "302 Found", (target.map { "Location: \($0)\n" } ?? "") + "Content-Length: 0\n",
    then: .wait(.zero))
}

/// A gzip stream of some bytes, stored without compression, with a trailer of one's choice.
func gzip(_ body: [UInt8], crcFlaw: UInt32 = 0) -> [UInt8] {
  var crc: UInt32 = 0xFFFF_FFFF
  for byte in body {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
  }
  let little: (UInt32, Int) -> [UInt8] = { value, count in
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
  let count = UInt32(body.count)
  return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + little(count, 2) + little(~count, 2) + body
    + little(~crc ^ crcFlaw, 4) + little(count, 4)
}

/// Chunked framing of some bytes.
func chunk(_ body: [UInt8], size: String? = nil) -> [UInt8] {
  Array("\(size ?? String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n".utf8)
}

/// Lower-case hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { byte in
    let digits = String(byte, radix: 16)
    return digits.count < 2 ? "0" + digits : digits
  }.joined()
}

/// Base64 with padding.
func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for place in 0...group.count { text.append(digits[value >> (18 - 6 * place) & 63]) }
    text += String(repeating: "=", count: 3 - group.count)
  }
  return text
}
