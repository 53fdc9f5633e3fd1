internal import Synchronization
package import SystemIO

/// Reads the bytes of one entry ahead of its decoder, and decrypts them, on a thread of its own.
package final class EntryFeed: Sendable {
  /// Bytes in a buffer.
  package static let pieceSize = 1 << 20
  /// Buffers in use at a time.
  private static let count = 3

  private let ring = BufferRing(count: EntryFeed.count)
  private let source: any ArchiveSource
  private let range: Range<UInt64>
  // Safety: from the start of the thread until it is joined, only that thread uses the cipher.
  private nonisolated(unsafe) let cipher: (any EntryCipher)?
  private let thread: Mutex<OwnedThread?> = Mutex(nil)

  /// Begins to read; the cipher is the feed's until ``stop()`` returns.
  package init(
    _ source: any ArchiveSource, _ range: Range<UInt64>, _ cipher: (any EntryCipher)?
  ) throws(SystemError) {
    self.source = source
    self.range = range
    unsafe self.cipher = cipher
    let made = try OwnedThread(named: "zip-feed") { [self] in read() }
    thread.withLock { $0 = made }
  }

  /// Exchanges a buffer that is used up for the next one, whose length is returned; 0 behind the last.
  package func exchange(_ buffer: inout [UInt8]) throws(ZipError) -> Int {
    if !buffer.isEmpty { ring.putEmpty(buffer) }
    buffer = []
    guard let next = try ring.takeFull() else { return 0 }
    buffer = next.bytes
    return next.count
  }

  /// Ends the thread, however far it is.
  package func stop() {
    ring.end()
    thread.withLock { $0.take() }?.join()
  }

  private func read() {
    var offset = range.lowerBound
    do throws(ZipError) {
      while offset < range.upperBound, var buffer = ring.takeEmpty() {
        let count = Int(min(range.upperBound - offset, UInt64(Self.pieceSize)))
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.pieceSize) }
        guard try source.fill(&buffer, count: count, at: offset) == count else {
          throw .dataTruncated(at: offset)
        }
        if let cipher = unsafe cipher {
          unsafe buffer.withUnsafeMutableBytes { all in
            // Safety: the span lives inside this closure, over memory the array holds.
            var part = unsafe UnsafeMutableRawBufferPointer(rebasing: all[..<count]).mutableBytes
            cipher.decrypt(&part)
          }
        }
        offset += UInt64(count)
        ring.putFull(buffer, count: count)
      }
      ring.end()
    } catch {
      ring.end(error)
    }
  }
}
