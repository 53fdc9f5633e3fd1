internal import SystemIO

/// How far a worker process is confined, and what the kernel has no means for.
public struct SandboxReport: Sendable, Equatable {
  /// Whether a filter of system calls holds: no socket, no new process, no signal to others
  /// (seccomp).
  public var hasSystemCallFilter: Bool
  /// The version of Landlock that keeps every file but fonts and poppler's data closed; 0 for none.
  public var landlockVersion: Int
  /// Whether the worker gave up gaining rights through set-user-ID programs.
  public var hasNoNewPrivileges: Bool
  /// Whether limits hold for processes, open files, file size and core dumps.
  public var hasLimits: Bool

  /// Creates a report.
  public init(
    hasSystemCallFilter: Bool, landlockVersion: Int, hasNoNewPrivileges: Bool, hasLimits: Bool
  ) {
    self.hasSystemCallFilter = hasSystemCallFilter
    self.landlockVersion = landlockVersion
    self.hasNoNewPrivileges = hasNoNewPrivileges
    self.hasLimits = hasLimits
  }

  /// What this machine's kernel offers, asked without starting a worker.
  public static var offered: SandboxReport {
    SandboxReport(
      hasSystemCallFilter: Confinement.hasSystemCallFilter,
      landlockVersion: Confinement.landlockVersion, hasNoNewPrivileges: true, hasLimits: true)
  }

  /// What is missing, as clauses for people; empty when everything holds.
  public var lacking: [String] {
    var missing: [String] = []
    if !hasSystemCallFilter { missing.append(Self.noFilter) }
    if landlockVersion == 0 { missing.append(Self.noLandlock) }
    if !hasNoNewPrivileges { missing.append(Self.noPrivilegeLock) }
    if !hasLimits { missing.append(Self.noLimits) }
    return missing
  }

  func write(to writer: inout WireWriter) {
    writer.put(hasSystemCallFilter)
    writer.put(UInt16(clamping: landlockVersion))
    writer.put(hasNoNewPrivileges)
    writer.put(hasLimits)
  }

  init(_ reader: inout WireReader) throws(WireViolation) {
    hasSystemCallFilter = try reader.takeFlag()
    landlockVersion = Int(try reader.take(UInt16.self))
    hasNoNewPrivileges = try reader.takeFlag()
    hasLimits = try reader.takeFlag()
  }
}

extension SandboxReport: CustomStringConvertible {
  /// The report in one line, as `--version` shows it.
  public var description: String {
    var held: [String] = []
    if hasSystemCallFilter { held.append("seccomp") }
    if landlockVersion > 0 { held.append("landlock \(landlockVersion)") }
    if hasNoNewPrivileges { held.append("no_new_privs") }
    if hasLimits { held.append("limits") }
    let text = held.isEmpty ? "none" : held.joined(separator: ", ")
    return lacking.isEmpty ? text : text + " (" + lacking.joined(separator: "; ") + ")"
  }
}
