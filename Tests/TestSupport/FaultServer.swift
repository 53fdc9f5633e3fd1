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
    /// Which request of this server it is, from 0 on unless the server was told otherwise.
    package var number: Int
    /// Its stream, where HTTP/2 is spoken.
    package var stream: UInt32 = 1
    /// How many requests are being answered, this one included.
    package var concurrent = 1

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
    /// Waits until something is so; a minute without it ends the connection.
    case until(@Sendable () -> Bool)
    /// Waits until all that was sent has reached the client's kernel, so that a reset loses none of it.
    case arrival
    /// Something that is to happen on this side.
    case act(@Sendable () -> Void)
    /// Closes with FIN, after saying so where TLS is spoken.
    case close
    /// Closes with FIN and says nothing of it in TLS.
    case cut
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
    var answering = 0
    var sentBytes = 0
  }

  private let acceptor: LoopbackAcceptor
  private let isSecure: Bool
  private let shared: Shared

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - greeting: Steps taken as soon as a connection is there, before any request is read.
  ///   - security: How connections are secured; `nil` for plain ones.
  ///   - first: The number of the first request.
  ///   - script: What to do with a request.
  /// - Throws: A system error where there is no port.
  package init(
    greeting: [Step]? = nil, security: ServerSecurity? = nil, numberingFrom first: Int = 0,
    _ script: @escaping @Sendable (Request) -> [Step]
  ) throws {
    isSecure = security != nil
    let shared = Shared()
    self.shared = shared
    acceptor = try LoopbackAcceptor(named: "fault-server") { connection in
      let served = FaultConnection(connection, security) { head in
        shared.state.withLock { state in
          var request = Self.request(head, number: first + state.requests.count)
          state.answering += 1
          request.concurrent = state.answering
          state.requests.append(request)
          return request
        }
      } answered: {
        shared.state.withLock { $0.answering -= 1 }
      } sent: { count in
        shared.state.withLock { $0.sentBytes += count }
      }
      guard served.accept() else { return served.leave() }
      if security?.speaksHTTP2 == true {
        served.serveHTTP2(script)
      } else {
        served.serve(greeting: greeting, script)
      }
    }
  }

  package var port: UInt16 { acceptor.port }

  /// The requests so far.
  package var requests: [Request] { shared.state.withLock { $0.requests } }

  /// Bytes sent without TLS so far, heads included; some may never arrive.
  package var sentBytes: Int { shared.state.withLock { $0.sentBytes } }

  /// How many connections were made so far.
  package var connectionCount: Int { acceptor.connectionCount }

  /// The URL of a path.
  package func url(_ path: String = "/file") -> String {
    "\(isSecure ? "https" : "http")://127.0.0.1:\(port)\(path)"
  }

  private static func request(_ head: String, number: Int) -> Request {
    let lines = head.split(separator: "\r\n").map(String.init)
    let words = (lines.first ?? "").split(separator: " ").map(String.init)
    return Request(
      method: words.first ?? "", path: words.count > 1 ? words[1] : "",
      lines: Array(lines.dropFirst()), number: number)
  }
}
