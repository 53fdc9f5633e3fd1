internal import PdfThumbCore

/// What became of a run.
package enum RunOutcome: Sendable, Equatable, CaseIterable {
  /// All pages are there.
  case complete
  /// Some pages are missing.
  case incomplete
  /// Something that was named for the run is not there.
  case misused
  /// The documents are no PDF, or unreadable.
  case unreadable
  /// A password is needed or wrong.
  case locked
  /// No page was drawn.
  case nothing

  /// The outcome for a document that did not open.
  init(opening error: PDFError) {
    switch error.code {
    case .passwordNeeded, .passwordWrong: self = .locked
    case .noPages, .crashed, .timedOut, .limitExceeded, .isolationUnavailable: self = .nothing
    default: self = .unreadable
    }
  }
}

/// What became of one document.
struct DocumentResult {
  var drawn = 0
  var missing = 0
  /// The outcome when it did not open.
  var opening: RunOutcome?
}

/// What became of all documents together.
struct Tally {
  private var drawn = 0
  private var missing = 0
  private var openings: [RunOutcome] = []

  mutating func add(_ result: DocumentResult) {
    drawn += result.drawn
    missing += result.missing
    if let opening = result.opening { openings.append(opening) }
  }

  /// A sheet, strip or web page could not be written.
  mutating func loseResult() { missing += 1 }

  /// Documents that did not open decide where nothing else went right.
  var outcome: RunOutcome {
    if missing == 0, openings.isEmpty { return .complete }
    if drawn > 0 { return .incomplete }
    guard let first = openings.first else { return .nothing }
    return openings.allSatisfy { $0 == first } && missing == 0 ? first : .nothing
  }
}
