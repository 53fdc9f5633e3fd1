internal import CLinux
import Glibc

/// Waiting for one of several descriptors, with a deadline.
package enum Readiness {
  /// Waits until something can be read, the other side has closed, or time is up.
  ///
  /// - Parameters:
  ///   - descriptors: Numbers to watch; negative ones are ignored and never ready.
  ///   - timeout: The longest wait; `nil` waits without end, less than a millisecond counts as one.
  /// - Returns: For each descriptor whether it is ready; all false when time is up.
  /// - Throws: `ENOMEM` or `EINVAL`, of `poll`.
  package static func wait(
    for descriptors: [Int32], timeout: Duration?
  ) throws(SystemError) -> [Bool] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let milliseconds = timeout.map { duration -> Int32 in
      guard duration > .zero else { return 0 }
      let (seconds, attoseconds) = duration.components
      let whole = min(seconds, 86_400) * 1000
      return Int32(whole + max((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000, 0))
    }
    do {
      try systemCall("poll", retryOnInterrupt: false) {
        unsafe poll(&polled, nfds_t(polled.count), milliseconds ?? -1)
      }
    } catch  where error.errno == EINTR {
      return descriptors.map { _ in false }
    }
    return polled.map { $0.revents != 0 }
  }
}

/// A descriptor that becomes readable when another thread wants to be heard.
package struct WakeSignal: ~Copyable, Sendable {
  /// The descriptor to wait for.
  package let descriptor: FileDescriptor

  /// Creates one that is not raised; closed on exec.
  ///
  /// The corresponding C function is `eventfd`.
  package init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try systemCall("eventfd") { clinux_eventfd() })
  }

  /// Raises it; any thread, never blocks.
  package func raise() {
    var one: UInt64 = 1
    // Safety of the ignored result: it fails only when 2^64 raises are pending, and then it is
    // raised.
    _ = unsafe Glibc.write(descriptor.raw, &one, 8)
  }

  /// Lowers it.
  package func lower() {
    var count: UInt64 = 0
    _ = unsafe Glibc.read(descriptor.raw, &count, 8)
  }
}

extension FileDescriptor {
  /// The two ends of a pipe.
  package struct Pipe: ~Copyable {
    package let read: FileDescriptor
    package let write: FileDescriptor

    /// Keeps the end to read from and closes the other.
    package consuming func keepingRead() -> FileDescriptor { read }
  }

  /// Makes a pipe, both ends closed on exec.
  package static func pipe() throws(SystemError) -> Pipe {
    var ends: (Int32, Int32) = (-1, -1)
    try unsafe withUnsafeMutableBytes(of: &ends) { (bytes) throws(SystemError) in
      guard let pair = unsafe bytes.bindMemory(to: Int32.self).baseAddress else { return }
      try systemCall("pipe2") { unsafe clinux_pipe(pair) }
    }
    return Pipe(
      read: FileDescriptor(owning: ends.0), write: FileDescriptor(owning: ends.1))
  }
}
