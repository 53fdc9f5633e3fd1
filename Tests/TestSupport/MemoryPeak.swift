import SystemIO

/// The most memory that the test process itself, or another, has had.
package enum MemoryPeak {
  /// Lets the peak begin anew at what is in use now.
  ///
  /// The kernel counts a parent's peak as its child's, until the child's program begins: after a test that took much
  /// memory, what children took could not be told.
  package static func forget() throws {
    try FileDescriptor.open("/proc/self/clear_refs", .writeOnly).write(Array("5".utf8))
  }

  /// The bytes that a process and its children have now, pages that several share counted once.
  ///
  /// Pages of files that are mapped count as well; the kernel's figure is `Pss`.
  package static func family(of process: Int32) -> (all: UInt64, own: UInt64) {
    var processes = [process]
    var index = 0
    while index < processes.count {
      processes += children(of: processes[index])
      index += 1
    }
    let shares = processes.map { share(of: $0) }
    return (shares.reduce(0, +), shares[0])
  }

  private static func children(of process: Int32) -> [Int32] {
    let threads = (try? FileSystem.names(in: "/proc/\(process)/task")) ?? []
    return threads.flatMap { thread in
      words("/proc/\(process)/task/\(thread)/children").compactMap { Int32($0) }
    }
  }

  private static func share(of process: Int32) -> UInt64 {
    let words = words("/proc/\(process)/smaps_rollup")
    guard let index = words.firstIndex(of: "Pss:"), index + 1 < words.count else { return 0 }
    return (UInt64(words[index + 1]) ?? 0) * 1024
  }

  private static func words(_ path: String) -> [Substring] {
    let bytes = (try? FileDescriptor.open(path).readToEnd(limit: 1 << 16)) ?? []
    return String(decoding: bytes, as: UTF8.self).split { " \n".contains($0) }
  }

  /// The peak since the process began or ``forget()`` was called, in bytes.
  package static func bytes() throws -> Int { try bytes(of: "self") }

  /// The most that a program had until now, in bytes; 0 when it has ended.
  ///
  /// What its parent had before it does not count, other than in what the kernel tells the parent at its end.
  package static func bytes(of process: Int32) -> Int { (try? bytes(of: "\(process)")) ?? 0 }

  private static func bytes(of process: String) throws -> Int {
    let status = try FileDescriptor.open("/proc/\(process)/status").readToEnd(limit: 1 << 16)
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
  }
}
