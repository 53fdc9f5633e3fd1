import Glibc
@testable import SystemIO
@testable import ZipKitCore

/// Where checks put things: a folder in memory, gone when the program ends.
enum Place {
  /// `COURIER_FUZZ_PLACE`, or a new folder on tmpfs.
  private static let root: String = {
    if let named = Environment["COURIER_FUZZ_PLACE"] { return named }
    let root = "/dev/shm/courier-fuzz-\(Environment.processID)"
    try? FileSystem.makeDirectories(root)
    return root
  }()

  /// The path of a folder; one process works in one at a time.
  static func folder(_ name: String) -> String {
    Path.join(root, "\(name)-\(Environment.processID)")
  }

  /// Writes a file.
  static func write(_ name: String, _ bytes: [UInt8], in folder: String) throws {
    let file = try FileDescriptor.open(
      Path.join(folder, name), [.writeOnly, .create, .truncate], mode: 0o644)
    try file.write(bytes)
    try file.close()
  }
}

/// A tree as it is on disk, links not followed.
struct DiskTree: Equatable {
  /// What bears a name.
  struct Node: Equatable {
    var status: FileStatus
    var content: [UInt8] = []
    var target: String?
  }

  /// By path below the tree's root, byte for byte.
  private(set) var nodes: [ExactName: Node] = [:]

  init(_ root: String) throws {
    try add(root, "")
  }

  private mutating func add(_ folder: String, _ prefix: String) throws {
    for name in try FileSystem.names(in: folder) {
      let path = "\(folder)/\(name)"
      var node = Node(status: try FileSystem.status(path, followLinks: false))
      // Modes are the archive's will, and may keep all but root out.
      let needed: UInt32 = node.status.kind == .directory ? 0o700 : 0o400
      if node.status.kind != .symbolicLink, node.status.mode & needed != needed {
        _ = unsafe chmod(path, 0o700)
      }
      switch node.status.kind {
      case .regular:
        let file = try FileDescriptor.open(path, [.readOnly, .noFollow])
        node.content = try file.readToEnd(limit: 8 << 20)
      case .symbolicLink:
        let directory = try FileDescriptor.open(folder, [.pathOnly, .directory])
        node.target = String(
          decoding: try FileSystem.linkTarget(name, in: directory), as: UTF8.self)
      default: break
      }
      nodes[ExactName(prefix + name)] = node
      if node.status.kind == .directory { try add(path, prefix + name + "/") }
    }
  }
}
