internal import CLinux
import Glibc

// MARK: - Locks and space

extension FileDescriptor {
  /// Takes the exclusive lock of the open file, without waiting; it goes with the last descriptor.
  ///
  /// The corresponding C function is `flock`.
  /// - Returns: Whether it was free.
  package func tryLock() throws(SystemError) -> Bool {
    do {
      try systemCall("flock") { flock(raw, LOCK_EX | LOCK_NB) }
      return true
    } catch  where error.errno == EWOULDBLOCK {
      return false
    }
  }

  /// Gives the lock back before the last descriptor is closed.
  package func unlock() {
    // Without a lock to give back there is nothing to do either.
    _ = flock(raw, LOCK_UN)
  }

  /// Sets space aside for a file without changing its length.
  ///
  /// The corresponding C function is `fallocate` with `FALLOC_FL_KEEP_SIZE`.
  /// - Throws: `EOPNOTSUPP` where the file system cannot, `ENOSPC` where it has not the room.
  package func reserve(_ length: UInt64) throws(SystemError) {
    let length = off_t(clamping: length)
    try systemCall("fallocate") { clinux_reserve(raw, length) }
  }

  /// Flushes everything on the file system that the file is on, whoever wrote it.
  ///
  /// The corresponding C function is `syncfs`.
  /// - Throws: What was lost since the file was opened, on kernels from 5.8 on.
  package func syncFileSystem() throws(SystemError) {
    try systemCall("syncfs") { clinux_sync_file_system(raw) }
  }

  /// Has the kernel begin to write to the disk what is only in memory yet; promises nothing.
  ///
  /// May wait when the disk has much to do. The corresponding C function is `sync_file_range`.
  package func startWriteBack() throws(SystemError) {
    try systemCall("sync_file_range") { clinux_start_write_back(raw) }
  }
}

/// The machine's present boot, as the kernel names it; `nil` where `/proc` is not mounted.
///
/// Bytes handed to the kernel survive the end of a process, but not the end of a boot.
package func currentBootID() -> String? { Boot.id }

private enum Boot {
  /// A process does not outlive its boot.
  static let id = read()

  private static func read() -> String? {
    guard let file = try? FileDescriptor.open("/proc/sys/kernel/random/boot_id"),
      let bytes = try? file.readToEnd(limit: 100)
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }
}
