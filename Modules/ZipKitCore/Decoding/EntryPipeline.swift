internal import SystemIO

/// One large entry on three threads: one reads and decrypts, one decodes, and the caller's takes the pieces.
///
/// Buffers go round between them; they are the memory it takes, 5 MiB.
final class EntryPipeline: Sendable {
  /// Above this size, several threads share the work on one entry.
  static let entrySize: UInt64 = 16 << 20
  private static let count = 4
  /// Bytes of a buffer.
  ///
  /// A decoder that is called seldom copies less of its window, and wakes the others less. Larger writes than this
  /// make ext4 take pages of its cache that a virtual machine's host may have to find first, at twice the time.
  private static let pieceSize = 512 << 10

  private let ring = BufferRing(count: EntryPipeline.count - 1)
  // Safety: from the start of the decoding thread until it is joined, only that thread uses the reader.
  private nonisolated(unsafe) let reader: EntryReader

  private init(_ reader: EntryReader) { unsafe self.reader = reader }

  /// Decodes the entry that the reader has begun; pieces are taken on the calling thread.
  ///
  /// The reader is fed until ``EntryReader/stopFeeding()``, as what the decoder had no use for counts at the end.
  /// - Returns: false when there is no thread to be had, and nothing was decoded.
  /// - Throws: What `sink` throws, or the decoder.
  static func run(
    _ reader: EntryReader, to sink: (RawSpan) throws(ZipError) -> Void
  ) throws(ZipError) -> Bool {
    // Without a thread ahead of it, the decoder reads by itself.
    try? reader.feedAhead()
    let pipeline = EntryPipeline(reader)
    guard let thread = try? OwnedThread(named: "zip-decode", { pipeline.decode() }) else {
      return false
    }
    defer { thread.join() }
    try pipeline.take(sink)
    return true
  }

  private func decode() {
    let reader = unsafe reader
    do throws(ZipError) {
      while var buffer = ring.takeEmpty(), let range = try reader.nextChunk(Self.pieceSize) {
        reader.exchangeOutput(&buffer)
        ring.putFull(buffer, count: range.count)
      }
      ring.end()
    } catch {
      ring.end(error)
    }
  }

  private func take(_ sink: (RawSpan) throws(ZipError) -> Void) throws(ZipError) {
    do throws(ZipError) {
      while let (bytes, count) = try ring.takeFull() {
        try sink(unsafe bytes.span.bytes.extracting(0..<count))
        ring.putEmpty(bytes)
      }
    } catch {
      ring.end()
      throw error
    }
  }
}
