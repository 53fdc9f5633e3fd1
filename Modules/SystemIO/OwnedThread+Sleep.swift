// Whichever of the two C modules a build reads first owns `timespec`.
internal import CLinux
import Glibc

extension OwnedThread {
  /// Stops the calling thread for a while; not for threads of the cooperative pool.
  package static func sleep(_ duration: Duration) {
    let parts = duration.components
    var time = timespec(
      tv_sec: Int(max(parts.seconds, 0)), tv_nsec: Int(max(parts.attoseconds, 0) / 1_000_000_000))
    var rest = timespec()
    while unsafe nanosleep(&time, &rest) == -1, errno == EINTR { time = rest }
  }
}
