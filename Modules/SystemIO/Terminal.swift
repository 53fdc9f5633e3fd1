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

  /// Width and height in pixels of the window behind a descriptor; `nil` when the terminal does not tell.
  package static func pixels(of descriptor: Int32) -> (width: Int, height: Int)? {
    var width: UInt16 = 0
    var height: UInt16 = 0
    guard unsafe clinux_window_pixels(descriptor, &width, &height) == 0, width > 0, height > 0
    else { return nil }
    return (Int(width), Int(height))
  }
}

extension Terminal {
  /// Both ends of a pseudo-terminal.
  package struct Pair: ~Copyable {
    /// What a program writes to the terminal is read here, and typed here.
    package let master: FileDescriptor
    /// The terminal that the program sees.
    package let slave: FileDescriptor
  }

  /// Makes a pseudo-terminal; it is nobody's controlling terminal.
  package static func makePair(columns: UInt16, rows: UInt16) throws(SystemError) -> Pair {
    var master: Int32 = -1
    var slave: Int32 = -1
    try systemCall("ptmx") { unsafe clinux_open_pseudo_terminal(&master, &slave) }
    let pair = Pair(master: FileDescriptor(owning: master), slave: FileDescriptor(owning: slave))
    try setSize(of: master, columns: columns, rows: rows)
    return pair
  }

  /// Changes the window behind a descriptor.
  package static func setSize(
    of descriptor: Int32, columns: UInt16, rows: UInt16
  ) throws(SystemError) {
    try systemCall("ioctl") { clinux_set_window_size(descriptor, columns, rows) }
  }
}

extension Terminal {
  /// Runs a body while the terminal does not show what is typed; then all is as before.
  package static func withoutEcho<Result>(
    _ descriptor: borrowing FileDescriptor,
    _ body: (borrowing FileDescriptor) throws -> Result
  ) throws -> Result {
    let raw = descriptor.raw
    var before = termios()
    try systemCall("tcgetattr") { unsafe tcgetattr(raw, &before) }
    var quiet = before
    quiet.c_lflag &= ~tcflag_t(ECHO)
    // What was typed before the question is not the answer.
    try systemCall("tcsetattr") { unsafe tcsetattr(raw, TCSAFLUSH, &quiet) }
    defer { _ = unsafe tcsetattr(raw, TCSAFLUSH, &before) }
    return try body(descriptor)
  }
}

/// Descriptors 0, 1 and 2.
package enum StandardDescriptors {
  /// Makes sure that none of them is closed.
  ///
  /// Were one closed, the next file opened would get its number, and messages would land in that
  /// file. What takes the place refuses reads and writes, so that the trouble is still seen.
  package static func ensureOpen() {
    for descriptor in Int32(0)...2 where clinux_fcntl_int(descriptor, F_GETFD, 0) == -1 {
      let mode = descriptor == 0 ? O_WRONLY : O_RDONLY
      // The lowest free number is the one that was closed.
      _ = unsafe clinux_openat(AT_FDCWD, "/dev/null", mode, 0)
    }
  }
}

/// The end of the process.
package enum ProcessExit {
  /// Ends the process with a status, running what `atexit` registered.
  package static func exit(_ status: UInt8) -> Never { Glibc.exit(Int32(status)) }

  /// Has something done when the process ends of itself.
  ///
  /// The corresponding C function is `atexit`.
  package static func before(_ body: @escaping @convention(c) () -> Void) { atexit(body) }
}
