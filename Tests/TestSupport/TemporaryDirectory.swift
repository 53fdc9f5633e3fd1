import SystemIO

/// A directory of a test's own, removed with its tree when the value's life ends.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    path = try FileSystem.makeTemporaryDirectory(prefix: "courier-test")
  }

  deinit { try? FileSystem.removeTree(path) }

  /// The path of a name in it.
  package func path(_ name: String) -> String { Path.join(path, name) }

  /// Writes a file and returns its path; parents are made.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = path(name)
    try FileSystem.makeDirectories(Path.parent(of: path))
    let file = try FileDescriptor.open(path, [.writeOnly, .create, .truncate])
    try file.write(bytes)
    try file.close()
    return path
  }

  /// Writes a text file and returns its path.
  @discardableResult
  package func write(_ name: String, text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  /// The bytes of a file in it.
  package func read(_ name: String) throws -> [UInt8] {
    try FileDescriptor.open(path(name)).readToEnd(limit: 1 << 30)
  }
}
