// CLinux counts as a home of `timespec` when another file of this module was compiled with it first.
internal import CLinux
import Glibc

/// The process's environment and identity.
package enum Environment {
  /// A variable's value, or `nil` when it is not set.
  package static subscript(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Processors this process may run on, at least 1.
  package static var processorCount: Int {
    max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
  }

  /// Seconds and nanoseconds of the monotonic clock, as one duration.
  package static var monotonicNow: Duration {
    var value = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &value)
    return .seconds(value.tv_sec) + .nanoseconds(value.tv_nsec)
  }

  package static var processID: Int32 { getpid() }

  /// The mask that new files' modes are cut with.
  ///
  /// Read from `/proc/self/status`, as `umask(2)` can be read only by setting it, for all threads.
  package static var fileCreationMask: UInt32 {
    guard let file = try? FileDescriptor.open("/proc/self/status"),
      let bytes = try? file.readToEnd(limit: 1 << 16)
    else { return 0o022 }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let line = String(decoding: line, as: UTF8.self)
      guard line.hasPrefix("Umask:") else { continue }
      return UInt32(line.dropFirst(6).drop { $0 == "\t" || $0 == " " }, radix: 8) ?? 0o022
    }
    return 0o022
  }
}
