import Glibc
import SystemIO

/// A server on loopback for protocols in which both sides speak in turn, such as SOCKS and FTP.
///
/// Every connection is talked to by a thread of its own; all end with the server.
package final class TalkServer: Sendable {
  /// One connection, for the thread that serves it.
  package struct Talk {
    fileprivate let socket: Int32

    /// Exactly so many bytes, or `nil` where the client goes away first.
    package func read(_ count: Int) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: count)
      var done = 0
      while done < count {
        let got = unsafe bytes.withUnsafeMutableBytes {
          unsafe recv(socket, $0.baseAddress?.advanced(by: done), count - done, 0)
        }
        guard got > 0 else { return nil }
        done += got
      }
      return bytes
    }

    /// Up to a zero byte, which is left out.
    package func readString() -> String? { read(until: 0) }

    /// Up to a line feed, without the line end.
    package func readLine() -> String? {
      read(until: 10).map { $0.hasSuffix("\r") ? String($0.dropLast()) : $0 }
    }

    private func read(until end: UInt8) -> String? {
      var bytes: [UInt8] = []
      while bytes.count < 4096, let next = read(1) {
        if next[0] == end { return String(decoding: bytes, as: UTF8.self) }
        bytes += next
      }
      return nil
    }

    package func send(_ bytes: [UInt8]) {
      var done = 0
      while done < bytes.count {
        let rest = bytes[done...]
        let count = unsafe rest.withUnsafeBytes {
          unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        done += count
      }
    }

    package func send(line: String) { send(Array("\(line)\r\n".utf8)) }

    /// Makes the end of the connection a reset.
    package func reset() {
      var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
      unsafe setsockopt(
        socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    /// Waits until the client goes away.
    package func drain() { while read(1) != nil {} }

    /// Passes bytes on in both directions until either side ends.
    package func relay(to port: UInt16) {
      guard let other = Loopback.open(port) else { return }
      defer { Glibc.close(other) }
      var chunk = [UInt8](repeating: 0, count: 16 << 10)
      while true {
        var both = [
          pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
          pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        guard unsafe poll(&both, 2, -1) > 0 else { return }
        for (from, to) in [(0, other), (1, socket)] where both[from].revents != 0 {
          let count = unsafe recv(both[from].fd, &chunk, chunk.count, 0)
          guard count > 0 else { return }
          Talk(socket: to).send(Array(chunk[..<count]))
        }
      }
    }
  }

  private let acceptor: LoopbackAcceptor

  /// Starts a server.
  package init(_ talk: @escaping @Sendable (Talk) -> Void) throws {
    acceptor = try LoopbackAcceptor(named: "talk-server") { talk(Talk(socket: $0)) }
  }

  package var port: UInt16 { acceptor.port }

  /// How many connections were made.
  package var connectionCount: Int { acceptor.connectionCount }
}

extension Loopback {
  /// Connects to a port of 127.0.0.1.
  static func open(_ port: UInt16) -> Int32? {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe Glibc.connect(client, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if status == 0 { return client }
    Glibc.close(client)
    return nil
  }
}
