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
/// Twice as many pages as the document draws at a time are under way; the rest wait until the caller has taken
/// what is ready, so memory does not grow with the number of pages. Leaving the loop cancels what is under way.
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

    init(sequence: ThumbnailSequence) {
      self.sequence = sequence
      sequence.document.expect(pages: sequence.pages.count)
    }

    deinit { for task in pending[first...] { task.cancel() } }

    /// The next page's outcome, or `nil` behind the last page.
    ///
    /// - Returns: The outcome.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func next() async throws -> ThumbnailOutcome? {
      while next < sequence.pages.count, pending.count - first < 2 * sequence.document.capacity {
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
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
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
