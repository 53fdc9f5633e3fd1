internal import CLinux
import Glibc

/// One end of a local socket pair that keeps message boundaries and can carry descriptors.
package struct MessageSocket: ~Copyable, Sendable {
  /// The socket itself.
  package let descriptor: FileDescriptor

  /// Takes an end that another process handed over.
  package init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  /// Two connected ends.
  package struct Pair: ~Copyable {
    package let near: MessageSocket
    package let far: MessageSocket

    /// Keeps one end and closes the other.
    package consuming func keepingNear() -> MessageSocket { near }
  }

  /// A message, and the descriptor that came with it.
  package struct Delivery: ~Copyable {
    package let message: [UInt8]
    private let descriptor: FileDescriptor?

    init(message: [UInt8], descriptor: consuming FileDescriptor?) {
      self.message = message
      self.descriptor = descriptor
    }

    /// Whether a descriptor came along.
    package var hasDescriptor: Bool { descriptor != nil }

    /// The descriptor, now the caller's.
    package consuming func takeDescriptor() -> FileDescriptor? { descriptor }
  }

  /// Makes two connected ends, both closed on exec.
  ///
  /// The corresponding C function is `socketpair` with `SOCK_SEQPACKET`.
  package static func pair() throws(SystemError) -> Pair {
    var ends: (Int32, Int32) = (-1, -1)
    try unsafe withUnsafeMutableBytes(of: &ends) { (bytes) throws(SystemError) in
      guard let pair = unsafe bytes.bindMemory(to: Int32.self).baseAddress else { return }
      try systemCall("socketpair") { unsafe clinux_message_pair(pair) }
    }
    return Pair(
      near: MessageSocket(FileDescriptor(owning: ends.0)),
      far: MessageSocket(FileDescriptor(owning: ends.1)))
  }

  /// Sends one message, without waiting when `wait` is false (`EAGAIN` then).
  ///
  /// - Parameters:
  ///   - message: All of it goes as one, or nothing.
  ///   - passing: A descriptor that the other side gets a copy of; -1 for none.
  ///   - wait: Whether to block while the other side does not read.
  /// - Throws: `EAGAIN` where it would wait, `EPIPE` when the other end closed.
  package func send(
    _ message: [UInt8], passing: Int32 = -1, wait: Bool = true
  ) throws(SystemError) {
    try unsafe message.withUnsafeBufferPointer { (bytes) throws(SystemError) in
      guard let start = bytes.baseAddress else { return }
      try systemCall("sendmsg") {
        unsafe clinux_send(descriptor.raw, start, bytes.count, passing, wait ? 1 : 0)
      }
    }
  }

  /// Receives one message and drops whatever descriptors came with it; empty when the other end
  /// closed.
  ///
  /// A longer message is cut to `limit` bytes; the caller, who knows the size it wants, asks for
  /// one byte more to see that.
  package func receive(limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try unsafe bytes.withUnsafeMutableBufferPointer {
      (buffer) throws(SystemError) -> Int in
      try systemCall("recv") {
        unsafe recv(descriptor.raw, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      }
    }
    bytes.removeSubrange(count...)
    return bytes
  }

  /// Waits for one message and the descriptor that may come with it; empty when the other end
  /// closed.
  package func receiveWithDescriptor(
    limit: Int
  ) throws(SystemError) -> Delivery {
    var bytes = [UInt8](repeating: 0, count: limit)
    var passed: Int32 = -1
    let count = try unsafe bytes.withUnsafeMutableBufferPointer {
      (buffer) throws(SystemError) -> Int in
      guard let start = buffer.baseAddress else { return 0 }
      return try systemCall("recvmsg") {
        unsafe clinux_receive(descriptor.raw, start, buffer.count, &passed)
      }
    }
    bytes.removeSubrange(count...)
    return Delivery(
      message: bytes, descriptor: passed >= 0 ? FileDescriptor(owning: passed) : nil)
  }
}
