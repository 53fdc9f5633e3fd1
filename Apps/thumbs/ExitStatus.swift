import CommandLineSupport
import PdfThumbCore

extension ExitStatus {
  /// Some pages are missing.
  static let incomplete = ExitStatus(1)
  /// Not a PDF, or unreadable.
  static let unreadable = ExitStatus(3)
  /// A password is needed or wrong.
  static let locked = ExitStatus(4)
  /// No page was rendered.
  static let nothing = ExitStatus(5)

  /// The status for a document that did not open.
  init(opening error: PDFError) {
    switch error.code {
    case .passwordNeeded, .passwordWrong: self = .locked
    case .noPages, .crashed, .timedOut, .limitExceeded, .isolationUnavailable: self = .nothing
    default: self = .unreadable
    }
  }
}
