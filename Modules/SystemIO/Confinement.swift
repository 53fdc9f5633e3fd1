internal import CLinux
import Glibc

/// What a process can take away from itself for good.
///
/// The calls are for a process with one thread: Landlock and `no_new_privs` hold for the calling
/// thread and those it starts.
package enum Confinement {
  /// A bound on what the process may use (`setrlimit(2)`), soft and hard.
  package enum Limit: Sendable {
    case addressSpace(UInt64)
    case fileSize(UInt64)
    case coreSize(UInt64)
    case processes(UInt64)
    case openFiles(UInt64)
  }

  /// Sets a limit; a lower one that holds already is kept.
  package static func set(_ limit: Limit) throws(SystemError) {
    let (resource, value): (Int32, UInt64) =
      switch limit {
      case .addressSpace(let value): (Int32(CLINUX_LIMIT_ADDRESS_SPACE), value)
      case .fileSize(let value): (Int32(CLINUX_LIMIT_FILE_SIZE), value)
      case .coreSize(let value): (Int32(CLINUX_LIMIT_CORE), value)
      case .processes(let value): (Int32(CLINUX_LIMIT_PROCESSES), value)
      case .openFiles(let value): (Int32(CLINUX_LIMIT_FILES), value)
      }
    try systemCall("setrlimit") { clinux_set_limit(0, resource, value, 1) }
  }

  /// Bytes of address space in use now.
  package static var addressSpaceInUse: UInt64? {
    guard let file = try? FileDescriptor.open("/proc/self/statm"),
      let bytes = try? file.readToEnd(limit: 256),
      let first = bytes.split(separator: UInt8(ascii: " ")).first,
      let pages = UInt64(String(decoding: first, as: UTF8.self))
    else { return nil }
    return pages * UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 1))
  }

  /// Gives up gaining rights by running set-user-ID programs (`PR_SET_NO_NEW_PRIVS`).
  package static func giveUpNewPrivileges() throws(SystemError) {
    try systemCall("prctl") { clinux_prctl(Int32(CLINUX_PR_SET_NO_NEW_PRIVS), 1) }
  }

  /// Bars other processes of the same user from reading this one's memory, and core dumps.
  package static func hideMemory() throws(SystemError) {
    try systemCall("prctl") { clinux_prctl(Int32(CLINUX_PR_SET_DUMPABLE), 0) }
  }

  /// Ends this process when the thread that started it ends.
  ///
  /// - Parameter parent: The process number of the parent, as the parent gave it.
  /// - Returns: Whether the parent is still there.
  /// - Throws: The number of `prctl`.
  package static func dieWithParent(_ parent: Int32) throws(SystemError) -> Bool {
    try systemCall("prctl") {
      clinux_prctl(Int32(CLINUX_PR_SET_PDEATHSIG), UInt(bitPattern: Int(SIGKILL)))
    }
    return getppid() == parent
  }

  /// Ignores the keyboard's interrupt, which reaches every process of a terminal; the parent
  /// decides.
  package static func ignoreInterrupt() { _ = signal(SIGINT, SIG_IGN) }

  /// Whether the kernel can filter system calls (`seccomp(2)`).
  package static var hasSystemCallFilter: Bool { clinux_seccomp_available() == 0 }

  /// The version of the kernel's Landlock; 0 where it has none or it is switched off.
  package static var landlockVersion: Int { Int(max(clinux_landlock_version(), 0)) }

  /// Leaves this process no file but those below the directories given, to read only, and no
  /// connection (Landlock; what the kernel's version does not know stays open).
  ///
  /// - Parameter paths: Files and directories; what does not exist is passed over.
  /// - Returns: The version of Landlock that was used.
  /// - Throws: `ENOSYS` or `EOPNOTSUPP` where the kernel has none or it is switched off.
  package static func restrictFiles(toReadingBelow paths: [String]) throws(SystemError) -> Int {
    let version = landlockVersion
    guard version > 0 else { throw SystemError(errno: ENOSYS, call: "landlock_create_ruleset") }
    var ruleset = clinux_landlock_ruleset()
    // The number of file rights each version knows, see landlock(7).
    let rights: UInt64 = [1: 13, 2: 14, 3: 15, 4: 15][version] ?? 16
    ruleset.file_system = (1 << rights) - 1
    if version >= 4 { ruleset.network = 0b11 }
    if version >= 6 { ruleset.scopes = 0b11 }
    let size = version >= 6 ? 24 : version >= 4 ? 16 : 8
    let rules = FileDescriptor(
      owning: try systemCall("landlock_create_ruleset") {
        unsafe clinux_landlock_create(&ruleset, size)
      })
    for path in paths {
      guard let opened = try? FileDescriptor.open(path, .pathOnly),
        let status = try? opened.status()
      else { continue }
      let reading = CLINUX_LANDLOCK_READ_FILE
      let access = status.kind == .directory ? reading | CLINUX_LANDLOCK_READ_DIRECTORY : reading
      try systemCall("landlock_add_rule", path: path) {
        clinux_landlock_allow(rules.raw, access, opened.raw)
      }
    }
    try systemCall("landlock_restrict_self") { clinux_landlock_restrict(rules.raw) }
    return version
  }
}

/// Ends the process without running what libraries registered for its end.
package func endProcessAtOnce(status: Int32) -> Never { _exit(status) }
