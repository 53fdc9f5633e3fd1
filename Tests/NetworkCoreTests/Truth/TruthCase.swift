import NetworkCore
import SystemIO
import TestSupport
import Testing

/// One way in which a server misbehaves, and what a truthful downloader makes of it.
struct TruthCase: Sendable, CustomTestStringConvertible {
  /// The number that the published table has for it.
  var id: Int
  var server: String
  /// The CFNetwork number; 0 is success.
  var code: Int
  /// The file after a success.
  var file: [UInt8]?
  /// How many requests the server may see.
  var requests: ClosedRange<Int>
  /// Whether an earlier run left the first 500 bytes.
  var resumes = false
  /// Whether a part is left after a failure.
  var leavesPart = false
  var exit: Int32?
  var greeting: [FaultServer.Step]?
  var change: @Sendable (inout DownloadOptions) -> Void = { _ in }
  var script: @Sendable (FaultServer.Request) -> [FaultServer.Step]

  var testDescription: String { "\(id): \(server)" }

  static let body = pattern(1000)

  init(
    _ id: Int, _ server: String, code: Int, exit: Int32? = nil, file: [UInt8]? = nil,
    requests: ClosedRange<Int> = 1...1, resumes: Bool = false, leavesPart: Bool = false,
    greeting: [FaultServer.Step]? = nil,
    change: @escaping @Sendable (inout DownloadOptions) -> Void = { _ in },
    _ script: @escaping @Sendable (FaultServer.Request) -> [FaultServer.Step]
  ) {
    self.id = id
    self.server = server
    self.code = code
    self.exit = exit
    self.file = file ?? (code == 0 ? Self.body : nil)
    self.requests = requests
    self.resumes = resumes
    self.leavesPart = leavesPart
    self.greeting = greeting
    self.change = change
    self.script = script
  }

  /// Patience enough for a busy machine; where it is what ends the case, ``impatient`` shortens it.
  var options: DownloadOptions {
    var options = DownloadOptions()
    options.retryLimit = 1
    options.retryTime = .seconds(5)
    options.transfer.connectTimeout = .seconds(20)
    options.transfer.responseTimeout = .seconds(20)
    options.transfer.stallTimeout = .seconds(20)
    change(&options)
    return options
  }
}

/// Waits tenths of a second, for servers that keep silent.
@Sendable func impatient(_ options: inout DownloadOptions) {
  options.transfer.connectTimeout = .milliseconds(300)
  options.transfer.responseTimeout = .milliseconds(300)
  options.transfer.stallTimeout = .milliseconds(500)
}

// MARK: - Answers

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
