/// What went wrong with a document or with one of its pages.
public struct PDFError: Error, Sendable, Equatable {
  /// The kind of trouble; the set may grow.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String, Sendable {
      case unreadable, notAPDF, damaged, passwordNeeded, passwordWrong, unsupportedEncryption
      case noPages, pageOutOfRange, pageMissing, pageTooLarge, outOfMemory, renderFailed
      case noThumbnail
      case crashed, timedOut, limitExceeded, encodeFailed, writeFailed, isolationUnavailable
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The file cannot be opened or read.
    public static let unreadable = Code(.unreadable)
    /// The bytes are no PDF document.
    public static let notAPDF = Code(.notAPDF)
    /// The bytes are a PDF document too damaged to open.
    public static let damaged = Code(.damaged)
    /// The document is encrypted and no password was given.
    public static let passwordNeeded = Code(.passwordNeeded)
    /// The document is encrypted and the password given does not open it.
    public static let passwordWrong = Code(.passwordWrong)
    /// The document is encrypted in a way poppler does not know.
    public static let unsupportedEncryption = Code(.unsupportedEncryption)
    /// The document opens, and has no page.
    public static let noPages = Code(.noPages)
    /// The page asked for lies outside the document.
    public static let pageOutOfRange = Code(.pageOutOfRange)
    /// The document counts this page, but its object is missing or is no page.
    public static let pageMissing = Code(.pageMissing)
    /// The picture asked for has more pixels than the limit allows.
    public static let pageTooLarge = Code(.pageTooLarge)
    /// Memory for the picture could not be had.
    public static let outOfMemory = Code(.outOfMemory)
    /// The renderer gave up on the page.
    public static let renderFailed = Code(.renderFailed)
    /// The page carries no thumbnail that could stand for the picture asked for.
    public static let noThumbnail = Code(.noThumbnail)
    /// The worker process that drew the page died.
    public static let crashed = Code(.crashed)
    /// The page took longer than its limit.
    public static let timedOut = Code(.timedOut)
    /// The page needed more memory, processor time or messages than its limit.
    public static let limitExceeded = Code(.limitExceeded)
    /// The picture could not be encoded.
    public static let encodeFailed = Code(.encodeFailed)
    /// The picture could not be written.
    public static let writeFailed = Code(.writeFailed)
    /// A worker process could not be started or confined.
    public static let isolationUnavailable = Code(.isolationUnavailable)

    /// The name of the code, as in `--json` records.
    public var description: String { kind.rawValue }

    /// The code of that name, or `nil`; the inverse of ``description``.
    public init?(name: String) {
      guard let kind = Kind(rawValue: name) else { return nil }
      self.kind = kind
    }
  }

  /// The kind of trouble.
  public var code: Code
  /// A lower-case clause: what was expected and what was found.
  public var message: String
  /// The document it is about, as the caller named it.
  public var document: String?
  /// The page it is about, counted from 0.
  public var page: Int?
  /// The number or sentence of the layer below: an `errno`, a `PopplerError`, a `cairo_status_t`.
  public var cause: String?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of trouble.
  ///   - message: A lower-case clause that says what was expected and what was found.
  ///   - document: The document it is about.
  ///   - page: The page it is about, counted from 0.
  ///   - cause: What the layer below said.
  public init(
    code: Code, message: String, document: String? = nil, page: Int? = nil, cause: String? = nil
  ) {
    self.code = code
    self.message = message
    self.document = document
    self.page = page
    self.cause = cause
  }

  /// The same error with the document named, unless it is named already.
  package func about(_ document: String) -> PDFError {
    var copy = self
    if copy.document == nil { copy.document = document }
    return copy
  }
}
