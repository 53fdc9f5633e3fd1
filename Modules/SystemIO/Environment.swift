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
}
