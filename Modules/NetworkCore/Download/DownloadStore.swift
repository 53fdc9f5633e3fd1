import SystemIO

/// Where the bytes of a download go while it runs; called from the loop thread and others.
protocol DownloadStore: AnyObject, Sendable {
  /// What to call it in a message.
  var path: String { get }

  /// Whether bytes may arrive in any order and more than once.
  var isSeekable: Bool { get }

  /// What is safely there.
  var ranges: ByteRanges { get }

  /// Stores bytes at an offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemError)

  /// Remembers that a range was written.
  func note(_ range: Range<UInt64>) throws(SystemError)

  /// Bytes already stored, for comparison; `nil` where they cannot be read back.
  func read(_ range: Range<UInt64>) throws(SystemError) -> [UInt8]?

  /// Forgets everything stored: another version of the file begins.
  ///
  /// - Returns: Whether that was possible.
  func startOver(_ version: FileVersion) throws(SystemError) -> Bool

  /// Remembers what identifies the file.
  func identify(_ version: FileVersion, origin: [String]) throws(SystemError)

  /// Makes everything noted survive a loss of power; takes its time.
  func checkpoint() throws(SystemError)
}
