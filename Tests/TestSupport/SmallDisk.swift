import SystemIO

/// A file system of a given size, empty, unmounted when this value's life ends.
///
/// Only root may mount; where that is not so, `isAvailable` tells, for a test to be skipped with the reason.
package final class SmallDisk: Sendable {
  /// Where it is mounted.
  package let path: String
  private let folder: TemporaryDirectory

  /// Whether this process may mount.
  package static let isAvailable: Bool = (try? SmallDisk(bytes: 1 << 16)) != nil

  package init(bytes: Int) throws {
    folder = try TemporaryDirectory()
    path = folder.path("disk")
    try FileSystem.makeDirectory(path)
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(bytes)", "none", path)
  }

  deinit { try? Self.run("umount", "-l", path) }

  /// Makes it larger or smaller, with what it holds.
  package func resize(bytes: Int) throws {
    try Self.run("mount", "-o", "remount,size=\(bytes)", path)
  }

  /// Lets nobody write any more.
  package func makeReadOnly() throws { try Self.run("mount", "-o", "remount,ro", path) }

  /// The path of a name on it.
  package func path(_ name: String) -> String { Path.join(path, name) }

  /// The names on it, or in a directory of it, sorted.
  package func names(_ directory: String = ".") throws -> [String] {
    try FileSystem.names(in: path(directory)).sorted()
  }

  private static func run(_ program: String, _ arguments: String...) throws {
    let nothing = try FileDescriptor.open("/dev/null", .readWrite)
    let child = try ChildProcess(
      path: "/bin/" + program, arguments: [program] + arguments, environment: [],
      descriptors: [nothing.raw, nothing.raw, nothing.raw])
    guard child.wait().ending == .exited(status: 0) else {
      throw SystemError(errno: 1, call: program)
    }
  }
}
