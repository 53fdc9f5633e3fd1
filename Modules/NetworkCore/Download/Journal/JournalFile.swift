import Synchronization
import SystemIO

/// A journal on disk, open for appending.
final class JournalFile: Sendable {
  private let file: FileDescriptor
  private let length: Mutex<UInt64>

  /// Creates a journal, replacing what has its name.
  init(creating path: String) throws(SystemError) {
    file = try FileDescriptor.open(path, [.writeOnly, .create, .truncate, .noFollow], mode: 0o600)
    length = Mutex(UInt64(JournalFormat.magic.count))
    try Self.write(JournalFormat.magic, to: file, at: 0)
  }

  /// Goes on with a journal after its last whole record; what follows it is cut off.
  init(continuing path: String, after state: JournalState) throws(SystemError) {
    file = try FileDescriptor.open(path, [.writeOnly, .noFollow])
    length = Mutex(UInt64(state.length))
    try file.truncate(to: UInt64(state.length))
  }

  /// Reads a journal; `nil` where there is none or it is of another kind.
  static func load(_ path: String) throws(SystemError) -> JournalState? {
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(path, [.noFollow])
    } catch  where error.isMissing {
      return nil
    }
    return JournalState(try file.readToEnd(limit: 256 << 20))
  }

  /// Appends records in one write.
  func append(_ records: [JournalRecord]) throws(SystemError) {
    let bytes = records.flatMap(JournalFormat.encode)
    try length.withLock { (length) throws(SystemError) in
      try Self.write(bytes, to: file, at: length)
      length += UInt64(bytes.count)
    }
  }

  /// Brings the journal to stable storage.
  func sync() throws(SystemError) { try file.syncData() }

  private static func write(
    _ bytes: [UInt8], to file: borrowing FileDescriptor, at offset: UInt64
  ) throws(SystemError) {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
      try unsafe file.write(UnsafeRawBufferPointer(buffer), at: offset)
    }
  }
}
