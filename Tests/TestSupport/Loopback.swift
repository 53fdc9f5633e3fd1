import Glibc
import SystemIO

/// Sockets on the loopback addresses.
package enum Loopback {
  package enum Family: Sendable { case ipv4, ipv6 }

  /// Opens a listening socket on a free port, or on the given one.
  package static func listen(
    backlog: Int32 = 64, family: Family = .ipv4, port: UInt16 = 0
  ) throws -> (socket: Int32, port: UInt16) {
    let (listener, port) = try bound(family, port)
    guard Glibc.listen(listener, backlog) == 0 else {
      let error = errno
      Glibc.close(listener)
      throw SystemError(errno: error, call: "listen")
    }
    return (listener, port)
  }

  private static func bound(
    _ family: Family, _ port: UInt16
  ) throws -> (socket: Int32, port: UInt16) {
    let socket = socket(family)
    var yes: Int32 = 1
    unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard unsafe withAddress(family, port, { unsafe bind(socket, $0, $1) == 0 }) else {
      let error = errno
      Glibc.close(socket)
      throw SystemError(errno: error, call: "bind")
    }
    // The port stands at the same place in the addresses of both families.
    var name = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    unsafe withUnsafeMutablePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe getsockname(socket, $0, &size)
      }
    }
    return (socket, UInt16(bigEndian: name.sin6_port))
  }

  /// Waits until somebody listens on a port: at most a minute, and no longer than the server's process lives.
  static func isServed(_ port: UInt16, by server: borrowing ChildProcess) -> Bool {
    for _ in 0..<3000 {
      if canConnect(port) { return true }
      if server.waitWithoutCollecting(for: .milliseconds(20)) { return false }
    }
    return false
  }

  /// Whether somebody listens on a port.
  private static func canConnect(_ port: UInt16) -> Bool {
    let client = socket(.ipv4)
    defer { Glibc.close(client) }
    return unsafe withAddress(.ipv4, port) { unsafe connect(client, $0, $1) == 0 }
  }

  /// A socket that may still be trying to connect.
  package static func connectLater(_ port: UInt16, _ family: Family = .ipv4) -> Int32? {
    let client = socket(family, Int32(SOCK_NONBLOCK.rawValue))
    guard client >= 0 else { return nil }
    _ = unsafe withAddress(family, port) { unsafe connect(client, $0, $1) == 0 }
    return client
  }

  /// A port of 127.0.0.1 that nobody listens on, nor will unless told of it.
  ///
  /// A socket that does not listen holds the port as long as this process lives: the kernel gives it to nobody who
  /// asks for any, and to a server that asks for this one.
  package static func closedPort() throws -> UInt16 { try bound(.ipv4, 0).port }

  /// Waits; for threads of tests only.
  package static func sleep(_ duration: Duration) {
    usleep(UInt32(clamping: Int64(duration / .microseconds(1))))
  }

  private static func socket(_ family: Family, _ flags: Int32 = 0) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | flags
    let socket = Glibc.socket(family == .ipv4 ? AF_INET : AF_INET6, kind, 0)
    var yes: Int32 = 1
    if family == .ipv6 {
      unsafe setsockopt(
        socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    return socket
  }

  private static func withAddress(
    _ family: Family, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) -> Bool {
    switch family {
    case .ipv4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      return unsafe lend(&address, body)
    case .ipv6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      return unsafe lend(&address, body)
    }
  }

  private static func lend<Address>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) -> Bool {
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}
