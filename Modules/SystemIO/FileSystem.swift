internal import CLinux
import Glibc

/// Calls on names rather than on open files.
///
/// Each takes the directory that a relative name starts from; `nil` is the working directory.
package enum FileSystem {
  /// What a name stands for; the link itself when `followLinks` is false.
  package static func status(
    _ path: String, in directory: borrowing FileDescriptor, followLinks: Bool = true
  ) throws(SystemError) -> FileStatus {
    try status(path, directory.raw, followLinks)
  }

  /// What a path stands for; the link itself when `followLinks` is false.
  package static func status(
    _ path: String, followLinks: Bool = true
  ) throws(SystemError) -> FileStatus {
    try status(path, AT_FDCWD, followLinks)
  }

  private static func status(
    _ path: String, _ directory: Int32, _ followLinks: Bool
  ) throws(SystemError) -> FileStatus {
    var value = stat()
    try systemCall("fstatat", path: path) {
      unsafe fstatat(directory, path, &value, followLinks ? 0 : AT_SYMLINK_NOFOLLOW)
    }
    return FileStatus(value)
  }

  /// Whether anything bears the name, a dangling link included.
  package static func exists(_ path: String) -> Bool {
    (try? status(path, followLinks: false)) != nil
  }

  /// A path from the root; relative ones start from the working directory.
  ///
  /// Without access to the working directory's name the path stays as it is. Links are not followed.
  package static func absolute(_ path: String) -> String {
    guard !Path.isAbsolute(path), let directory = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(directory) }
    return Path.join(unsafe String(cString: directory), path)
  }

  /// Checks that this process may make and remove names in a directory.
  ///
  /// The corresponding C function is `faccessat` with `AT_EACCESS`.
  /// - Throws: `EACCES`, `EROFS`, `ENOENT`, `ENOTDIR`.
  package static func checkWritable(directory path: String) throws(SystemError) {
    let name = Path.join(path, ".")
    try systemCall("faccessat", path: path) {
      unsafe faccessat(AT_FDCWD, name, W_OK | X_OK, AT_EACCESS)
    }
  }

  /// How a rename treats a name that is taken.
  package enum RenamePolicy: Sendable {
    /// The old file goes, in one step.
    case replace
    /// `EEXIST`; where a file system lacks the call, a hard link makes the check as atomic, and where it has
    /// no hard links either, an empty file has the name for a moment before.
    case keepExisting
  }

  /// Renames within one file system.
  ///
  /// The corresponding C function is `renameat2`.
  package static func rename(
    _ from: String, to: String, _ policy: RenamePolicy = .replace
  ) throws(SystemError) {
    try rename(from, AT_FDCWD, to, AT_FDCWD, policy)
  }

  /// Renames within one directory.
  ///
  /// The corresponding C function is `renameat2`.
  package static func rename(
    _ from: String, to: String, in directory: borrowing FileDescriptor,
    _ policy: RenamePolicy = .replace
  ) throws(SystemError) {
    try rename(from, directory.raw, to, directory.raw, policy)
  }

  private static func rename(
    _ from: String, _ fromDirectory: Int32, _ to: String, _ toDirectory: Int32,
    _ policy: RenamePolicy
  ) throws(SystemError) {
    switch policy {
    case .replace:
      try systemCall("rename", path: to) {
        unsafe renameat(fromDirectory, from, toDirectory, to)
      }
    case .keepExisting:
      do {
        try systemCall("renameat2", path: to) {
          unsafe clinux_renameat2(
            fromDirectory, from, toDirectory, to, UInt32(CLINUX_RENAME_NOREPLACE))
        }
      } catch  where error.errno == EINVAL || error.errno == ENOSYS {
        try renameByLink(from, fromDirectory, to, toDirectory)
      }
    }
  }

  private static func renameByLink(
    _ from: String, _ fromDirectory: Int32, _ to: String, _ toDirectory: Int32
  ) throws(SystemError) {
    do {
      try systemCall("linkat", path: to) {
        unsafe linkat(fromDirectory, from, toDirectory, to, 0)
      }
    } catch  where [EPERM, EOPNOTSUPP, ENOSYS].contains(error.errno) {
      return try renameOntoClaim(from, fromDirectory, to, toDirectory)
    }
    do {
      try systemCall("unlinkat", path: from) { unsafe unlinkat(fromDirectory, from, 0) }
    } catch {
      // One of two names it would be, and the caller knows of the old one.
      _ = unsafe unlinkat(toDirectory, to, 0)
      throw error
    }
  }

  // exFAT has neither the flag nor hard links: an empty file takes the name, for a moment.
  private static func renameOntoClaim(
    _ from: String, _ fromDirectory: Int32, _ to: String, _ toDirectory: Int32
  ) throws(SystemError) {
    let claim = FileDescriptor(
      owning: try systemCall("openat", path: to) {
        unsafe clinux_openat(
          toDirectory, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      })
    do {
      try claim.close()
      try rename(from, fromDirectory, to, toDirectory, .replace)
    } catch {
      _ = unsafe unlinkat(toDirectory, to, 0)
      throw error
    }
  }

  /// Removes a name that is not a directory.
  package static func unlink(_ path: String) throws(SystemError) {
    try systemCall("unlink", path: path) { unsafe Glibc.unlink(path) }
  }

  /// Removes a name from a directory.
  package static func unlink(
    _ name: String, in directory: borrowing FileDescriptor, isDirectory: Bool = false
  ) throws(SystemError) {
    let raw = directory.raw
    try systemCall("unlinkat", path: name) {
      unsafe unlinkat(raw, name, isDirectory ? AT_REMOVEDIR : 0)
    }
  }

  /// Makes a directory; its parent must exist.
  package static func makeDirectory(_ path: String, mode: UInt32 = 0o777) throws(SystemError) {
    try systemCall("mkdir", path: path) { unsafe mkdir(path, mode_t(mode)) }
  }

  /// Makes a directory below another.
  package static func makeDirectory(
    _ name: String, in directory: borrowing FileDescriptor, mode: UInt32 = 0o777
  ) throws(SystemError) {
    let raw = directory.raw
    try systemCall("mkdirat", path: name) { unsafe mkdirat(raw, name, mode_t(mode)) }
  }

  /// Makes a directory and the parents it lacks; one that exists is no error.
  package static func makeDirectories(_ path: String, mode: UInt32 = 0o777) throws(SystemError) {
    do {
      try makeDirectory(path, mode: mode)
    } catch  where error.errno == EEXIST {
      guard try status(path).kind == .directory else {
        throw SystemError(errno: ENOTDIR, call: "mkdir", path: path)
      }
    } catch  where error.errno == ENOENT {
      let parent = Path.parent(of: path)
      guard parent != path, !parent.isEmpty else { throw error }
      try makeDirectories(parent, mode: mode)
      try makeDirectory(path, mode: mode)
    }
  }

  /// Makes a symbolic link in a directory.
  package static func makeSymbolicLink(
    _ name: String, to target: String, in directory: borrowing FileDescriptor
  ) throws(SystemError) {
    let raw = directory.raw
    try systemCall("symlinkat", path: name) { unsafe symlinkat(target, raw, name) }
  }

  /// The target of a symbolic link in a directory.
  package static func linkTarget(
    _ name: String, in directory: borrowing FileDescriptor
  ) throws(SystemError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let raw = directory.raw
    let count = try systemCall("readlinkat", path: name) {
      unsafe buffer.withUnsafeMutableBytes { bytes -> Int in
        // Safety: the buffer is not empty, so it has a base.
        guard let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
          return 0
        }
        return unsafe readlinkat(
          raw, name, base, bytes.count)
      }
    }
    return Array(buffer[..<count])
  }

  /// Sets the times of a name, of the link itself when it is one.
  package static func setTimes(
    _ name: String, in directory: borrowing FileDescriptor, access: FileTime, modification: FileTime
  ) throws(SystemError) {
    let times = [access.timespec, modification.timespec]
    let raw = directory.raw
    try systemCall("utimensat", path: name) {
      unsafe utimensat(raw, name, times, AT_SYMLINK_NOFOLLOW)
    }
  }

  /// The names in a directory, without `.` and `..`, in no order.
  package static func names(in path: String) throws(SystemError) -> [String] {
    try nameBytes(in: Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in a directory as they are, which need not be UTF-8.
  private static func nameBytes(in path: [UInt8]) throws(SystemError) -> [[UInt8]] {
    guard let stream = unsafe opendir(path.map { CChar(bitPattern: $0) } + [0]) else {
      throw SystemError(
        errno: errno, call: "opendir", path: String(decoding: path, as: UTF8.self))
    }
    defer { _ = unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      // Safety: `d_name` is NUL-terminated and lives until the next `readdir` on this stream.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: UInt8.self, capacity: 256) {
          unsafe Array(UnsafeBufferPointer(start: $0, count: strlen(tuple)))
        }
      }
      if name != [0x2e], name != [0x2e, 0x2e] { names.append(name) }
    }
    return names
  }

  /// Makes a new directory with a name of its own below the system's temporary one, mode 0700.
  package static func makeTemporaryDirectory(prefix: String = "courier") throws(SystemError)
    -> String
  {
    let base = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(base)/\(prefix)-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw SystemError(errno: errno, call: "mkdtemp", path: base)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a tree, whatever bytes names in it are of; links in it are removed, not followed.
  package static func removeTree(_ path: String) throws(SystemError) {
    try removeTree(Array(path.utf8))
  }

  private static func removeTree(_ path: [UInt8]) throws(SystemError) {
    let bytes = path.map { CChar(bitPattern: $0) } + [0]
    let text = String(decoding: path, as: UTF8.self)
    do {
      // What is no directory is gone by this; Linux has EISDIR for one, POSIX EPERM.
      try systemCall("unlink", path: text) { unsafe Glibc.unlink(bytes) }
    } catch  where error.errno == EISDIR || error.errno == EPERM {
      var status = stat()
      guard unsafe lstat(bytes, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw error
      }
      for name in try nameBytes(in: path) { try removeTree(path + [0x2f] + name) }
      try systemCall("rmdir", path: text) { unsafe rmdir(bytes) }
    }
  }
}
