import Synchronization
import SystemIO

/// Hashes a part on a thread of its own, following the bytes as they become contiguous.
///
/// It reads what was just written, which the kernel still has in memory, so that the file is hashed
/// when its last byte is there, whatever the order in which the ranges came. What an earlier run stored is read,
/// once, while new bytes arrive: libcrypto offers no way to keep the state of a digest for later.
final class PartHasher: Sendable {
  /// What a whole file was found to be.
  struct Findings: Sendable {
    var checksums: [Checksum] = []
    /// The pieces that do not match.
    var badPieces: [Int] = []
  }

  private struct State {
    /// The size of the whole file, once it is known that all of it is there.
    var total: UInt64?
    var isCancelled = false
    var result: Result<Findings, any Error>?
  }

  private let part: PartFile
  let algorithms: Set<DigestAlgorithm>
  private let pieces: PieceChecksums?
  private let state = Mutex(State())
  private let thread = Mutex<OwnedThread?>(nil)

  /// Starts the thread.
  init(
    _ part: PartFile, _ algorithms: Set<DigestAlgorithm>, _ pieces: PieceChecksums?
  ) throws(SystemError) {
    self.part = part
    self.pieces = pieces
    self.algorithms = algorithms
    let started = try OwnedThread(named: "fetch-hash") { [self] in
      let result = Result { try hash() }
      state.withLock { $0.result = result }
    }
    thread.withLock { $0 = started }
  }

  /// Waits for the digests of the whole file; blocks.
  func finish(total: UInt64) throws -> Findings {
    state.withLock { $0.total = total }
    thread.withLock { $0.take() }?.join()
    return try state.withLock { $0.result }?.get() ?? Findings()
  }

  /// Ends the thread without a result.
  func cancel() { state.withLock { $0.isCancelled = true } }

  private func hash() throws -> Findings {
    var generation = part.generation
    var digests = try DigestSet(algorithms)
    var pieces = pieces.map(PieceDigests.init)
    var position: UInt64 = 0
    var buffer = [UInt8](repeating: 0, count: 512 << 10)
    while true {
      let (total, isCancelled) = state.withLock { ($0.total, $0.isCancelled) }
      if isCancelled { throw CancellationError() }
      if part.generation != generation {
        (generation, position) = (part.generation, 0)
        digests = try DigestSet(algorithms)
        pieces = self.pieces.map(PieceDigests.init)
      }
      if let total, position >= total {
        return Findings(
          checksums: try digests.finish(), badPieces: try pieces?.finish() ?? [])
      }
      let reach = total ?? part.ranges.prefix
      guard position < reach else {
        OwnedThread.sleep(.milliseconds(10))
        continue
      }
      let wanted = Int(min(UInt64(buffer.count), reach - position))
      let count = try unsafe buffer.withUnsafeMutableBytes { bytes in
        let count = try unsafe part.read(
          into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(wanted)), at: position)
        let read = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
        unsafe digests.update(read)
        try unsafe pieces?.update(read)
        return count
      }
      // The part begins anew, which is looked at first.
      if count == 0, part.generation != generation { continue }
      guard count > 0 else { throw SystemError(errno: 5, call: "pread", path: part.path) }
      position += UInt64(count)
    }
  }
}
