internal import PdfThumbCore

/// All wording of this module's errors.
extension RunFailure {
  static func opening(_ subject: String, _ error: PDFError) -> RunFailure {
    RunFailure(subject: subject, message: error.clause, outcome: .init(opening: error))
  }

  static func notLocal(_ subject: String) -> RunFailure {
    RunFailure(
      subject: subject, message: "expected a path or a file: URI of this machine",
      outcome: .unreadable)
  }

  static func noCache() -> RunFailure {
    RunFailure(
      subject: "thumbnail cache",
      message: "expected XDG_CACHE_HOME or HOME to name a directory", outcome: .misused)
  }

  static func noDataHome() -> RunFailure {
    RunFailure(
      subject: "thumbnailer", message: "expected XDG_DATA_HOME or HOME to name a directory",
      outcome: .misused)
  }

  static func notInstalled(_ path: String, _ error: PDFError) -> RunFailure {
    RunFailure(subject: path, message: error.clause, outcome: .incomplete)
  }

  static func unset(_ variable: String) -> RunFailure {
    RunFailure(
      subject: variable, message: "expected a password in this variable, found it unset",
      outcome: .misused)
  }

  static func noPassword(in file: String, reason: String) -> RunFailure {
    RunFailure(
      subject: file, message: "expected a file with a password: \(reason)", outcome: .misused)
  }
}

extension PDFError {
  /// Message and cause, without the document and page that the reader knows already.
  var clause: String { cause.map { "\(message) (\($0))" } ?? message }

  static func nameTaken(page: Int) -> PDFError {
    PDFError(
      code: .writeFailed,
      message: "expected a name of its own for each page, found one twice; use {page} and {name}",
      page: page)
  }
}
