import Glibc
import Synchronization
import SystemIO

/// An HTTP server on loopback for one file that changes, over connections that break, at a steady pace.
///
/// It counts the bytes that each version of the file was sent, and calls back when a count is reached, so
/// that a test can disturb a download at an exact place.
package final class UnsteadyServer: Sendable {
  /// One state of the file.
  package struct Version: Sendable {
    /// What it is in ``UnsteadyServer/noise``.
    package var bytes: Range<Int>
    /// Its entity tag, or `nil` for none.
    package var tag: String?
    /// Whether an answer with the whole file tells the length.
    package var announcesLength = true

    package init(bytes: Range<Int>, tag: String?, announcesLength: Bool = true) {
      (self.bytes, self.tag, self.announcesLength) = (bytes, tag, announcesLength)
    }
  }

  /// What becomes of the connection that reached a count.
  package enum Reaction: Sendable { case goOn, reset }

  private struct State {
    var versions: [Version]
    var sent: [UInt64] = [0]
    var listener: Int32 = -1
    var connections: Set<Int32> = []
    var triggers: [(count: UInt64, action: @Sendable () -> Reaction)] = []
    var requests = 0
    var isEnded = false

    var total: UInt64 { sent.reduce(0, +) }
  }

  /// Bytes that differ everywhere; a version of the file is a piece of them.
  package let noise: [UInt8]
  package let port: UInt16
  private let state: Mutex<State>

  /// Starts a server.
  package init(noise: [UInt8], _ version: Version) throws {
    self.noise = noise
    let (listener, port) = try Self.listen(0)
    self.port = port
    state = Mutex(State(versions: [version], listener: listener))
    try accept(on: listener)
  }

  deinit { end() }

  /// Closes everything; a server that is not ended keeps its threads.
  package func end() {
    state.withLock { $0.isEnded = true }
    stop()
  }

  package var url: String { "http://127.0.0.1:\(port)/file" }
  /// All versions so far, and the body bytes that went out of each.
  package var history: [(version: Version, sent: UInt64)] {
    state.withLock { Array(zip($0.versions, $0.sent)) }
  }
  package var requestCount: Int { state.withLock { $0.requests } }

  /// Calls back once when so many body bytes in all have gone out, on the connection's thread.
  package func when(sent count: UInt64, _ action: @escaping @Sendable () -> Reaction) {
    state.withLock {
      $0.triggers.append((count, action))
      $0.triggers.sort { $0.count < $1.count }
    }
  }

  /// Has another version from now on; what is being sent goes on as it was.
  package func change(to version: Version) {
    state.withLock {
      $0.versions.append(version)
      $0.sent.append(0)
    }
  }

  /// Breaks all connections and takes no new ones.
  package func stop() {
    state.withLock { state in
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
      guard state.listener >= 0 else { return }
      shutdown(state.listener, Int32(SHUT_RDWR))
      state.listener = -1
    }
  }

  /// Takes connections again, on the same port.
  package func start() throws {
    // The kernel may need a moment to let go of the port.
    for _ in 0..<200 {
      if let (listener, _) = try? Self.listen(port) {
        let isWanted = state.withLock { state in
          if !state.isEnded { state.listener = listener }
          return !state.isEnded
        }
        if isWanted { try accept(on: listener) } else { Glibc.close(listener) }
        return
      }
      usleep(10_000)
    }
    throw SystemError(errno: EADDRINUSE, call: "bind")
  }

  private static func listen(_ port: UInt16) throws -> (Int32, UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var on: Int32 = 1
    unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    // What a killed reader had not read yet counts as sent: little may be on its way.
    var size: Int32 = 32 << 10
    unsafe setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
        guard unsafe bind(listener, address, length) == 0, Glibc.listen(listener, 64) == 0 else {
          return -1
        }
        return unsafe getsockname(listener, address, &length)
      }
    }
    guard status == 0 else {
      let number = errno
      Glibc.close(listener)
      throw SystemError(errno: number, call: "bind")
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private func accept(on listener: Int32) throws {
    _ = try OwnedThread(named: "unsteady") { [weak self] in
      while true {
        let connection = Glibc.accept(listener, nil, nil)
        guard connection >= 0, let self else { break }
        let isWanted = self.state.withLock { state in
          let isWanted = state.listener == listener
          if isWanted { state.connections.insert(connection) }
          return isWanted
        }
        guard isWanted else {
          Glibc.close(connection)
          break
        }
        _ = try? OwnedThread(named: "unsteady-conn") {
          self.serve(connection)
          self.state.withLock { _ = $0.connections.remove(connection) }
          Glibc.close(connection)
        }
      }
      Glibc.close(listener)
    }
  }

  // MARK: One connection

  private func serve(_ connection: Int32) {
    while let head = readHead(connection) {
      let (version, index) = state.withLock { state in
        state.requests += 1
        return (state.versions[state.versions.count - 1], state.versions.count - 1)
      }
      guard answer(head, version, index, connection) else { return }
    }
  }

  private func readHead(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 64 << 10, unsafe recv(connection, &byte, 1, 0) == 1 {
      bytes.append(byte)
      if bytes.suffix(4) == [13, 10, 13, 10] { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }

  /// Returns whether another request may follow.
  private func answer(_ head: String, _ version: Version, _ index: Int, _ connection: Int32) -> Bool
  {
    func field(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ": ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
    let count = version.bytes.count
    var fields = "Accept-Ranges: bytes\r\n" + (version.tag.map { "ETag: \"\($0)\"\r\n" } ?? "")
    let condition = field("if-range")
    let isSame = condition == nil || condition == version.tag.map { "\"\($0)\"" }
    guard isSame, let range = field("range"), range.hasPrefix("bytes=") else {
      if version.announcesLength {
        fields += "Content-Length: \(count)\r\n"
        return send(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8)[...], connection)
          && sendBody(version.bytes, index, connection)
      }
      let isSent =
        send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\(fields)\r\n".utf8)[...], connection)
        && sendBody(version.bytes, index, connection)
      if isSent { shutdown(connection, Int32(SHUT_WR)) }
      return false
    }
    let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    let first = Int(ends.first ?? "") ?? 0
    guard first < count else {
      fields += "Content-Range: bytes */\(count)\r\nContent-Length: 0\r\n"
      return send(Array("HTTP/1.1 416 No\r\n\(fields)\r\n".utf8)[...], connection)
    }
    let last = min(ends.count > 1 ? Int(ends[1]) ?? count - 1 : count - 1, count - 1)
    fields +=
      "Content-Range: bytes \(first)-\(last)/\(count)\r\nContent-Length: \(last - first + 1)\r\n"
    let start = version.bytes.lowerBound
    return send(Array("HTTP/1.1 206 Part\r\n\(fields)\r\n".utf8)[...], connection)
      && sendBody(start + first..<start + last + 1, index, connection)
  }

  private func sendBody(_ range: Range<Int>, _ index: Int, _ connection: Int32) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min(position + 32 << 10, range.upperBound)
      guard send(noise[position..<end], connection) else { return false }
      let due = state.withLock { state -> [@Sendable () -> Reaction] in
        state.sent[index] += UInt64(end - position)
        let total = state.total
        let due = state.triggers.prefix { $0.count <= total }.map(\.action)
        state.triggers.removeFirst(due.count)
        return due
      }
      for action in due where action() == .reset {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
          connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        return false
      }
      position = end
      usleep(500)
    }
    return true
  }

  private func send(_ bytes: ArraySlice<UInt8>, _ connection: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
