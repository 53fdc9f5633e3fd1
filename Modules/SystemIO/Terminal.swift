internal import CLinux
import Glibc

/// Facts about a terminal.
package enum Terminal {
  /// Columns and rows of the window behind a descriptor; `nil` when it has none.
  package static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var columns: UInt16 = 0
    var rows: UInt16 = 0
    guard unsafe clinux_window_size(descriptor, &columns, &rows) == 0, columns > 0 else {
      return nil
    }
    return (Int(columns), Int(rows))
  }
}

/// The end of the process.
package enum ProcessExit {
  /// Ends the process with a status, running what `atexit` registered.
  package static func exit(_ status: UInt8) -> Never { Glibc.exit(Int32(status)) }
}

/// Waiting on a thread of our own.
package enum Pause {
  /// Sleeps at least so long; blocks the thread, so not for the cooperative pool.
  package static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var left = timespec()
    while unsafe nanosleep(&rest, &left) == -1, errno == EINTR { rest = left }
  }
}
