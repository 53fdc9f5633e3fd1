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

  /// `ENOENT`: nothing has the name.
  package var isMissing: Bool { errno == ENOENT }

  /// `EOPNOTSUPP`, `ENOSYS`, `EINVAL`: this kernel or file system does not offer the call.
  package var isNotSupported: Bool { [EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) }

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

extension SystemError {
  /// Whether the kernel, or a container's filter, lacks the call as such.
  package var isMissingCall: Bool { errno == ENOSYS || errno == EPERM }
  /// Whether a name is taken.
  package var isExisting: Bool { errno == EEXIST }
  /// Whether a name stands for nothing.
  package var isAbsent: Bool { errno == ENOENT }
  /// Whether there is no space left, or none for this user.
  package var isFull: Bool { errno == ENOSPC || errno == EDQUOT }
  /// Whether the way led over a link, or out of a directory, where that is forbidden.
  package var isForbiddenWay: Bool { errno == ELOOP || errno == EXDEV }
  /// Whether something is a directory, or is none, where the opposite is needed.
  package var isWrongKind: Bool { errno == ENOTDIR || errno == EISDIR }

  /// A link where none may be.
  package static func link(_ path: String) -> SystemError {
    SystemError(errno: ELOOP, call: "openat", path: path)
  }

  /// A way out of a directory that may not be left.
  package static func escape(_ path: String) -> SystemError {
    SystemError(errno: EXDEV, call: "openat", path: path)
  }
}
