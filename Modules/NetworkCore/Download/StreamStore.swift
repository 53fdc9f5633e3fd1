import Synchronization
import SystemIO

/// Writes a download to a device, a pipe or a terminal, in order.
final class StreamStore: DownloadStore {
  private struct State {
    var written: UInt64 = 0
    var digests: DigestSet?
  }

  private let file: FileDescriptor
  let path: String
  private let state = Mutex(State())

  init(_ file: consuming FileDescriptor, path: String) {
    self.file = file
    self.path = path
  }

  var isSeekable: Bool { false }

  var ranges: ByteRanges { state.withLock { ByteRanges([0..<$0.written]) } }

  /// Hashes what goes out from now on, as it cannot be read back; before the first byte.
  func hash(_ algorithms: Set<DigestAlgorithm>) throws(TransferProblem) {
    try state.withLock { (state) throws(TransferProblem) in
      guard state.digests == nil, state.written == 0 else { return }
      do throws(NetworkError) {
        state.digests = try DigestSet(algorithms)
      } catch {
        throw error.problem ?? .digestUnavailable(algorithms.first ?? .sha256)
      }
    }
  }

  /// The digests of all that went out.
  func digests() throws(NetworkError) -> [Checksum] {
    try state.withLock { (state) throws(NetworkError) in try state.digests?.finish() ?? [] }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemError) {
    try state.withLock { (state) throws(SystemError) in
      // Bytes that already went out are not sent twice.
      let known = state.written > offset ? state.written - offset : 0
      guard known < UInt64(bytes.count) else { return }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Int(known)))
      try unsafe file.write(rest)
      unsafe state.digests?.update(rest)
      state.written += UInt64(rest.count)
    }
  }

  func note(_ range: Range<UInt64>) throws(SystemError) {}

  func read(_ range: Range<UInt64>) throws(SystemError) -> [UInt8]? { nil }

  func startOver(_ version: FileVersion) throws(SystemError) -> Bool {
    state.withLock { $0.written == 0 }
  }

  func identify(_ version: FileVersion, origin: [String]) throws(SystemError) {}

  func checkpoint() throws(SystemError) {}
}
