internal import SystemIO

/// How much memory there is left for this process; pure but for ``now()``.
package struct MemoryPressure: Sendable, Equatable {
  /// Bytes the machine can give without swapping (`MemAvailable`).
  package var available: UInt64?
  /// Bytes the process's control group may still take.
  package var groupRoom: UInt64?
  /// The share of the last ten seconds in which some task waited for memory, in percent.
  package var stalled: Double?

  package init(available: UInt64? = nil, groupRoom: UInt64? = nil, stalled: Double? = nil) {
    self.available = available
    self.groupRoom = groupRoom
    self.stalled = stalled
  }

  /// The smaller of what machine and group have left; `nil` where neither is known.
  package var room: UInt64? { [available, groupRoom].compactMap(\.self).min() }

  /// Whether memory is short.
  ///
  /// Once it is, twice the room and less waiting end that, so that a state does not flutter.
  /// - Parameters:
  ///   - threshold: Bytes of room below which it is.
  ///   - wasLow: Whether it was when asked last.
  /// - Returns: Whether it is.
  package func isLow(threshold: UInt64, wasLow: Bool) -> Bool {
    let needed = threshold.multipliedReportingOverflow(by: wasLow ? 2 : 1)
    if let room, room < (needed.overflow ? .max : needed.partialValue) { return true }
    return (stalled ?? 0) > (wasLow ? 5 : 20)
  }

  // MARK: - Reading

  /// Reads what the kernel says; about 0.1 ms.
  package static func now() -> MemoryPressure {
    MemoryPressure(
      available: text("/proc/meminfo").flatMap(available(inMeminfo:)),
      groupRoom: text("/proc/self/cgroup").flatMap { groupRoom(inMemberships: $0, read: text) },
      stalled: text("/proc/pressure/memory").flatMap(stalled(inPressure:)))
  }

  private static func text(_ path: String) -> String? {
    guard let file = try? FileDescriptor.open(path),
      let bytes = try? file.readToEnd(limit: 1 << 16)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The figure of `/proc/meminfo` (proc(5)).
  package static func available(inMeminfo text: String) -> UInt64? {
    for line in text.split(separator: "\n") where line.hasPrefix("MemAvailable:") {
      guard let count = line.split(separator: " ").dropFirst().first.flatMap({ UInt64($0) }) else {
        return nil
      }
      let bytes = count.multipliedReportingOverflow(by: 1024)
      return bytes.overflow ? nil : bytes.partialValue
    }
    return nil
  }

  /// The figure of `/proc/pressure/memory` (Documentation/accounting/psi.rst).
  package static func stalled(inPressure text: String) -> Double? {
    for line in text.split(separator: "\n") where line.hasPrefix("some ") {
      let field = line.split(separator: " ").first { $0.hasPrefix("avg10=") }
      guard let value = field.flatMap({ Double($0.dropFirst(6)) }), (0...100).contains(value)
      else { return nil }
      return value
    }
    return nil
  }

  /// The least room of the groups that `/proc/self/cgroup` names, and of those above them.
  ///
  /// - Parameters:
  ///   - text: That file, for version 2 (`0::/path`) and version 1 (`4:memory:/path`).
  ///   - read: Reads a file; `nil` when it is not there.
  /// - Returns: Bytes, or `nil` where no group has a limit.
  package static func groupRoom(
    inMemberships text: String, read: (String) -> String?
  ) -> UInt64? {
    var least: UInt64?
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let isSecond = fields[0] == "0" && fields[1].isEmpty
      guard isSecond || fields[1].split(separator: ",").contains("memory") else { continue }
      let root = isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
      let files =
        isSecond
        ? ("memory.max", "memory.current") : ("memory.limit_in_bytes", "memory.usage_in_bytes")
      for folder in folders(String(fields[2])) {
        guard let limit = number(read("\(root)\(folder)/\(files.0)")),
          let used = number(read("\(root)\(folder)/\(files.1)"))
        else { continue }
        least = min(least ?? .max, limit > used ? limit - used : 0)
      }
    }
    return least
  }

  /// A path and all above it, without the last slash: `/a/b`, `/a`, ``.
  private static func folders(_ path: String) -> [String] {
    var parts = path.split(separator: "/").map(String.init)
    var found: [String] = []
    while true {
      found.append(parts.map { "/" + $0 }.joined())
      guard !parts.isEmpty, found.count < 64 else { return found }
      parts.removeLast()
    }
  }

  /// A number on a line of its own; `max` and version 1's huge value are no limit.
  private static func number(_ text: String?) -> UInt64? {
    guard let text, let number = UInt64(text.prefix { $0 != "\n" }), number < 1 << 62 else {
      return nil
    }
    return number
  }
}
