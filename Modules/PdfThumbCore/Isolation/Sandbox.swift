internal import SystemIO

/// The rights a worker gives up before it sees a document.
enum Sandbox {
  /// Confines this process for good: it may compute, talk over the descriptors it has, and read
  /// below `paths`.
  ///
  /// What the kernel has no means for is left out and reported. A process with one thread calls it.
  static func enter(readable paths: [String]) -> SandboxReport {
    var report = SandboxReport(
      hasSystemCallFilter: false, landlockVersion: 0, hasNoNewPrivileges: false, hasLimits: false)
    try? Confinement.hideMemory()
    report.hasNoNewPrivileges = (try? Confinement.giveUpNewPrivileges()) != nil
    report.landlockVersion = (try? Confinement.restrictFiles(toReadingBelow: paths)) ?? 0
    report.hasLimits = limit()
    report.hasSystemCallFilter = filterCalls()
    return report
  }

  private static func limit() -> Bool {
    let limits: [Confinement.Limit] = [
      .coreSize(0), .fileSize(0), .processes(0), .openFiles(64),
    ]
    return limits.allSatisfy { (try? Confinement.set($0)) != nil }
  }

  /// Calls that rendering and the runtime need.
  private static let allowed = [
    "read", "readv", "pread64", "preadv", "write", "writev", "close", "lseek", "fcntl",
    "fstat", "newfstatat", "fstatat64", "statx", "stat", "lstat", "fstatfs", "statfs",
    "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getdents", "getdents64",
    "getcwd", "munmap", "mremap", "madvise", "brk", "futex", "membarrier", "set_robust_list",
    "rseq", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
    "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "uname", "sysinfo",
    "getrusage", "times", "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep",
    "gettimeofday", "time", "getrandom", "sched_yield", "sched_getaffinity", "getcpu",
    "poll", "ppoll", "recvmsg", "recvfrom", "sendmsg", "sendto", "exit", "exit_group",
  ]

  /// Calls that only a worker under somebody else's command makes: it ends on the spot.
  private static let deadly = [
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
    "clone", "fork", "vfork", "execve", "execveat", "ptrace", "process_vm_readv",
    "process_vm_writev", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "io_uring_setup", "bpf", "perf_event_open",
    "userfaultfd", "keyctl", "add_key", "request_key", "mount", "umount2", "move_mount",
    "open_tree", "fsopen", "unshare", "setns", "pivot_root", "chroot", "init_module",
    "finit_module", "kexec_load", "open_by_handle_at", "name_to_handle_at", "swapon", "reboot",
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid",
  ]

  private static func filterCalls() -> Bool {
    // ENOSYS (38): callers of a call that is not there know another way, or none.
    guard let filter = SystemCallFilter(otherwise: .fail(errno: 38)) else { return false }
    // O_WRONLY, O_RDWR, O_CREAT, O_TRUNC; O_TMPFILE needs one of the first two.
    let writing: UInt64 = 0o1 | 0o2 | 0o100 | 0o1000
    let executable: UInt64 = 4
    let own = UInt64(UInt32(bitPattern: Environment.processID))
    guard
      filter.add(.allow, allowed)
        && filter.add(.kill, deadly)
        && filter.add(.allow, "open", argument: 1, mask: writing, equals: 0)
        && filter.add(.allow, "openat", argument: 2, mask: writing, equals: 0)
        && filter.add(.allow, "mmap", argument: 2, mask: executable, equals: 0)
        && filter.add(.allow, "mprotect", argument: 2, mask: executable, equals: 0)
        // abort(3) signals itself this way.
        && filter.add(.allow, "tgkill", argument: 0, mask: 0xFFFF_FFFF, equals: own)
    else { return false }
    return filter.load()
  }
}
