// CLinux counts as a home of `timespec` when another file of this module was compiled with it first.
internal import CLinux
import Glibc

/// A point in time as file systems keep it: seconds since 1970 and nanoseconds.
package struct FileTime: Equatable, Comparable, Sendable {
  package var seconds: Int64
  package var nanoseconds: Int64

  package init(seconds: Int64, nanoseconds: Int64 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The wall clock's reading.
  package static var now: FileTime {
    var value = Glibc.timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &value)
    return FileTime(seconds: Int64(value.tv_sec), nanoseconds: Int64(value.tv_nsec))
  }

  /// The value that leaves a time as it is (`UTIME_OMIT`).
  package static let unchanged = FileTime(seconds: 0, nanoseconds: (1 << 30) - 2)

  package static func < (left: FileTime, right: FileTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  var timespec: Glibc.timespec { Glibc.timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds)) }
}

/// What `stat(2)` says of a file.
package struct FileStatus: Equatable, Sendable {
  /// What kind of thing a name stands for.
  package enum Kind: Sendable {
    case regular, directory, symbolicLink, fifo, socket, characterDevice, blockDevice, unknown
  }

  package var kind: Kind
  /// The permission, set-id and sticky bits.
  package var mode: UInt32
  package var size: UInt64
  package var device: UInt64
  package var inode: UInt64
  package var linkCount: UInt64
  package var owner: UInt32
  package var modified: FileTime
  /// Bytes the file takes on disk; less than `size` where it has holes.
  package var allocated: UInt64

  init(_ value: stat) {
    kind =
      switch value.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      case S_IFCHR: .characterDevice
      case S_IFBLK: .blockDevice
      default: .unknown
      }
    mode = UInt32(value.st_mode & 0o7777)
    size = UInt64(max(value.st_size, 0))
    device = UInt64(value.st_dev)
    inode = UInt64(value.st_ino)
    linkCount = UInt64(value.st_nlink)
    owner = value.st_uid
    modified = FileTime(
      seconds: Int64(value.st_mtim.tv_sec), nanoseconds: Int64(value.st_mtim.tv_nsec))
    allocated = UInt64(max(value.st_blocks, 0)) * 512
  }
}
