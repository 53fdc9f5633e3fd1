import Glibc
import SystemIO

/// One connection of a ``FaultServer``, served by the thread that calls.
struct FaultConnection: ~Copyable {
  private let socket: Int32
  private let tls: TLSWire?
  private let note: (String) -> FaultServer.Request
  private let answered: () -> Void
  private let sent: (Int) -> Void

  /// Takes over a connected socket.
  init(
    _ socket: Int32, _ security: ServerSecurity?,
    note: @escaping (String) -> FaultServer.Request, answered: @escaping () -> Void,
    sent: @escaping (Int) -> Void = { _ in }
  ) {
    self.socket = socket
    self.note = note
    self.answered = answered
    self.sent = sent
    guard let security else {
      tls = nil
      return
    }
    // OpenSSL writes without MSG_NOSIGNAL; the thread ends with the connection.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    tls = TLSWire(socket: socket, security)
  }

  /// Shakes hands where TLS is spoken; returns whether that succeeded.
  func accept() -> Bool { tls?.accept() ?? true }

  /// Ends the connection without pulling the rug from under what was said last.
  func leave() { _ = finish() }

  func serve(
    greeting: [FaultServer.Step]?, _ script: (FaultServer.Request) -> [FaultServer.Step]
  ) {
    if let greeting, !run(greeting) { return }
    while let head = readHead() {
      guard answer(head, script) else { return }
    }
  }

  /// Returns whether the connection is still open.
  private func answer(
    _ head: String, stream: UInt32 = 1, _ script: (FaultServer.Request) -> [FaultServer.Step]
  ) -> Bool {
    var request = note(head)
    request.stream = stream
    defer { answered() }
    return run(script(request))
  }

  private func readByte() -> UInt8? {
    if tls != nil { return tls?.readByte() }
    var byte: UInt8 = 0
    return unsafe recv(socket, &byte, 1, 0) == 1 ? byte : nil
  }

  private func readHead() -> String? {
    var bytes: [UInt8] = []
    while bytes.count < 64 << 10, let byte = readByte() {
      bytes.append(byte)
      if bytes.suffix(4) == [13, 10, 13, 10] { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }

  /// Returns whether the connection is still open.
  private func run(_ steps: [FaultServer.Step]) -> Bool {
    for step in steps {
      switch step {
      case .send(let bytes): if !send(bytes) { return false }
      case .drip(let bytes, let pause):
        for byte in bytes {
          Loopback.sleep(pause)
          if !send([byte]) { return false }
        }
      case .wait(let duration): Loopback.sleep(duration)
      case .until(let isSo): guard waits(until: isSo) else { return false }
      case .arrival: guard waits(until: { unacknowledged == 0 }) else { return false }
      case .act(let action): action()
      case .close:
        tls?.sayEnd()
        return finish()
      case .cut: return finish()
      case .reset:
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
          socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        return false
      case .hang:
        drain()
        return false
      }
    }
    return true
  }

  private func finish() -> Bool {
    shutdown(socket, Int32(SHUT_WR))
    drain()
    return false
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    if tls != nil { return tls?.send(bytes) == true }
    var done = 0
    while done < bytes.count {
      let rest = bytes[done...]
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent(count)
      done += count
    }
    return true
  }

  /// Returns whether it came to be so, while the client was there.
  private func waits(until isSo: () -> Bool) -> Bool {
    let end = Environment.monotonicNow + .seconds(60)
    while !isSo() {
      if isLeft || Environment.monotonicNow > end { return false }
      Loopback.sleep(.milliseconds(5))
    }
    return true
  }

  /// Bytes that the kernel of the client has not taken yet.
  private var unacknowledged: Int32 {
    var count: Int32 = 0
    return unsafe ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? count : 0
  }

  /// Whether the client has gone, or the server is to stop.
  private var isLeft: Bool {
    var byte: UInt8 = 0
    return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
  }

  private func drain() {
    var byte: UInt8 = 0
    while unsafe recv(socket, &byte, 1, 0) == 1 {}
  }
}

extension FaultConnection {
  /// Speaks HTTP/2: each request becomes steps that send frames (see ``HTTP2Frame``).
  ///
  /// With a client that begins with 1.1, that is spoken; its requests have fields.
  func serveHTTP2(_ script: (FaultServer.Request) -> [FaultServer.Step]) {
    guard let first = readHead() else { return }
    guard first.hasPrefix("PRI ") else {
      return answer(first, script) ? serve(greeting: nil, script) : ()
    }
    let restOfPreface = 6
    for _ in 0..<restOfPreface where readByte() == nil { return }
    guard send(HTTP2Frame.settings) else { return }
    while let frame = readFrame() {
      switch frame.kind {
      case .settings where frame.flags & HTTP2Frame.acknowledged == 0:
        guard send(HTTP2Frame.settingsAcknowledged) else { return }
      case .headers:
        // The fields are compressed, and no script asks for them.
        guard answer("GET / HTTP/2\r\n\r\n", stream: frame.stream, script) else { return }
      default: break
      }
    }
  }

  private func readFrame() -> HTTP2Frame? {
    var head: [UInt8] = []
    while head.count < 9 {
      guard let byte = readByte() else { return nil }
      head.append(byte)
    }
    let count = head[..<3].reduce(0) { $0 << 8 | Int($1) }
    for _ in 0..<count where readByte() == nil { return nil }
    return HTTP2Frame(head: head)
  }
}

/// The head of a frame of HTTP/2, and bytes of those that a server sends.
///
/// Source: RFC 9113.
package struct HTTP2Frame: Sendable {
  enum Kind: UInt8 { case data, headers, priority, reset, settings, push, ping, goAway }

  static let acknowledged: UInt8 = 1
  static let settings = bytes(.settings, stream: 0)
  static let settingsAcknowledged = bytes(.settings, flags: acknowledged, stream: 0)
  private static let endsStream: UInt8 = 1
  private static let endsHeaders: UInt8 = 4

  var kind: Kind?
  var flags: UInt8
  var stream: UInt32

  init(head: [UInt8]) {
    kind = Kind(rawValue: head[3])
    flags = head[4]
    stream = head[5..<9].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
  }

  private static func bytes(
    _ kind: Kind, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8] = []
  ) -> [UInt8] {
    Array(big(UInt32(payload.count)).dropFirst()) + [kind.rawValue, flags] + big(stream) + payload
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A status of 200 or 206 and fields, whose names are in small letters.
  package static func head(
    _ status: Int, _ fields: [(String, String)], stream: UInt32
  ) -> [UInt8] {
    // RFC 7541: the two statuses are in the static table, fields go as literals without a table.
    var payload: [UInt8] = [status == 206 ? 0x8A : 0x88]
    for (name, value) in fields {
      payload.append(0)
      for text in [name, value] {
        payload.append(UInt8(text.utf8.count))
        payload += Array(text.utf8)
      }
    }
    return bytes(.headers, flags: endsHeaders, stream: stream, payload)
  }

  /// Bytes of a body; at most 16,384.
  package static func data(_ body: [UInt8], isLast: Bool, stream: UInt32) -> [UInt8] {
    bytes(.data, flags: isLast ? endsStream : 0, stream: stream, body)
  }

  /// The end of a stream, with an error such as `REFUSED_STREAM` (7).
  package static func reset(_ error: UInt32, stream: UInt32) -> [UInt8] {
    bytes(.reset, stream: stream, big(error))
  }

  /// The end of a connection on which streams up to the given one were looked at.
  package static func goAway(last stream: UInt32, error: UInt32 = 0) -> [UInt8] {
    bytes(.goAway, stream: 0, big(stream) + big(error))
  }
}
