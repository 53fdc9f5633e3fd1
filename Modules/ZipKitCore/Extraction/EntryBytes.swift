internal import Synchronization

/// The content of one entry, a piece at a time.
///
/// Each piece is decoded when it is asked for, on a thread that may block. The end of the sequence means
/// that size and checksum were verified; what came before an error is worth nothing.
///
/// ```swift
/// for try await bytes in entry.bytes() { hash.update(bytes) }
/// ```
public struct EntryBytes: AsyncSequence, Sendable {
  /// A piece of content, at most 512 KiB.
  public typealias Element = [UInt8]

  let entry: ZipEntry
  let passwords: [[UInt8]]

  /// Starts decoding from the entry's beginning.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pull: Pull(entry, passwords))
  }

  /// A walk over an entry's content.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let pull: Pull

    /// The next piece; nil when the content is whole and verified.
    ///
    /// - Returns: A piece, or nil at the verified end.
    /// - Throws: ``ZipError`` of the entry; `CancellationError` when the task is cancelled.
    public mutating func next() async throws -> [UInt8]? {
      try Task.checkCancellation()
      return try await ZipThread.run(named: "zip-read") { [pull] in try pull.next() }
    }
  }

  fileprivate final class Pull: Sendable {
    private struct State {
      let reader: EntryReader
      var crc: UInt32 = 0
      var hasBegun = false
      var isDone = false
    }

    private let state: Mutex<State>
    private let entry: ZipEntry

    init(_ entry: ZipEntry, _ passwords: [[UInt8]]) {
      self.entry = entry
      let reader = EntryReader(entry.core)
      reader.passwords = passwords
      state = Mutex(State(reader: reader))
    }

    func next() throws -> [UInt8]? {
      try state.withLock { state in
        guard !state.isDone else { return nil }
        do {
          if !state.hasBegun { try state.reader.begin(entry.index, entry.header) }
          state.hasBegun = true
          guard let range = try state.reader.nextChunk() else {
            state.isDone = true
            try state.reader.finish(crc: state.crc, entry.header)
            return nil
          }
          let storage = state.reader.chunkStorage
          state.crc = entry.core.registry.checksum(
            state.crc, unsafe storage.span.bytes.extracting(range))
          return Array(storage[range])
        } catch {
          state.isDone = true
          throw error
        }
      }
    }
  }
}

extension ZipEntry {
  /// The content as an asynchronous sequence of pieces.
  ///
  /// - Parameter passwords: Tried in order, where the entry is encrypted.
  /// - Returns: A sequence that may be walked more than once, each time from the beginning.
  public func bytes(passwords: [[UInt8]] = []) -> EntryBytes {
    EntryBytes(entry: self, passwords: passwords)
  }
}
