/// Looks through a source for the records of a zip archive by their signatures.
struct RecordSearch {
  /// Signatures that may stand right behind an entry's data.
  static let signatures: Set<UInt32> = [
    LocalHeader.signature, CentralHeader.signature, DataDescriptor.signature, EndRecord.signature,
    Zip64EndRecord.signature, Zip64Locator.signature, archiveExtraData, digitalSignature,
  ]
  /// An archive extra data record (APPNOTE 4.3.11).
  static let archiveExtraData: UInt32 = 0x0806_4b50
  /// A digital signature (APPNOTE 4.3.13).
  static let digitalSignature: UInt32 = 0x0505_4b50

  let window: SourceWindow
  let size: UInt64

  init(_ source: any ArchiveSource) {
    window = SourceWindow(source)
    size = source.size
  }

  /// The first record at an offset or behind it.
  ///
  /// - Parameters:
  ///   - start: Where to begin.
  ///   - pass: Called with each number of bytes that were looked through.
  /// - Returns: nil when no record follows.
  /// - Throws: What the source or `pass` throws.
  func next(
    from start: UInt64, pass: (UInt64) throws(ZipError) -> Void = { (_) throws(ZipError) in }
  ) throws(ZipError) -> (offset: UInt64, signature: UInt32)? {
    var position = start
    while position < size, size - position >= 4 {
      let range = try window.load(at: position, count: SourceWindow.readAhead, enough: 4)
      guard range.count >= 4 else { return nil }
      let bytes = window.storage
      let span = unsafe bytes.span.bytes.extracting(range)
      if let (place, signature) = Self.find(span) {
        try pass(UInt64(place))
        return (position + UInt64(place), signature)
      }
      // A signature may be cut by the piece's end.
      try pass(UInt64(range.count - 3))
      position += UInt64(range.count - 3)
    }
    return nil
  }

  private static func find(_ span: RawSpan) -> (place: Int, signature: UInt32)? {
    unsafe span.withUnsafeBytes { bytes in
      var place = 0
      let last = bytes.count - 4
      while place <= last {
        if unsafe bytes[place] == 0x50, unsafe bytes[place + 1] == 0x4b {
          let signature = unsafe UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
          if signatures.contains(signature) { return (place, signature) }
        }
        place += 1
      }
      return nil
    }
  }

  /// Up to `count` bytes at an offset, by way of the window.
  func bytes(at offset: UInt64, count: Int) throws(ZipError) -> [UInt8] {
    let range = try window.load(at: offset, count: count, enough: count)
    return Array(window.storage[range])
  }

  /// Whether a local header stands at an offset.
  func isLocalHeader(_ offset: UInt64) throws(ZipError) -> Bool {
    let bytes = try bytes(at: offset, count: LocalHeader.fixedSize)
    return LocalHeader(unsafe bytes.span.bytes, at: 0) != nil
  }

  /// Whether a record of some kind stands at an offset, or the source ends there.
  func isBoundary(_ offset: UInt64) throws(ZipError) -> Bool {
    if offset == size { return true }
    let bytes = try bytes(at: offset, count: 4)
    return (unsafe bytes.span.bytes).uint32(at: 0).map(Self.signatures.contains) ?? false
  }
}
