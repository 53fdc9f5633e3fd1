package import SystemIO

/// How a worker was lost, and so what its page is told; pure.
package struct WorkerLoss: Sendable, Equatable {
  /// The limit for which the parent ended it, if that was so.
  package var excess: PageWatch.Excess?
  /// What it said that no worker says.
  package var violation: WireViolation?
  /// How the process ended.
  package var ending: ChildProcess.Ending
  /// Its peak resident bytes.
  package var peakMemory: UInt64
  /// The beginning of what it wrote to its standard error.
  package var messages: String
  /// Whether the document's file is no longer what it was.
  package var documentChanged: Bool

  package init(
    excess: PageWatch.Excess?, violation: WireViolation?, ending: ChildProcess.Ending,
    peakMemory: UInt64, messages: String, documentChanged: Bool
  ) {
    self.excess = excess
    self.violation = violation
    self.ending = ending
    self.peakMemory = peakMemory
    self.messages = messages
    self.documentChanged = documentChanged
  }

  /// The error of the page (or of opening the document) that it was at.
  ///
  /// - Parameters:
  ///   - page: The page, or `nil` while the document was opened.
  ///   - settings: The limits that held.
  /// - Returns: An error with the code, the page and the cause.
  package func error(page: Int?, settings: IsolationSettings) -> PDFError {
    if documentChanged { return .documentChanged(page: page) }
    if let violation { return .workerLied(page: page, violation: violation) }
    switch excess {
    case .time: return .timedOut(page: page, limit: settings.pageTime)
    case .processorTime: return .processorTime(page: page, limit: settings.processorTime)
    case .messages: return .tooManyMessages(page: page, limit: settings.messages)
    case .cancelled, nil: break
    }
    if isOutOfMemory(settings) { return .workerMemory(page: page, limit: settings.memory) }
    switch ending {
    case .signalled(24): return .processorTime(page: page, limit: settings.processorTime)
    case .signalled(31): return .forbiddenCall(page: page)
    default: return .crashed(page: page, how: ending, messages: messages)
    }
  }

  /// Allocators of C++, glib and poppler say so and abort; others are told by what the process had.
  private func isOutOfMemory(_ settings: IsolationSettings) -> Bool {
    let phrases = ["ut of memory", "bad_alloc", "failed to allocate", "annot allocate"]
    if phrases.contains(where: messages.contains) { return true }
    guard case .signalled(let signal) = ending, [6, 11].contains(signal) else { return false }
    return peakMemory > settings.memory / 10 * 8
  }
}
