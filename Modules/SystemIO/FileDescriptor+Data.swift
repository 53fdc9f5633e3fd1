import Glibc

// MARK: - Reading and writing

extension FileDescriptor {
  /// Reads what is there, at most the buffer; 0 at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try systemCall("read") { unsafe Glibc.read(raw, buffer.baseAddress, buffer.count) }
  }

  /// Reads at an offset, once; 0 at the end.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(SystemError) -> Int {
    let position = try fileOffset(offset, call: "pread")
    return try systemCall("pread") {
      unsafe Glibc.pread(raw, buffer.baseAddress, buffer.count, position)
    }
  }

  /// Reads at an offset until the buffer is full or the file ends.
  ///
  /// - Returns: The number of bytes read, less than the buffer only at the end of the file.
  package func readFully(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(SystemError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try unsafe read(into: rest, at: offset + UInt64(done))
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Writes the whole buffer at the descriptor's position.
  package func write(_ buffer: UnsafeRawBufferPointer) throws(SystemError) {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
      done += try systemCall("write") { unsafe Glibc.write(raw, rest.baseAddress, rest.count) }
    }
  }

  /// Writes the whole buffer at an offset.
  package func write(_ buffer: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemError) {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
      let position = try fileOffset(offset + UInt64(done), call: "pwrite")
      done += try systemCall("pwrite") {
        unsafe Glibc.pwrite(raw, rest.baseAddress, rest.count, position)
      }
    }
  }

  /// Writes bytes at the descriptor's position.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
      try unsafe write(UnsafeRawBufferPointer(buffer))
    }
  }

  /// Reads from the position to the end, refusing more than a limit.
  ///
  /// - Throws: `EFBIG` when the limit is passed.
  package func readToEnd(limit: Int) throws(SystemError) -> [UInt8] {
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(max(limit, 1), 64 << 10))
    while true {
      let count = try unsafe chunk.withUnsafeMutableBufferPointer {
        (buffer) throws(SystemError) in try unsafe read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      if count == 0 { return result }
      guard result.count + count <= limit else { throw SystemError(errno: EFBIG, call: "read") }
      result.append(contentsOf: chunk[..<count])
    }
  }

  private func fileOffset(_ offset: UInt64, call: String) throws(SystemError) -> off_t {
    guard let value = off_t(exactly: offset) else { throw SystemError(errno: EFBIG, call: call) }
    return value
  }
}

// MARK: - The file behind it

extension FileDescriptor {
  /// Flushes data and what is needed to read it back.
  ///
  /// The corresponding C function is `fdatasync`.
  package func syncData() throws(SystemError) {
    try systemCall("fdatasync") { fdatasync(raw) }
  }

  /// Flushes data and metadata; on a directory, the names in it.
  ///
  /// The corresponding C function is `fsync`.
  package func sync() throws(SystemError) {
    try systemCall("fsync") { fsync(raw) }
  }

  /// Cuts or extends to a length in bytes.
  package func truncate(to length: UInt64) throws(SystemError) {
    let length = try fileOffset(length, call: "ftruncate")
    try systemCall("ftruncate") { ftruncate(raw, length) }
  }

  /// What the kernel knows about the open file.
  package func status() throws(SystemError) -> FileStatus {
    var value = stat()
    try systemCall("fstat") { unsafe fstat(raw, &value) }
    return FileStatus(value)
  }

  /// Sets permission bits.
  package func setMode(_ mode: UInt32) throws(SystemError) {
    try systemCall("fchmod") { fchmod(raw, mode_t(mode)) }
  }

  /// Sets user and group.
  ///
  /// The corresponding C function is `fchown`.
  package func setOwner(user: UInt32, group: UInt32) throws(SystemError) {
    try systemCall("fchown") { fchown(raw, user, group) }
  }

  /// Sets the times of access and modification.
  package func setTimes(access: FileTime, modification: FileTime) throws(SystemError) {
    let times = [access.timespec, modification.timespec]
    try systemCall("futimens") { unsafe futimens(raw, times) }
  }

  /// Bytes an unprivileged writer may still store on this file system, and its block size.
  package func freeSpace() throws(SystemError) -> UInt64 {
    var value = statvfs()
    try systemCall("fstatvfs") { unsafe fstatvfs(raw, &value) }
    return UInt64(value.f_bavail).multipliedReportingOverflow(by: UInt64(value.f_frsize))
      .partialValue
  }

  /// Whether it is a terminal.
  package var isTerminal: Bool { isatty(raw) == 1 }
}
