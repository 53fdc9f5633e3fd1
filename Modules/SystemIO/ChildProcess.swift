internal import CLinux
import Glibc

/// A process started by this one, ended and collected at the latest when this value's life ends.
///
/// While it is not collected its number cannot be given to another process, so a signal never hits
/// a stranger.
package struct ChildProcess: ~Copyable, Sendable {
  /// How a process ended, and what it took.
  package struct Result: Equatable, Sendable {
    package var ending: Ending
    /// Its peak resident bytes; 0 where it stayed below its parent's, which the kernel counts as its own until
    /// the program begins.
    package var peakMemory: UInt64
  }

  /// How a process ended.
  package enum Ending: Equatable, Sendable {
    case exited(status: Int32)
    case signalled(Int32)
    /// Somebody else in this program has collected it (`SIGCHLD` ignored, or `wait` for any child).
    case unknown
  }

  /// The process number.
  package let id: Int32
  private var isCollected = false
  private let inheritedPeak: Int

  /// Starts a program that gets the descriptors given, as 0, 1, 2 and so on, and no others.
  ///
  /// Signals are at their defaults in it and none is blocked. Safe in a program with many threads.
  /// - Parameters:
  ///   - path: The program file; not searched for.
  ///   - arguments: With the name of the program first.
  ///   - environment: The whole environment, as `NAME=value`.
  ///   - descriptors: Numbers that are open here.
  /// - Throws: The number of `posix_spawn` or of copying a descriptor.
  ///
  /// The corresponding C function is `posix_spawn`.
  package init(
    path: String, arguments: [String], environment: [String], descriptors: [Int32]
  ) throws(SystemError) {
    var own = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own)
    inheritedPeak = own.ru_maxrss
    // Copies above the wanted numbers, so that no copy overwrites another's source.
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    for descriptor in descriptors {
      let least = Int32(descriptors.count)
      copies.append(
        try systemCall("fcntl") { clinux_fcntl_int(descriptor, F_DUPFD_CLOEXEC, least) })
    }
    id = try ChildProcess.spawn(path, arguments, environment, descriptors: copies)
  }

  /// Takes over a child of this process that another one made; see ``ProcessFork/sibling()``.
  package init(adopting id: Int32) {
    self.id = id
    inheritedPeak = 0
  }

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String], descriptors: [Int32]
  ) throws(SystemError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var status: Int32 = 0
    for (number, source) in descriptors.enumerated() where status == 0 {
      status = unsafe posix_spawn_file_actions_adddup2(&actions, source, Int32(number))
    }
    if status == 0 {
      status = unsafe posix_spawn_file_actions_addclosefrom_np(
        &actions, Int32(descriptors.count))
    }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
    unsafe posix_spawnattr_setflags(&attributes, flags)
    var id: pid_t = 0
    if status == 0 {
      status = unsafe withStrings(arguments) { arguments in
        unsafe withStrings(environment) { environment in
          unsafe posix_spawn(&id, path, &actions, &attributes, arguments, environment)
        }
      }
    }
    guard status == 0 else { throw SystemError(errno: status, call: "posix_spawn", path: path) }
    return id
  }

  deinit {
    guard !isCollected else { return }
    kill(id, SIGKILL)
    _ = ChildProcess.collect(id, inheritedPeak: inheritedPeak)
  }

  /// Ends it at once (`SIGKILL`) and waits for that, which takes no longer than the kernel needs.
  ///
  /// - Returns: How it ended, which may have been before this call, and its peak resident bytes.
  package consuming func end() -> Result {
    kill(id, SIGKILL)
    let result = ChildProcess.collect(id, inheritedPeak: inheritedPeak)
    isCollected = true
    return result
  }

  /// Waits a while for its own end, then ends it.
  package consuming func endAfter(grace: Duration) -> Result {
    _ = waitWithoutCollecting(for: grace)
    return end()
  }

  /// Waits a while for its own end; until it is collected its number belongs to it.
  ///
  /// - Returns: Whether it has ended.
  package borrowing func waitWithoutCollecting(for limit: Duration) -> Bool {
    let deadline = Environment.monotonicNow + limit
    var information = unsafe siginfo_t()
    while Environment.monotonicNow < deadline {
      unsafe information.si_signo = 0
      let options = WEXITED | WNOHANG | WNOWAIT
      guard unsafe waitid(P_PID, id_t(id), &information, options) == 0 else { return true }
      if unsafe information.si_signo != 0 { return true }
      usleep(500)
    }
    return false
  }

  /// Waits for its own end; blocks.
  package consuming func wait() -> Result {
    let result = ChildProcess.collect(id, inheritedPeak: inheritedPeak)
    isCollected = true
    return result
  }

  /// Processor time it has used so far; `nil` when it has ended.
  package var processorTime: Duration? {
    var clock = clockid_t()
    var time = timespec()
    guard unsafe clock_getcpuclockid(id, &clock) == 0, unsafe clock_gettime(clock, &time) == 0
    else { return nil }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Bytes of memory it has in use now; `nil` when the kernel does not say.
  package var residentMemory: UInt64? { memoryPages()?.resident }

  /// Lets the kernel end it once it has used that much processor time in all.
  package func limitProcessorTime(toSeconds seconds: UInt64) {
    // The limit is a second line of defence; a process that has ended has no limits to set.
    _ = clinux_set_limit(id, Int32(CLINUX_LIMIT_CPU), seconds, 0)
  }

  /// Lets it have that much more address space than it has now; allocations beyond fail in it.
  package func limitAddressSpace(toGrowBy count: UInt64) {
    guard let now = memoryPages()?.total else { return }
    let limit = now.addingReportingOverflow(count)
    // A process that has ended has no limits to set.
    _ = clinux_set_limit(
      id, Int32(CLINUX_LIMIT_ADDRESS_SPACE), limit.overflow ? .max : limit.partialValue, 0)
  }

  /// Bytes of address space and of memory in use.
  private func memoryPages() -> (total: UInt64, resident: UInt64)? {
    guard let file = try? FileDescriptor.open("/proc/\(id)/statm"),
      let bytes = try? file.readToEnd(limit: 256)
    else { return nil }
    let fields = bytes.split(separator: UInt8(ascii: " ")).prefix(2).compactMap {
      UInt64(String(decoding: $0, as: UTF8.self))
    }
    guard fields.count == 2 else { return nil }
    let page = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 1))
    return (fields[0] * page, fields[1] * page)
  }

  private static func collect(_ id: pid_t, inheritedPeak: Int) -> Result {
    var status: Int32 = 0
    var usage = rusage()
    guard
      (try? systemCall("wait4", { unsafe wait4(id, &status, 0, &usage) })) != nil
    else { return Result(ending: .unknown, peakMemory: 0) }
    let peak = usage.ru_maxrss > inheritedPeak ? UInt64(usage.ru_maxrss) * 1024 : 0
    let signal = status & 0x7f
    let ending = signal == 0 ? Ending.exited(status: (status >> 8) & 0xff) : .signalled(signal)
    return Result(ending: ending, peakMemory: peak)
  }
}

/// Lends strings as a C array that ends with a null pointer.
private func withStrings<Value>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
) -> Value {
  var pointers = unsafe strings.map { unsafe strdup($0) }
  defer { unsafe pointers.forEach { unsafe free($0) } }
  unsafe pointers.append(nil)
  return unsafe pointers.withUnsafeBufferPointer { buffer in
    // Safety: the array has at least the null pointer, so it has an address.
    unsafe body(buffer.baseAddress.unsafelyUnwrapped)
  }
}
