/// A page's picture, drawn and encoded.
public struct Thumbnail: Sendable {
  /// The bytes of a picture file; none when no encoder was given.
  public var file: [UInt8]
  /// The picture.
  public var picture: Picture
  /// What is known about the picture.
  public var report: DrawingReport
  /// The page.
  public var page: PageGeometry
}

/// What became of one page.
public struct ThumbnailOutcome: Sendable {
  /// The page, counted from 0.
  public var page: Int
  /// Its picture, or why there is none.
  public var result: Result<Thumbnail, PDFError>
  /// The time it took to draw and encode, waiting for a worker included.
  public var duration: Duration
}

/// The pictures of many pages, drawn several at a time and delivered in the order asked.
///
/// Twice as many pages as the document draws at a time are under way, and up to eight times as many where pictures are
/// small, so that nobody has to wait for one page that takes long; the rest wait until the caller has taken what is
/// ready, and memory does not grow with the number of pages. Leaving the loop cancels what is under way.
public struct ThumbnailSequence: AsyncSequence, Sendable {
  /// One outcome a page.
  public typealias Element = ThumbnailOutcome

  let document: ThumbnailDocument
  let pages: [Int]
  let size: ThumbnailSize
  let renderer: PageRenderer
  let encoder: PictureEncoder?

  /// Starts drawing.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// Delivers the pictures.
  public final class Iterator: AsyncIteratorProtocol {
    private let sequence: ThumbnailSequence
    private var next = 0
    private var pending: [Task<ThumbnailOutcome, any Error>] = []
    private var first = 0
    /// The bytes of the largest result so far.
    private var greatest: Int?

    /// The bytes that results may take which nobody has taken yet.
    private static let greatestBytes = 4 << 20

    init(sequence: ThumbnailSequence) {
      self.sequence = sequence
      sequence.document.expect(sequence.pages)
    }

    deinit { for task in pending[first...] { task.cancel() } }

    /// The next page's outcome, or `nil` behind the last page.
    ///
    /// - Returns: The outcome.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func next() async throws -> ThumbnailOutcome? {
      while next < sequence.pages.count, pending.count - first < ahead {
        let page = sequence.pages[next]
        pending.append(Task { [sequence] in try await sequence.outcome(of: page) })
        next += 1
      }
      guard first < pending.count else { return nil }
      let task = pending[first]
      first += 1
      if first > 64 {
        pending.removeFirst(first)
        first = 0
      }
      let outcome = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
      if case .success(let thumbnail) = outcome.result {
        greatest = Swift.max(greatest ?? 0, thumbnail.file.count + thumbnail.picture.pixels.count)
      }
      return outcome
    }

    /// The number of pages under way, or ready and not taken yet.
    private var ahead: Int {
      let capacity = sequence.document.capacity
      guard let greatest else { return 2 * capacity }
      return Swift.min(
        Swift.max(2 * capacity, Self.greatestBytes / Swift.max(1, greatest)), 8 * capacity)
    }
  }

  @concurrent
  func outcome(of page: Int) async throws -> ThumbnailOutcome {
    let start = ContinuousClock.now
    let result: Result<Thumbnail, PDFError>
    do {
      let drawn = try await document.draw(page, size: size, renderer: renderer)
      let file = try encoder?.encode(drawn.picture) ?? []
      result = .success(
        Thumbnail(
          file: file, picture: drawn.picture, report: drawn.report, page: drawn.page))
    } catch let error as PDFError {
      result = .failure(error)
    }
    return ThumbnailOutcome(page: page, result: result, duration: start.duration(to: .now))
  }
}
