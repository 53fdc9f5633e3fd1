/// All wording of this module's errors.
extension PDFError: CustomStringConvertible {
  /// The error in one line: document, page, message and cause.
  public var description: String {
    var text = ""
    if let document { text += "\(document): " }
    if let page { text += "page \(page + 1): " }
    text += message
    if let cause { text += " (\(cause))" }
    return text
  }

  static func unreadable(cause: String) -> PDFError {
    PDFError(code: .unreadable, message: "expected a readable file", cause: cause)
  }

  static func directory() -> PDFError {
    PDFError(code: .unreadable, message: "expected a file, found a directory")
  }

  static func notRegular() -> PDFError {
    PDFError(code: .unreadable, message: "expected a file, found a device, pipe or socket")
  }

  static func empty() -> PDFError {
    PDFError(code: .notAPDF, message: "expected a PDF document, found an empty file")
  }

  static func tooManyBytes(_ count: UInt64, limit: UInt64) -> PDFError {
    PDFError(
      code: .limitExceeded, message: "expected at most \(limit) bytes, found \(count)")
  }

  static func changed(expected: UInt64, found: UInt64) -> PDFError {
    PDFError(
      code: .unreadable,
      message: "expected \(expected) bytes, found \(found): the file changed while it was read")
  }

  static func notAPDF() -> PDFError {
    PDFError(
      code: .notAPDF,
      message: "expected a PDF document, found no %PDF- header in the first 1024 bytes")
  }

  static func damaged(cause: String) -> PDFError {
    PDFError(
      code: .damaged, message: "expected a PDF document, found one too damaged to open",
      cause: cause)
  }

  static func passwordNeeded() -> PDFError {
    PDFError(
      code: .passwordNeeded, message: "expected a password, found none: the document is encrypted")
  }

  static func passwordWrong() -> PDFError {
    PDFError(
      code: .passwordWrong, message: "expected the document's password, found one that differs")
  }

  static func unsupportedEncryption(cause: String) -> PDFError {
    PDFError(
      code: .unsupportedEncryption,
      message: "expected the standard security handler, found another encryption", cause: cause)
  }

  static func noPages() -> PDFError {
    PDFError(code: .noPages, message: "expected at least one page, found none")
  }

  static func pageOutOfRange(_ page: Int, count: Int) -> PDFError {
    PDFError(
      code: .pageOutOfRange,
      message: "expected a page from 1 to \(count), found \(page + 1)")
  }

  static func pageMissing(_ page: Int) -> PDFError {
    PDFError(
      code: .pageMissing, message: "expected a page object, found none: the page tree counts more",
      page: page)
  }

  static func noThumbnail(_ page: Int) -> PDFError {
    PDFError(
      code: .noThumbnail, message: "expected a thumbnail in the document, found none of use",
      page: page)
  }

  static func pageTooLarge(_ page: Int?, pixels: UInt64, limit: UInt64) -> PDFError {
    PDFError(
      code: .pageTooLarge, message: "expected at most \(limit) pixels, found \(pixels)",
      page: page)
  }

  static func outOfMemory(_ page: Int, bytes: Int) -> PDFError {
    PDFError(
      code: .outOfMemory, message: "expected \(bytes) bytes of memory for the picture, found none",
      page: page)
  }

  static func notWritten(_ path: String, cause: String) -> PDFError {
    PDFError(
      code: .writeFailed, message: "expected to write the file '\(path)'", cause: cause)
  }

  static func boxesUnknown(_ box: PageBox) -> PDFError {
    PDFError(
      code: .renderFailed,
      message: "expected \(box.rawValue) boxes, found a structure that cannot be written anew")
  }

  static func renderFailed(_ page: Int, cause: String) -> PDFError {
    PDFError(
      code: .renderFailed, message: "expected a drawn page, found the renderer in an error state",
      page: page, cause: cause)
  }

  static func encodeFailed(_ format: String, cause: String) -> PDFError {
    PDFError(
      code: .encodeFailed, message: "expected an encoded \(format) picture, found none",
      cause: cause)
  }
}
