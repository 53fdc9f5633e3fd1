import Synchronization
import SystemIO

/// Writes a download to a device, a pipe or a terminal, in order.
final class StreamStore: DownloadStore {
  private let file: FileDescriptor
  let path: String
  private let written = Mutex<UInt64>(0)

  init(_ file: consuming FileDescriptor, path: String) {
    self.file = file
    self.path = path
  }

  var isSeekable: Bool { false }

  var ranges: ByteRanges { written.withLock { ByteRanges([0..<$0]) } }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemError) {
    try written.withLock { (written) throws(SystemError) in
      // Bytes that already went out are not sent twice.
      let known = written > offset ? written - offset : 0
      guard known < UInt64(bytes.count) else { return }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Int(known)))
      try unsafe file.write(rest)
      written += UInt64(rest.count)
    }
  }

  func note(_ range: Range<UInt64>) throws(SystemError) {}

  func read(_ range: Range<UInt64>) throws(SystemError) -> [UInt8]? { nil }

  func startOver(_ version: FileVersion) throws(SystemError) -> Bool {
    written.withLock { $0 == 0 }
  }

  func identify(_ version: FileVersion, origin: [String]) throws(SystemError) {}

  func checkpoint() throws(SystemError) {}
}
