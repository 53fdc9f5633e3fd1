internal import Synchronization
internal import SystemIO

/// Workers for any number of documents.
///
/// Each worker process reads one document; a lane that is done with a document has a new one at
/// hand for the next. All members may be used from any thread; no call blocks the caller's thread.
public final class WorkerPool: Sendable {
  let board = WorkBoard()
  let settings: IsolationSettings

  /// Starts lanes for worker processes; the processes start when there is work.
  ///
  /// - Throws: ``PDFError/Code/isolationUnavailable`` when this program has not called
  ///   ``ThumbnailWorker/runIfRequested()`` and is to be started again, or threads cannot be had.
  public init(_ settings: IsolationSettings = IsolationSettings()) throws(PDFError) {
    self.settings = settings
    let origin = try settings.program.origin()
    do throws(SystemError) {
      for _ in 0..<settings.workers {
        let wake = try WorkBoard.Wake()
        board.register(wake)
        _ = try OwnedThread(named: "pdf-lane") { [board] in
          IsolatedLane(board, wake, settings: settings, origin: origin).run()
        }
      }
    } catch {
      board.close()
      throw .workerNotStarted(cause: error.description)
    }
  }

  deinit { board.close() }

  /// Opens a document.
  ///
  /// - Parameters:
  ///   - source: Where the bytes come from; a file is read by the workers as it is needed.
  ///   - password: The user's or the owner's password, when one is needed.
  /// - Returns: The open document.
  /// - Throws: ``PDFError``, `CancellationError`.
  public func open(
    _ source: PDFSource, password: String? = nil
  ) async throws -> ThumbnailDocument {
    let file = try await OwnedThread.run(named: "pdf-open") {
      try DocumentFile(source, password: password)
    }
    do {
      guard case .opened(let opened) = try await run(.open, file) else { throw PDFError.closed() }
      return ThumbnailDocument(engine: ProcessEngine(self, file, opened))
    } catch {
      board.remove(file)
      throw error
    }
  }

  /// Puts a job on the board and waits for it.
  func run(_ order: WorkJob.Order, _ file: DocumentFile) async throws -> WorkJob.Answer {
    try Task.checkCancellation()
    let current = Mutex<WorkJob?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let job = WorkJob(file, order) { continuation.resume(with: $0) }
        current.withLock { $0 = job }
        if Task.isCancelled { job.cancel() } else { board.add(job) }
      }
    } onCancel: {
      guard let job = current.withLock({ $0 }) else { return }
      job.cancel()
      board.wakeAll()
    }
  }
}
