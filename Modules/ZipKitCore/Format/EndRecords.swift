/// The end of central directory record (APPNOTE 4.3.16).
struct EndRecord: Equatable {
  static let signature: UInt32 = 0x0605_4b50
  static let fixedSize = 22

  var disk: UInt16
  var directoryDisk: UInt16
  var entriesOnDisk: UInt16
  var entries: UInt16
  var directorySize: UInt32
  var directoryOffset: UInt32
  var commentLength: UInt16

  init?(_ bytes: RawSpan, at offset: Int) {
    guard bytes.uint32(at: offset) == Self.signature,
      let disk = bytes.uint16(at: offset + 4),
      let directoryDisk = bytes.uint16(at: offset + 6),
      let entriesOnDisk = bytes.uint16(at: offset + 8),
      let entries = bytes.uint16(at: offset + 10),
      let directorySize = bytes.uint32(at: offset + 12),
      let directoryOffset = bytes.uint32(at: offset + 16),
      let commentLength = bytes.uint16(at: offset + 20)
    else { return nil }
    self.disk = disk
    self.directoryDisk = directoryDisk
    self.entriesOnDisk = entriesOnDisk
    self.entries = entries
    self.directorySize = directorySize
    self.directoryOffset = directoryOffset
    self.commentLength = commentLength
  }
}

/// The Zip64 end of central directory locator (APPNOTE 4.3.15), right before the end record.
struct Zip64Locator: Equatable {
  static let signature: UInt32 = 0x0706_4b50
  static let size = 20

  var recordDisk: UInt32
  var recordOffset: UInt64
  var disks: UInt32

  init?(_ bytes: RawSpan, at offset: Int) {
    guard bytes.uint32(at: offset) == Self.signature,
      let recordDisk = bytes.uint32(at: offset + 4),
      let recordOffset = bytes.uint64(at: offset + 8),
      let disks = bytes.uint32(at: offset + 16)
    else { return nil }
    self.recordDisk = recordDisk
    self.recordOffset = recordOffset
    self.disks = disks
  }
}

/// The Zip64 end of central directory record (APPNOTE 4.3.14).
struct Zip64EndRecord: Equatable {
  static let signature: UInt32 = 0x0606_4b50
  static let fixedSize = 56
  /// With the fields of version 2 that are of interest.
  static let readSize = 76

  /// What follows the size field, in bytes; 44 for version 1.
  var recordSize: UInt64
  var versionMadeBy: UInt16
  var versionNeeded: UInt16
  var disk: UInt32
  var directoryDisk: UInt32
  var entriesOnDisk: UInt64
  var entries: UInt64
  var directorySize: UInt64
  var directoryOffset: UInt64
  /// What the directory is encrypted with (APPNOTE 7.3.4, version 2 of the record); nil where it is plain.
  var directoryCipher: UInt16?

  init?(_ bytes: RawSpan, at offset: Int) {
    guard bytes.uint32(at: offset) == Self.signature,
      let recordSize = bytes.uint64(at: offset + 4),
      let versionMadeBy = bytes.uint16(at: offset + 12),
      let versionNeeded = bytes.uint16(at: offset + 14),
      let disk = bytes.uint32(at: offset + 16),
      let directoryDisk = bytes.uint32(at: offset + 20),
      let entriesOnDisk = bytes.uint64(at: offset + 24),
      let entries = bytes.uint64(at: offset + 32),
      let directorySize = bytes.uint64(at: offset + 40),
      let directoryOffset = bytes.uint64(at: offset + 48)
    else { return nil }
    self.recordSize = recordSize
    if recordSize >= UInt64(Self.readSize - 12), let cipher = bytes.uint16(at: offset + 74) {
      directoryCipher = cipher == 0 ? nil : cipher
    }
    self.versionMadeBy = versionMadeBy
    self.versionNeeded = versionNeeded
    self.disk = disk
    self.directoryDisk = directoryDisk
    self.entriesOnDisk = entriesOnDisk
    self.entries = entries
    self.directorySize = directorySize
    self.directoryOffset = directoryOffset
  }
}
