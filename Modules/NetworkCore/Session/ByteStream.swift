/// The body of a response as it comes, in chunks of a few KiB.
///
/// The server is held back while the reader is busy: at most about 1 MiB waits in memory, except that a
/// local file (`file:`) is read at once. Leaving the loop early ends the transfer. One reader only.
public struct ByteStream: AsyncSequence, Sendable {
  /// Bytes in the order of the file; never empty.
  public typealias Element = [UInt8]

  /// The head of the response.
  public let head: ResponseHead
  /// Where the response came from in the end, without secrets.
  public let url: String
  private let source: Source

  init(head: ResponseHead, url: String, source: Source) {
    self.head = head
    self.url = url
    self.source = source
  }

  /// The size that the head announces, or `nil`.
  public var length: UInt64? {
    guard case .length(let length)? = try? ResponseFraming(head) else { return nil }
    return length
  }

  /// Makes the one reader.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Reads chunk after chunk.
  public struct Iterator: AsyncIteratorProtocol {
    let source: Source

    /// The next chunk, or `nil` at the end of a body that came whole.
    ///
    /// - Throws: ``NetworkError`` when it did not, `CancellationError` when the task was cancelled.
    public mutating func next() async throws -> [UInt8]? { try await source.next() }
  }

  /// Ends the transfer when nobody reads any more.
  final class Source: Sendable {
    private let receiver: StreamReceiver
    private let settings: TransferSettings
    private let url: String
    private let isHeadless: Bool

    init(_ receiver: StreamReceiver, url: String, settings: TransferSettings) {
      self.receiver = receiver
      self.url = url
      self.settings = settings
      isHeadless = !url.lowercased().hasPrefix("http")
    }

    deinit { receiver.cancel() }

    func next() async throws -> [UInt8]? {
      try Task.checkCancellation()
      switch await receiver.next() {
      case .chunk(let bytes): return bytes
      case .ended(let outcome):
        try Task.checkCancellation()
        if let error = failure(await outcome.asked(url)) {
          throw error.during(url: url, byteOffset: receiver.received)
        }
        return nil
      }
    }

    private func failure(_ outcome: TransferOutcome) -> NetworkError? {
      var evidence = TransferEvidence(outcome.curlCode)
      evidence.fill(from: outcome, url: url, settings: settings)
      evidence.localProblem = outcome.problem(settings)
      if evidence.localProblem == nil, outcome.curlCode == .ok, !outcome.isHeadComplete, !isHeadless
      {
        evidence.localProblem = .headerIncomplete
      }
      return evidence.error()
    }
  }
}
