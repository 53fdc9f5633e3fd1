import Synchronization
import SystemIO

/// Hashes a part on a thread of its own, following the bytes as they become contiguous.
///
/// It reads what was just written, which the kernel still has in memory, so that the file is hashed
/// when its last byte is there, whatever the order in which the ranges came.
final class PartHasher: Sendable {
  private struct State {
    /// The size of the whole file, once it is known that all of it is there.
    var total: UInt64?
    var isCancelled = false
    var result: Result<[Checksum], any Error>?
  }

  private let part: PartFile
  private let algorithms: Set<DigestAlgorithm>
  private let state = Mutex(State())
  private let thread = Mutex<OwnedThread?>(nil)

  /// Starts the thread.
  init(_ part: PartFile, _ algorithms: Set<DigestAlgorithm>) throws(SystemError) {
    self.part = part
    self.algorithms = algorithms
    let started = try OwnedThread(named: "fetch-hash") { [self] in
      let result = Result { try hash() }
      state.withLock { $0.result = result }
    }
    thread.withLock { $0 = started }
  }

  /// Waits for the digests of the whole file; blocks.
  func finish(total: UInt64) throws -> [Checksum] {
    state.withLock { $0.total = total }
    thread.withLock { $0.take() }?.join()
    return try state.withLock { $0.result }?.get() ?? []
  }

  /// Ends the thread without a result.
  func cancel() { state.withLock { $0.isCancelled = true } }

  private func hash() throws -> [Checksum] {
    var generation = part.generation
    var digests = try DigestSet(algorithms)
    var position: UInt64 = 0
    var buffer = [UInt8](repeating: 0, count: 512 << 10)
    while true {
      let (total, isCancelled) = state.withLock { ($0.total, $0.isCancelled) }
      if isCancelled { throw CancellationError() }
      if part.generation != generation {
        (generation, position) = (part.generation, 0)
        digests = try DigestSet(algorithms)
      }
      if let total, position >= total { return try digests.finish() }
      let reach = total ?? part.ranges.prefix
      guard position < reach else {
        OwnedThread.sleep(.milliseconds(10))
        continue
      }
      let wanted = Int(min(UInt64(buffer.count), reach - position))
      let count = try unsafe buffer.withUnsafeMutableBytes { bytes in
        let count = try unsafe part.read(
          into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(wanted)), at: position)
        unsafe digests.update(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        return count
      }
      guard count > 0 else { throw SystemError(errno: 5, call: "pread", path: part.path) }
      position += UInt64(count)
    }
  }
}
