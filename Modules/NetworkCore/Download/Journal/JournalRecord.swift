/// One entry of a download's journal.
package enum JournalRecord: Equatable, Sendable {
  /// Where the bytes come from: the URL asked for and those it redirected to, without secrets.
  case origin([String])
  /// What identifies the version of the file that the ranges belong to.
  case version(FileVersion)
  /// A process began to write, during this boot of the machine.
  case session(bootID: String, processID: Int32)
  /// Bytes handed to the kernel; they survive the process, but not the machine.
  case written(Range<UInt64>)
  /// All bytes that were on stable storage when this was written.
  case synced(ByteRanges)
  /// Nothing written before counts any more.
  case reset
}

/// What tells one version of a remote file from another.
package struct FileVersion: Hashable, Sendable {
  /// The entity tag with its quotes and its `W/`.
  package var entityTag: String?
  /// `Last-Modified` as the server wrote it.
  package var lastModified: String?
  /// `Date` of the response that named `lastModified`.
  package var date: String?
  /// The size in bytes.
  package var total: UInt64?

  package init(
    entityTag: String? = nil, lastModified: String? = nil, date: String? = nil,
    total: UInt64? = nil
  ) {
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.date = date
    self.total = total
  }
}

/// The bytes of a journal.
///
/// A journal begins with eight bytes that name the format and its version. Then records follow, each
/// `length: UInt32, kind: UInt8, payload, check: UInt32`, integers in little-endian order; `length`
/// counts the payload, `check` is the CRC-32C of all before it in the record.
package enum JournalFormat {
  package static let magic = Array("CRJRNL1\n".utf8)
  /// More than any record that we write.
  package static let maximumPayload = 4 << 20

  /// The bytes of a record.
  package static func encode(_ record: JournalRecord) -> [UInt8] {
    var payload: [UInt8] = []
    let kind: UInt8
    switch record {
    case .origin(let urls):
      kind = 1
      payload.append(integer: UInt32(clamping: urls.count))
      for url in urls { payload.append(string: url) }
    case .version(let version):
      kind = 2
      payload.append(version: version)
    case .session(let bootID, let processID):
      kind = 3
      payload.append(string: bootID)
      payload.append(integer: UInt32(bitPattern: processID))
    case .written(let range):
      kind = 4
      payload.append(range: range)
    case .synced(let set):
      kind = 5
      for range in set.ranges { payload.append(range: range) }
    case .reset:
      kind = 6
    }
    var bytes: [UInt8] = []
    bytes.append(integer: UInt32(clamping: payload.count))
    bytes.append(kind)
    bytes += payload
    bytes.append(integer: CRC32C.checksum(bytes))
    return bytes
  }

  /// The record at an offset and where the next begins, or `nil` when the bytes there are not whole.
  package static func decode(_ bytes: [UInt8], at offset: Int) -> (
    record: JournalRecord, next: Int
  )? {
    var head = ByteCursor(bytes, at: offset)
    guard let length = head.integer(UInt32.self), length <= maximumPayload,
      let kind = head.integer(UInt8.self), let payload = head.bytes(Int(length)),
      let check = head.integer(UInt32.self),
      CRC32C.checksum(bytes[offset..<(head.offset - 4)]) == check,
      let record = record(kind: kind, payload: Array(payload))
    else { return nil }
    return (record, head.offset)
  }

  private static func record(kind: UInt8, payload: [UInt8]) -> JournalRecord? {
    var cursor = ByteCursor(payload, at: 0)
    let record: JournalRecord?
    switch kind {
    case 1: record = cursor.strings().map(JournalRecord.origin)
    case 2: record = cursor.version().map(JournalRecord.version)
    case 3:
      guard let bootID = cursor.string(), let process = cursor.integer(UInt32.self) else {
        return nil
      }
      record = .session(bootID: bootID, processID: Int32(bitPattern: process))
    case 4: record = cursor.range().map(JournalRecord.written)
    case 5:
      var ranges: [Range<UInt64>] = []
      while !cursor.isAtEnd {
        guard let range = cursor.range() else { return nil }
        ranges.append(range)
      }
      record = .synced(ByteRanges(ranges))
    case 6: record = .reset
    default: return nil
    }
    return cursor.isAtEnd ? record : nil
  }
}
