import SystemIO

/// Where a process stands among the others: its parent, its group and its session.
struct ProcessKinship {
  var parent: Int32
  var group: Int32
  var session: Int32

  /// Reads it of a process, which may have ended.
  init?(_ process: Int32) {
    guard let bytes = try? FileDescriptor.open("/proc/\(process)/stat").readToEnd(limit: 4096)
    else { return nil }
    // The name in parentheses may contain anything; after it come the state and the three numbers.
    let tail = String(decoding: bytes, as: UTF8.self).split(separator: ") ").last ?? ""
    let numbers = tail.split(separator: " ").dropFirst().prefix(3).compactMap { Int32($0) }
    guard numbers.count == 3 else { return nil }
    (parent, group, session) = (numbers[0], numbers[1], numbers[2])
  }

  /// Whether nobody could continue the group of a process after a stop from the keyboard, which the kernel ignores then.
  ///
  /// That is so where no member has its parent in another group of the same session (POSIX, "orphaned process group").
  static func hasOrphanedGroup(_ process: Int32) throws -> Bool {
    guard let group = ProcessKinship(process)?.group else { return true }
    for name in try FileSystem.names(in: "/proc") {
      guard let number = Int32(name), let member = ProcessKinship(number), member.group == group,
        let parent = ProcessKinship(member.parent)
      else { continue }
      if parent.group != group, parent.session == member.session { return false }
    }
    return true
  }
}
