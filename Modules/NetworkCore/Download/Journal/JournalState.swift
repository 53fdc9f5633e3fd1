/// What a journal proves.
package struct JournalState: Equatable, Sendable {
  /// The URL asked for and those it redirected to.
  package var origin: [String] = []
  /// The version that the ranges belong to.
  package var version = FileVersion()
  /// On stable storage.
  package private(set) var synced = ByteRanges()
  /// Written during the boot ``bootID``.
  package private(set) var written = ByteRanges()
  package private(set) var bootID: String?
  /// The process that wrote last.
  package private(set) var processID: Int32?
  /// How many bytes of the journal were whole.
  package private(set) var length = 0

  /// An empty journal's state.
  package init() {}

  /// Reads a journal up to its end or its first damaged record; `nil` when it is not a journal.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: JournalFormat.magic) else { return nil }
    length = JournalFormat.magic.count
    while let (record, next) = JournalFormat.decode(bytes, at: length) {
      apply(record)
      length = next
    }
  }

  /// Takes a record into account.
  package mutating func apply(_ record: JournalRecord) {
    switch record {
    case .origin(let urls): origin = urls
    case .version(let version): self.version = version
    case .session(let bootID, let processID):
      self.processID = processID
      // What another boot wrote may never have reached the disk.
      if self.bootID != bootID { written = ByteRanges() }
      self.bootID = bootID
    case .written(let range): written.insert(range)
    case .synced(let ranges): synced = ranges
    case .reset:
      synced = ByteRanges()
      written = ByteRanges()
    }
  }

  /// Whether it speaks of bytes behind the end of a part.
  package func claims(beyond partSize: UInt64) -> Bool {
    max(synced.upperBound, written.upperBound) > partSize
  }

  /// The bytes that can be relied on during a boot, as far as the part reaches.
  package func proven(bootID: String?, partSize: UInt64) -> ByteRanges {
    var result = synced
    if let bootID, bootID == self.bootID {
      for range in written.ranges { result.insert(range) }
    }
    return result.intersection(0..<min(partSize, version.total ?? .max))
  }
}
