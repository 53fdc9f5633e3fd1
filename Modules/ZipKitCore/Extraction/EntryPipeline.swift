internal import SystemIO
internal import Synchronization

/// One large entry on three threads: one reads and decrypts, the caller's decodes, another checks and writes.
///
/// Buffers go round between them; they are the memory it takes, 5 MiB.
final class EntryPipeline: Sendable {
  private static let count = 4
  /// Bytes of a buffer.
  ///
  /// A decoder that is called seldom copies less of its window, and wakes the others less. Larger writes than this
  /// make ext4 take pages of its cache that a virtual machine's host may have to find first, at twice the time.
  private static let pieceSize = 512 << 10

  private let ring = BufferRing(count: EntryPipeline.count - 1)
  private let checksum: DecoderRegistry.Checksum
  private let crc = Mutex<UInt32>(0)
  // Only the writing thread touches it until it is joined.
  private let sink: Mutex<FileSink>

  init(_ checksum: @escaping DecoderRegistry.Checksum, _ sink: sending FileSink) {
    self.checksum = checksum
    self.sink = Mutex(sink)
  }

  /// Decodes the entry that the reader has begun; returns the content's CRC-32.
  ///
  /// The reader is fed until ``EntryReader/stopFeeding()``, as what the decoder had no use for counts at the end.
  func run(_ reader: EntryReader) throws -> UInt32 {
    try reader.feedAhead()
    let writer = try OwnedThread(named: "zip-write") { [self] in consume() }
    var decoding: ZipError?
    do throws(ZipError) {
      while var buffer = ring.takeEmpty(), let range = try reader.nextChunk(Self.pieceSize) {
        reader.exchangeOutput(&buffer)
        ring.putFull(buffer, count: range.count)
      }
    } catch {
      decoding = error
    }
    ring.end()
    writer.join()
    if let decoding { throw decoding }
    if let failure = ring.failure { throw failure }
    return crc.withLock { $0 }
  }

  private func consume() {
    do throws(ZipError) {
      while let (bytes, count) = try ring.takeFull() {
        let part = unsafe bytes.span.bytes.extracting(0..<count)
        crc.withLock { $0 = checksum($0, part) }
        try sink.withLock { (sink) throws(ZipError) in try sink.write(part) }
        ring.putEmpty(bytes)
      }
    } catch {
      ring.end(error)
    }
  }
}
