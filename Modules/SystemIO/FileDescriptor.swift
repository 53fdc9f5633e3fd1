internal import CLinux
import Glibc

/// An open file descriptor with one owner, closed when its life ends.
///
/// Reads and writes retry on `EINTR`; positioned ones may be called from many threads at once.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for lending to a call; the owner keeps it open.
  package let raw: Int32
  private let isOwned: Bool

  /// Takes ownership of an open descriptor.
  package init(owning raw: Int32) {
    self.raw = raw
    isOwned = true
  }

  /// Wraps a descriptor that somebody else closes, such as 0, 1 and 2.
  package init(borrowing raw: Int32) {
    self.raw = raw
    isOwned = false
  }

  deinit {
    // Safety of the ignored result: whoever must know whether the data arrived calls `close()`.
    if isOwned { _ = Glibc.close(raw) }
  }

  /// Closes now and tells whether that worked; on Linux the descriptor is gone either way.
  package consuming func close() throws(SystemError) {
    let (raw, isOwned) = (raw, isOwned)
    discard self
    guard isOwned else { return }
    try systemCall("close", retryOnInterrupt: false) { Glibc.close(raw) }
  }

  /// Gives the number away; the caller closes it.
  package consuming func release() -> Int32 {
    let raw = raw
    discard self
    return raw
  }
}

// MARK: - Opening

extension FileDescriptor {
  /// How a file is opened; `O_CLOEXEC` is always added.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let readOnly = Flags([])
    package static let writeOnly = Flags(rawValue: O_WRONLY)
    package static let readWrite = Flags(rawValue: O_RDWR)
    package static let create = Flags(rawValue: O_CREAT)
    package static let exclusive = Flags(rawValue: O_EXCL)
    package static let truncate = Flags(rawValue: O_TRUNC)
    package static let append = Flags(rawValue: O_APPEND)
    package static let directory = Flags(rawValue: O_DIRECTORY)
    package static let noFollow = Flags(rawValue: O_NOFOLLOW)
    package static let nonBlocking = Flags(rawValue: O_NONBLOCK)
    /// A handle for `…at` calls only (`O_PATH`, which Glibc's module lacks).
    package static let pathOnly = Flags(rawValue: 0o10000000)
    /// An unnamed file in a directory (`O_TMPFILE`).
    package static let temporary = Flags(rawValue: 0o20000000 | O_DIRECTORY)
  }

  /// Opens a path.
  ///
  /// The corresponding C function is `open`.
  package static func open(
    _ path: String, _ flags: Flags = .readOnly, mode: UInt32 = 0o666
  ) throws(SystemError) -> FileDescriptor {
    try open(path, relativeTo: AT_FDCWD, flags, mode: mode)
  }

  /// Opens a path below this directory; an absolute one ignores it.
  ///
  /// The corresponding C function is `openat`.
  package func open(
    _ path: String, _ flags: Flags = .readOnly, mode: UInt32 = 0o666
  ) throws(SystemError) -> FileDescriptor {
    try FileDescriptor.open(path, relativeTo: raw, flags, mode: mode)
  }

  private static func open(
    _ path: String, relativeTo directory: Int32, _ flags: Flags, mode: UInt32
  ) throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try systemCall("open", path: path) {
        unsafe clinux_openat(directory, path, flags.rawValue | O_CLOEXEC, mode_t(mode))
      })
  }

  /// What `openBeneath` forbids on the way, as `openat2(2)` names it.
  package struct Resolution: OptionSet, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static let beneath = Resolution(rawValue: UInt64(CLINUX_RESOLVE_BENEATH))
    package static let noSymlinks = Resolution(rawValue: UInt64(CLINUX_RESOLVE_NO_SYMLINKS))
    package static let noMagicLinks = Resolution(rawValue: UInt64(CLINUX_RESOLVE_NO_MAGICLINKS))
  }

  /// Opens a path that may not leave this directory.
  ///
  /// Throws `ENOSYS` on a kernel before 5.6 and `EPERM` in some containers; `EXDEV` for an escape,
  /// `ELOOP` for a forbidden link. The corresponding C function is `openat2`.
  package func open(
    _ path: String, _ flags: Flags, mode: UInt32 = 0, resolving: Resolution
  ) throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try systemCall("openat2", path: path) {
        unsafe clinux_openat2(
          raw, path, UInt64(UInt32(bitPattern: flags.rawValue | O_CLOEXEC)), UInt64(mode),
          resolving.rawValue)
      })
  }

  /// A second descriptor for the same open file.
  ///
  /// The corresponding C function is `fcntl` with `F_DUPFD_CLOEXEC`.
  package func duplicate() throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try systemCall("fcntl") { clinux_fcntl_int(raw, F_DUPFD_CLOEXEC, 0) })
  }
}
