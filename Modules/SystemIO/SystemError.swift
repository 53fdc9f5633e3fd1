internal import CLinux
import Glibc

/// A system call that did not do what it was asked, with its `errno`.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number left in `errno`, one of the `E…` constants.
  package var errno: Int32
  /// The name of the C function.
  package var call: String
  /// The path or name it was about, where there was one.
  package var path: String?

  package init(errno: Int32, call: String, path: String? = nil) {
    self.errno = errno
    self.call = call
    self.path = path
  }

  /// The C library's sentence for the number, as `strerrordesc_np(3)` gives it.
  package var reason: String {
    guard let text = unsafe clinux_error_text(errno) else { return "error \(errno)" }
    return unsafe String(cString: text)
  }

  /// Whether the reader of a pipe or socket went away (`EPIPE`).
  package var isBrokenPipe: Bool { errno == EPIPE }

  package var description: String {
    if let path { "\(call) '\(path)': \(reason)" } else { "\(call): \(reason)" }
  }
}

/// Runs a C function that reports trouble with -1, again as long as a signal interrupts it.
///
/// This is the one place that reads `errno`.
@discardableResult
package func systemCall<Value: FixedWidthInteger & SignedInteger>(
  _ name: StaticString, path: String? = nil, retryOnInterrupt: Bool = true, _ body: () -> Value
) throws(SystemError) -> Value {
  while true {
    let value = body()
    if value != -1 { return value }
    let number = Glibc.errno
    if number == EINTR, retryOnInterrupt { continue }
    throw SystemError(errno: number, call: "\(name)", path: path)
  }
}
