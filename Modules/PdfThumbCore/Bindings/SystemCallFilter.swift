internal import CSeccomp

/// The owner of one `scmp_filter_ctx`: a filter of system calls that is being built.
@safe
struct SystemCallFilter: ~Copyable {
  // Safety: made by seccomp_init, released once by deinit, used by one thread.
  private let raw: UnsafeMutableRawPointer

  /// What happens to a process that makes a call.
  enum Action {
    case allow
    case kill
    case fail(errno: UInt16)

    fileprivate var number: UInt32 {
      switch self {
      case .allow: cseccomp_allow()
      case .kill: cseccomp_kill_process()
      case .fail(let errno): cseccomp_errno(errno)
      }
    }
  }

  /// Starts a filter; `nil` when memory runs out.
  init?(otherwise action: Action) {
    guard let raw = unsafe seccomp_init(action.number) else { return nil }
    unsafe self.raw = raw
  }

  deinit { unsafe seccomp_release(raw) }

  /// Adds calls by name; one this machine does not have is passed over.
  func add(_ action: Action, _ names: [String]) -> Bool {
    names.allSatisfy { name in
      guard let number = number(of: name) else { return true }
      return unsafe cseccomp_rule(raw, action.number, number) == 0
    }
  }

  /// Adds a call that is meant only where `argument & mask == value`.
  func add(
    _ action: Action, _ name: String, argument: UInt32, mask: UInt64, equals value: UInt64
  ) -> Bool {
    guard let number = number(of: name) else { return true }
    return unsafe cseccomp_rule_masked(raw, action.number, number, argument, mask, value) == 0
  }

  /// Puts the filter into force for this thread and those it starts, for good.
  ///
  /// Gives up new privileges as well, which the kernel demands.
  /// - Returns: Whether it holds; a kernel without filters says no.
  func load() -> Bool { unsafe seccomp_load(raw) == 0 }

  private func number(of name: String) -> Int32? {
    let number = unsafe seccomp_syscall_resolve_name(name)
    // Numbers below zero stand for calls that only other machines have.
    return number >= 0 ? number : nil
  }
}
