internal import SystemIO
internal import Synchronization

/// One large entry on two threads: the caller's decodes, another checks and writes.
///
/// Four buffers go round between them; that is the memory it takes.
final class EntryPipeline: Sendable {
  private struct State {
    var full: [(bytes: [UInt8], count: Int)] = []
    var empty: [[UInt8]] = []
    var isDone = false
    var crc: UInt32 = 0
    var failure: ZipError?
  }

  private let state = Mutex(State())
  private let signal = ThreadSignal()
  private let checksum: DecoderRegistry.Checksum
  // Only the writing thread touches it until it is joined.
  private let sink: Mutex<FileSink>

  init(_ checksum: @escaping DecoderRegistry.Checksum, _ sink: sending FileSink) throws {
    self.checksum = checksum
    self.sink = Mutex(sink)
    state.withLock { $0.empty = (0..<3).map { _ in [] } }
  }

  /// Decodes the entry that the reader has begun; returns the content's CRC-32.
  func run(_ reader: EntryReader) throws -> UInt32 {
    let writer = try OwnedThread(named: "zip-write") { [self] in consume() }
    var decoding: ZipError?
    do {
      while var buffer = emptyBuffer(), let range = try reader.nextChunk() {
        reader.exchangeOutput(&buffer)
        let full = (buffer, range.count)
        state.withLock { $0.full.append(full) }
        signal.notify()
      }
    } catch {
      decoding = error
    }
    state.withLock { $0.isDone = true }
    signal.notify()
    writer.join()
    if let decoding { throw decoding }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.crc
    }
  }

  private func emptyBuffer() -> [UInt8]? {
    signal.wait(until: {
      state.withLock { state -> [UInt8]?? in
        if state.failure != nil { return .some(nil) }
        return state.empty.popLast().map { .some($0) }
      }
    })
  }

  private func consume() {
    while let (bytes, count) = nextFull() {
      let crc = checksum(state.withLock { $0.crc }, unsafe bytes.span.bytes.extracting(0..<count))
      var failure: ZipError?
      sink.withLock { sink in
        do throws(ZipError) {
          try sink.write(unsafe bytes.span.bytes.extracting(0..<count))
        } catch {
          failure = error
        }
      }
      state.withLock { state in
        state.crc = crc
        state.failure = failure
        state.empty.append(bytes)
      }
      signal.notify()
      if failure != nil { return }
    }
  }

  private func nextFull() -> (bytes: [UInt8], count: Int)? {
    signal.wait(until: {
      state.withLock { state -> (bytes: [UInt8], count: Int)?? in
        if !state.full.isEmpty { return .some(state.full.removeFirst()) }
        return state.isDone ? .some(nil) : nil
      }
    })
  }
}
