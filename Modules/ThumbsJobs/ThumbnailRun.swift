package import Dialogue
internal import PdfThumbCore
internal import ProgressReporting
package import TerminalPictures

/// A run over documents: their pages drawn, written, gathered and told, whatever one of them is like.
///
/// A document or page that cannot be drawn is told of as an error, and the rest goes on. What is said goes to
/// a ``FrontEnd``, files to a ``ResultStore``. A cancelled run throws `CancellationError`; files that are
/// there then are whole.
package struct ThumbnailRun: Sendable {
  private let request: RunRequest
  private let front: any FrontEnd
  private let store: any ResultStore
  private let painter: TerminalPainter?

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - request: What is to become of the pages.
  ///   - front: Who hears of it.
  ///   - store: Where files go; the disk by default.
  ///   - painter: What shows pages in the terminal that `front` writes to, where that is wanted.
  package init(
    _ request: RunRequest, front: any FrontEnd, store: any ResultStore = DiskStore(),
    painter: TerminalPainter? = nil
  ) {
    self.request = request
    self.front = front
    self.store = store
    self.painter = painter
  }

  /// Runs over documents, one after the other.
  ///
  /// - Parameter documents: The documents, in order.
  /// - Returns: What became of all of them.
  /// - Throws: `PDFError` where no worker can be started, `CancellationError`, and what the front end's
  ///   `write` throws.
  package func run(_ documents: [RunDocument]) async throws -> RunOutcome {
    try await front.cancelling { try await gather(documents) }
  }

  private func gather(_ documents: [RunDocument]) async throws -> RunOutcome {
    let pool = request.isIsolated ? try WorkerPool(request.limits) : nil
    let confinement = PageRecord.confinement(isIsolated: pool != nil)
    let meter = WorkMeter(
      "Drawing", total: UInt64(documents.count), unit: .items, cancellation: front.cancellation)
    return try await front.withProgress(meter) {
      var names = PictureNames(output: request.output, format: request.format)
      let terminal = painter.map {
        TerminalPages(front: front, painter: $0, namesDocuments: documents.count > 1)
      }
      var collection = PageCollection(request, store: store, terminal: terminal)
      var tally = Tally()
      for document in documents {
        try meter.checkCancellation()
        let run = DocumentRun(
          request: request, document: document, front: front, store: store, meter: meter,
          pool: pool, confinement: confinement)
        tally.add(try await run.run(&names, &collection))
      }
      do throws(PDFError) {
        try collection.write()
      } catch {
        front.error(request.sheet ?? request.sprite ?? request.html ?? "", error.clause)
        tally.loseResult()
      }
      meter.finish()
      return tally.outcome
    }
  }
}

extension FrontEnd {
  /// Does work in a task that the front end's switch cancels, so that whatever waits for a page hears of it.
  func cancelling<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    let registration = cancellation.onCancel { task.cancel() }
    defer { registration.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
