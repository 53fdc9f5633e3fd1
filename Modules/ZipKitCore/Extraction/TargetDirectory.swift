internal import SystemIO
internal import Synchronization

/// The directory that everything is put below, held by a descriptor: nothing is ever found by a path
/// from outside.
final class TargetDirectory: Sendable {
  let root: FileDescriptor
  // Old kernels and some containers have no openat2(2); the walk by parts is as strict, with more calls.
  private let walks: Atomic<Bool>

  /// Opens the target, making it and the parents it lacks; links on the way to it are the caller's will.
  init(path: String, walks: Bool = false) throws(SystemError) {
    try FileSystem.makeDirectories(path)
    root = try FileDescriptor.open(path, [.pathOnly, .directory])
    self.walks = Atomic(walks)
  }

  /// Opens a directory below the target, without following a single link.
  ///
  /// The path is of parts joined with `/`, or empty for the target itself. `ELOOP` means that a part is a
  /// link, `ENOTDIR` that one is a file.
  func open(
    _ path: String, _ flags: FileDescriptor.Flags = [.pathOnly, .directory]
  ) throws(SystemError) -> FileDescriptor {
    if path.isEmpty { return try root.open(".", flags) }
    if !walks.load(ordering: .relaxed) {
      do {
        return try root.open(
          path, flags, resolving: [.beneath, .noSymlinks, .noMagicLinks])
      } catch  where error.isMissingCall {
        walks.store(true, ordering: .relaxed)
      }
    }
    return try walk(path, flags)
  }

  private func walk(
    _ path: String, _ flags: FileDescriptor.Flags
  ) throws(SystemError) -> FileDescriptor {
    // By bytes: as a character, a slash takes an accent behind it along and is no slash any more.
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    var here = try root.open(".", [.pathOnly, .directory])
    for (place, part) in parts.enumerated() {
      guard part != ".." else { throw SystemError.escape(path) }
      let isLast = place == parts.count - 1
      do {
        here = try here.open(
          part, (isLast ? flags : [.pathOnly, .directory]).union(.noFollow))
      } catch {
        // With O_DIRECTORY a link is "not a directory"; the caller wants to know.
        if let status = try? FileSystem.status(part, in: here, followLinks: false),
          status.kind == .symbolicLink
        {
          throw SystemError.link(path)
        }
        throw error
      }
    }
    return here
  }
}

/// A shared, open directory.
final class DirectoryHandle: Sendable {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}
