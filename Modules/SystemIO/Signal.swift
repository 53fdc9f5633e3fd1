internal import CLinux
import Glibc
import Synchronization

/// A signal by its number, with what a process may do about it.
package struct Signal: Hashable, Sendable {
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

  package static let interrupt = Signal(SIGINT)
  package static let terminate = Signal(SIGTERM)
  package static let hangUp = Signal(SIGHUP)
  package static let brokenPipe = Signal(SIGPIPE)
  package static let fileTooLarge = Signal(SIGXFSZ)
  package static let user1 = Signal(SIGUSR1)
  package static let terminalStop = Signal(SIGTSTP)
  /// Cannot be caught.
  package static let stop = Signal(SIGSTOP)
  package static let resume = Signal(SIGCONT)
  package static let windowChange = Signal(SIGWINCH)
}

// MARK: - Disposition

extension Signal {
  /// Whether the process ignores it, as `nohup` and background jobs of a plain shell arrange.
  package var isIgnored: Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Gives the signal its default effect again.
  package func restoreDefault() {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = SIG_DFL
    unsafe sigaction(number, &action, nil)
  }

  /// Makes the signal have no effect.
  package func ignore() {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = SIG_IGN
    unsafe sigaction(number, &action, nil)
  }

  /// Sends the signal to the calling thread and returns when it was delivered.
  package func raise() {
    var only = sigset_t()
    unsafe sigemptyset(&only)
    unsafe sigaddset(&only, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &only, nil)
    _ = Glibc.raise(number)
  }

  /// Sends the signal to a process.
  ///
  /// The corresponding C function is `kill`.
  package func send(to process: Int32) throws(SystemError) {
    try systemCall("kill") { kill(process, number) }
  }

  /// Ends the process by this signal, so that the parent sees what happened.
  package func die() -> Never {
    restoreDefault()
    raise()
    // Only a signal whose default is not to kill comes here.
    _exit(128 + number)
  }
}

// MARK: - Relay

/// Turns signals into bytes on a pipe, which a thread of ours reads at leisure.
///
/// There is one relay in a process, because a signal handler has no context but globals.
package enum SignalRelay {
  /// Write end of the pipe; read by the handler, which may do nothing that locks or allocates.
  private static let writeEnd = Atomic<Int32>(-1)

  /// Opens the pipe.
  ///
  /// - Returns: The end to read signal numbers from, a byte each.
  package static func open() throws(SystemError) -> FileDescriptor {
    var ends: [Int32] = [-1, -1]
    try systemCall("pipe2") { unsafe clinux_pipe(&ends) }
    // A handler must never wait, were the reader ever 64 Ki signals behind.
    try systemCall("fcntl") { clinux_fcntl_int(ends[1], F_SETFL, O_NONBLOCK) }
    let previous = writeEnd.exchange(ends[1], ordering: .acquiringAndReleasing)
    if previous >= 0 { Glibc.close(previous) }
    return FileDescriptor(owning: ends[0])
  }

  /// Ends the pipe: its reader sees the end of file.
  package static func close() {
    let previous = writeEnd.exchange(-1, ordering: .acquiringAndReleasing)
    if previous >= 0 { Glibc.close(previous) }
  }

  /// Sends a signal's number down the pipe whenever it comes.
  ///
  /// - Parameters:
  ///   - signal: Which one.
  ///   - once: Whether the second one has its default effect.
  package static func relay(_ signal: Signal, once: Bool = false) {
    // Touched here so that the handler finds the global initialised.
    guard writeEnd.load(ordering: .acquiring) >= 0 else { return }
    var action = sigaction()
    action.sa_flags = SA_RESTART
    if once { action.sa_flags |= Int32(bitPattern: UInt32(SA_RESETHAND)) }
    unsafe action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = unsafe write(SignalRelay.writeEnd.load(ordering: .relaxed), &byte, 1)
      errno = saved
    }
    unsafe sigaction(signal.number, &action, nil)
  }
}
