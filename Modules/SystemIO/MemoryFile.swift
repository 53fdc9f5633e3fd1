internal import CLinux
import Glibc

/// Memory that several processes see: an unnamed file whose size cannot change any more, mapped
/// here.
///
/// Another process can write to it at any time, so bytes are copied out before they are judged.
@safe
package struct SharedMemory: ~Copyable, @unchecked Sendable {
  // Safety: the mapping is owned by this value, lives until `deinit` and cannot shrink underneath,
  // because the file is sealed. Concurrent writers are other processes; reads copy.
  private let base: UnsafeMutableRawPointer
  /// Bytes.
  package let count: Int

  /// Maps a file that somebody else made; refused with `EINVAL` unless its size is sealed.
  package init(mapping file: borrowing FileDescriptor) throws(SystemError) {
    guard file.seals.isSuperset(of: [.shrink, .grow]) else {
      throw SystemError(errno: EINVAL, call: "fcntl")
    }
    let size = try file.status().size
    guard size > 0, let count = Int(exactly: size) else {
      throw SystemError(errno: EINVAL, call: "mmap")
    }
    let address = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file.raw, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw SystemError(errno: Glibc.errno, call: "mmap")
    }
    unsafe base = address
    self.count = count
  }

  deinit { unsafe munmap(base, count) }

  /// Copies bytes out; `nil` when the range is not inside.
  package func copy(_ range: Range<Int>) -> [UInt8]? {
    guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
    return unsafe [UInt8](
      UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
  }

  /// Copies bytes in; `false` when they do not fit there.
  package func store(_ bytes: [UInt8], at offset: Int) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe store($0, at: offset) }
  }

  /// Copies bytes in; `false` when they do not fit there.
  package func store(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard offset >= 0, offset <= count, bytes.count <= count - offset else { return false }
    guard let start = bytes.baseAddress else { return true }
    unsafe (base + offset).copyMemory(from: start, byteCount: bytes.count)
    return true
  }

  /// Lends a part for writing; `nil` when the range is not inside.
  package func withBytes<Value, Failure: Error>(
    _ range: Range<Int>, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
    return try unsafe body(
      UnsafeMutableRawBufferPointer(start: base + range.lowerBound, count: range.count))
  }
}

/// A file's bytes, mapped to be read until the process ends.
///
/// A file that is cut short while it is mapped ends the process with `SIGBUS` where it reads beyond
/// the new end; only a process that may be lost uses this.
@safe
package struct ImmortalMemory: @unchecked Sendable {
  // Safety: never unmapped, so a pointer into it is good as long as the process lives.
  /// The bytes.
  @unsafe package let bytes: UnsafeRawBufferPointer
  /// Memory right behind them that may be written to; it takes none from the system before that.
  @unsafe package let room: UnsafeMutableRawBufferPointer

  /// Maps the first `count` bytes; the descriptor may be closed afterwards.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - count: The bytes of it.
  ///   - room: The bytes of room behind them, at least.
  /// - Throws: What the kernel has against it; `EFBIG` where both are more than 64 TiB.
  package init(
    mapping file: borrowing FileDescriptor, count: UInt64, room: Int = 0
  ) throws(SystemError) {
    let page = 1 << 12
    let greatest = 1 << 46
    guard count <= greatest, (0...greatest).contains(room) else {
      throw SystemError(errno: EFBIG, call: "mmap")
    }
    let count = Int(count)
    guard count > 0 else {
      unsafe bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      unsafe self.room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      return
    }
    // A file takes whole pages; of its last one the rest belongs to the room.
    let rest = count % page
    let total = room > 0 ? (count + room + page) / page * page : count
    let start =
      room > 0
      ? unsafe mmap(
        nil, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
      : unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, file.raw, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else {
      throw SystemError(errno: Glibc.errno, call: "mmap")
    }
    if room > 0 {
      guard
        unsafe mmap(start, count, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.raw, 0) == start,
        unsafe rest == 0 || mprotect(start + count - rest, page, PROT_READ | PROT_WRITE) == 0
      else {
        let error = SystemError(errno: Glibc.errno, call: "mmap")
        unsafe munmap(start, total)
        throw error
      }
    }
    unsafe bytes = UnsafeRawBufferPointer(start: start, count: count)
    unsafe self.room = UnsafeMutableRawBufferPointer(start: start + count, count: total - count)
  }
}

// MARK: - Seals

extension FileDescriptor {
  /// What may no longer be done to a memory file (`F_ADD_SEALS`).
  package struct Seals: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }
    package static let further = Seals(rawValue: Int32(CLINUX_SEAL_SEAL))
    package static let shrink = Seals(rawValue: Int32(CLINUX_SEAL_SHRINK))
    package static let grow = Seals(rawValue: Int32(CLINUX_SEAL_GROW))
    package static let write = Seals(rawValue: Int32(CLINUX_SEAL_WRITE))
  }

  /// Creates an unnamed file in memory that can be sealed; closed on exec.
  ///
  /// The corresponding C function is `memfd_create`.
  package static func memory(named name: String) throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try systemCall("memfd_create", path: name) { unsafe clinux_memfd(name) })
  }

  /// Creates a memory file of a fixed size, sealed against growing and shrinking.
  ///
  /// Pages are taken from the system when they are first touched.
  package static func memory(
    named name: String, fixedCount count: Int
  ) throws(SystemError) -> FileDescriptor {
    let file = try memory(named: name)
    try file.truncate(to: UInt64(max(count, 1)))
    try file.seal([.shrink, .grow, .further])
    return file
  }

  /// Adds seals; they cannot be taken off.
  package func seal(_ seals: Seals) throws(SystemError) {
    try systemCall("fcntl") { clinux_add_seals(raw, seals.rawValue) }
  }

  /// The seals of a memory file; none for any other file.
  package var seals: Seals { Seals(rawValue: max(clinux_get_seals(raw), 0)) }
}
