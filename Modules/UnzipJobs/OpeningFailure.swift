internal import InfoZipForms
internal import SystemIO
internal import ZipKitCore

/// Why an archive cannot be opened, as it is told.
struct OpeningFailure {
  let message: String
  let status: UnzipStatus

  /// Judges an error; nil for one that is not about the archive, such as a cancellation.
  init?(_ error: any Error) {
    switch error {
    case let error as ZipError: (message, status) = (error.message, UnzipStatus(error.code))
    case let error as SystemError:
      message = "expected an archive to read, found \"\(error.reason)\""
      status = .noArchive
    default: return nil
    }
  }
}
