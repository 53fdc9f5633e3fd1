internal import Synchronization
internal import SystemIO

/// One thing to be done with a document on a lane, and who waits for it.
final class WorkJob: Sendable {
  /// What is to be done.
  enum Order: Sendable {
    case open
    case draw(DrawOrder)
    case describe(first: Int, count: Int, withBoxes: Bool)
    case outline
    case information

    /// The page an error is about.
    var page: Int? {
      switch self {
      case .draw(let order): order.page
      case .describe(let first, let count, _): count == 1 ? first : nil
      default: nil
      }
    }
  }

  /// What came of it.
  enum Answer: Sendable {
    case opened(OpenedDocument)
    case drawn(DrawnPage)
    case described([Result<PageGeometry, PDFError>])
    case outline([OutlineEntry])
    case information(DocumentInformation)
  }

  typealias Completion = @Sendable (Result<Answer, any Error>) -> Void

  private struct State {
    var completion: Completion?
    var cancelledAt: Duration?
  }

  let file: DocumentFile
  let order: Order
  private let state: Mutex<State>

  init(_ file: DocumentFile, _ order: Order, completion: @escaping Completion) {
    self.file = file
    self.order = order
    state = Mutex(State(completion: completion))
  }

  /// Whether nobody waits any more.
  var isFinished: Bool { state.withLock { $0.completion == nil } }

  /// When it was cancelled, on the monotonic clock.
  var cancelledAt: Duration? { state.withLock { $0.cancelledAt } }

  /// Hands the result to whoever waits, once; runs what comes next on the calling thread.
  func finish(_ result: Result<Answer, PDFError>) {
    let completion = state.withLock { $0.completion.take() }
    completion?(result.mapError { $0.about(file.name) as any Error })
  }

  /// Tells whoever waits that it was cancelled; the work itself may go on for a moment.
  func cancel() {
    let completion = state.withLock { state -> Completion? in
      if state.completion != nil { state.cancelledAt = Environment.monotonicNow }
      return state.completion.take()
    }
    completion?(.failure(CancellationError()))
  }
}
