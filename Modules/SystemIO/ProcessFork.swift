internal import CLinux
import Glibc

/// New processes that go on in this program, in a copy of its memory.
///
/// A copy has one thread: whatever the others held stays locked in it for ever. So these calls are for a process
/// with one thread, before it starts the second.
package enum ProcessFork {
  /// The threads this process has, or `nil` where `/proc` is not mounted.
  package static var threadCount: Int? {
    var status = stat()
    guard unsafe stat("/proc/self/task", &status) == 0 else { return nil }
    // A directory has a link from each of its directories, and two more.
    return Int(status.st_nlink) - 2
  }

  /// Makes a child of this process.
  ///
  /// The corresponding C function is `fork`.
  /// - Returns: The child's number, or 0 in the child.
  package static func child() throws(SystemError) -> Int32 {
    try systemCall("fork") { clinux_fork() }
  }

  /// Makes a child of this process's parent, which adopts it with ``ChildProcess/init(adopting:)``.
  ///
  /// The corresponding C function is `clone` with `CLONE_PARENT`.
  /// - Returns: The child's number, or 0 in the child.
  package static func sibling() throws(SystemError) -> Int32 {
    try systemCall("clone") { clinux_fork_sibling() }
  }

  /// Sheds what a forked process has of the program's: all descriptors but those given, which become 0, 1, 2 and so
  /// on, what was arranged for signals, and the environment but for the variables named.
  ///
  /// The text of the other variables is overwritten where the program was started with it.
  package static func shed(
    keeping descriptors: [Int32], variables names: [String]
  ) throws(SystemError) {
    try keep(descriptors)
    restoreSignals()
    keepVariables(names)
  }

  /// Closes all descriptors but those given, which become 0, 1, 2 and so on.
  package static func keep(_ descriptors: [Int32]) throws(SystemError) {
    // Copies above the wanted numbers, so that no copy overwrites another's source.
    var copies: [Int32] = []
    for descriptor in descriptors {
      let least = Int32(descriptors.count)
      copies.append(try systemCall("fcntl") { clinux_fcntl_int(descriptor, F_DUPFD, least) })
    }
    for (number, copy) in copies.enumerated() {
      try systemCall("dup2") { dup2(copy, Int32(number)) }
    }
    let least = Int32(descriptors.count)
    if clinux_close_from(least) != 0 {
      // Linux before 5.9.
      for number in least..<Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))) { close(number) }
    }
  }

  private static func restoreSignals() {
    for number in 1..<SIGSYS + 1 where number != SIGKILL && number != SIGSTOP {
      Signal(number).restoreDefault()
    }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
  }

  private static func keepVariables(_ names: [String]) {
    let kept = names.compactMap { name in Environment[name].map { (name, $0) } }
    if let variables = unsafe clinux_environment() {
      var here: UInt8 = 0
      unsafe withUnsafePointer(to: &here) { here in
        var index = 0
        while let text = unsafe variables[index] {
          // Safety: the strings a program is started with lie above its stack and may be written to; those set
          // later lie elsewhere and are let be.
          if UInt(bitPattern: text) > UInt(bitPattern: here) {
            unsafe memset(text, 0, strlen(text))
          }
          index += 1
        }
      }
    }
    clearenv()
    for (name, value) in kept { unsafe setenv(name, value, 1) }
  }
}
