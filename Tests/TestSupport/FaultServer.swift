import Glibc
import Synchronization
import SystemIO

/// An HTTP server on loopback that misbehaves as told, for tests of clients.
///
/// A script turns each request into steps. Every connection has a thread of its own; all end with the
/// server.
package final class FaultServer: Sendable {
  /// A request as it came.
  package struct Request: Sendable {
    package var method: String
    package var path: String
    package var lines: [String]
    /// Which request of this server it is, from 0 on.
    package var number: Int

    /// The value of a field, whatever the case of its name.
    package subscript(name: String) -> String? {
      let prefix = name.lowercased() + ":"
      return lines.first { $0.lowercased().hasPrefix(prefix) }
        .map { String($0.dropFirst(prefix.count).drop { $0 == " " }) }
    }

    /// The first byte of a `Range: bytes=N-`, and the last where it is given.
    package var range: (first: Int, last: Int?)? {
      guard let text = self["range"], text.hasPrefix("bytes=") else { return nil }
      let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, let first = Int(parts[0]) else { return nil }
      return (first, Int(parts[1]))
    }
  }

  /// One thing that the server does.
  package enum Step: Sendable {
    case send([UInt8])
    /// The bytes one by one, with a wait before each.
    case drip([UInt8], every: Duration)
    case wait(Duration)
    /// Closes with FIN.
    case close
    /// Closes with RST.
    case reset
    /// Does nothing until the client goes away.
    case hang

    /// A text with CRLF for each line end.
    package static func text(_ text: String) -> Step {
      .send(
        Array(
          text.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\r\n").utf8))
    }
  }

  private struct State {
    var requests: [Request] = []
    var connections: [Int32] = []
    var isStopped = false
  }

  package let port: UInt16
  private let listener: Int32
  private let script: @Sendable (Request) -> [Step]
  private let greeting: [Step]?
  private let shared: Shared

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - greeting: Steps taken as soon as a connection is there, before any request is read.
  ///   - script: What to do with a request.
  /// - Throws: A system error where there is no port.
  package init(
    greeting: [Step]? = nil, _ script: @escaping @Sendable (Request) -> [Step]
  ) throws {
    self.script = script
    self.greeting = greeting
    let shared = Shared()
    self.shared = shared
    (listener, port) = try Loopback.listen()
    let (listener, script) = (listener, script)
    _ = try OwnedThread(named: "fault-server") {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        let isWanted = shared.state.withLock { state in
          if !state.isStopped { state.connections.append(connection) }
          return !state.isStopped
        }
        guard isWanted else {
          Glibc.close(connection)
          return
        }
        _ = try? OwnedThread(named: "fault-conn") {
          FaultConnection(connection) { head in
            shared.state.withLock { state in
              let request = Self.request(head, number: state.requests.count)
              state.requests.append(request)
              return request
            }
          }.serve(greeting: greeting, script)
          shared.state.withLock { $0.connections.removeAll { $0 == connection } }
          Glibc.close(connection)
        }
      }
    }
  }

  deinit {
    shared.state.withLock { state in
      state.isStopped = true
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
  }

  /// The requests so far.
  package var requests: [Request] { shared.state.withLock { $0.requests } }

  /// The URL of a path.
  package func url(_ path: String = "/file") -> String { "http://127.0.0.1:\(port)\(path)" }

  private static func request(_ head: String, number: Int) -> Request {
    let lines = head.split(separator: "\r\n").map(String.init)
    let words = (lines.first ?? "").split(separator: " ").map(String.init)
    return Request(
      method: words.first ?? "", path: words.count > 1 ? words[1] : "",
      lines: Array(lines.dropFirst()), number: number)
  }
}

/// One connection of a ``FaultServer``, served by the thread that calls.
private struct FaultConnection {
  private let socket: Int32
  private let note: (String) -> FaultServer.Request

  init(_ socket: Int32, note: @escaping (String) -> FaultServer.Request) {
    self.socket = socket
    self.note = note
  }

  func serve(
    greeting: [FaultServer.Step]?, _ script: (FaultServer.Request) -> [FaultServer.Step]
  ) {
    if let greeting, !run(greeting) { return }
    while let head = readHead() {
      guard run(script(note(head))) else { return }
    }
  }

  private func readHead() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 64 << 10, unsafe recv(socket, &byte, 1, 0) == 1 {
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
      case .close:
        shutdown(socket, Int32(SHUT_WR))
        drain()
        return false
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

  private func send(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let rest = bytes[done...]
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  private func drain() {
    var byte: UInt8 = 0
    while unsafe recv(socket, &byte, 1, 0) == 1 {}
  }
}

/// Sockets on 127.0.0.1.
package enum Loopback {
  /// Opens a listening socket on a free port.
  package static func listen(backlog: Int32 = 64) throws -> (socket: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
        guard unsafe bind(listener, address, size) == 0, Glibc.listen(listener, backlog) == 0
        else { return -1 }
        return unsafe getsockname(listener, address, &size)
      }
    }
    guard status == 0 else { throw SystemError(errno: errno, call: "bind") }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// Whether somebody listens on a port.
  package static func canConnect(_ port: UInt16) -> Bool {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(client, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// A port of 127.0.0.1 that nobody listens on.
  package static func closedPort() throws -> UInt16 {
    let (socket, port) = try listen()
    Glibc.close(socket)
    return port
  }

  /// Waits; for threads of tests only.
  package static func sleep(_ duration: Duration) {
    usleep(UInt32(clamping: Int64(duration / .microseconds(1))))
  }
}
