internal import Dialogue
internal import PdfThumbCore

/// What programs are told of pages: a record each, or one for a document that did not open.
enum PageRecord {
  static func drawn(
    _ outcome: ThumbnailOutcome, _ thumbnail: Thumbnail, document: String, path: String?,
    confinement: JSONValue
  ) -> JSONValue {
    .object([
      .init("document", .string(document)), .init("file", .init(path)),
      .init("page", .init(outcome.page + 1)), .init("label", .string(thumbnail.page.label)),
      .init("width", .init(thumbnail.picture.size.width)),
      .init("height", .init(thumbnail.picture.size.height)),
      .init("ms", .double(outcome.duration.milliseconds)),
      .init("source", .string("\(thumbnail.report.source)")),
      .init("blank", .bool(thumbnail.report.isBlank)),
      .init("flaws", .init(thumbnail.report.flaws)),
      .init("repaired", .bool(thumbnail.report.isRepaired)),
      .init("missingFonts", .bool(thumbnail.report.lacksFonts)),
      .init("confinement", confinement), .init("error", .null),
    ])
  }

  static func failed(_ error: PDFError, document: String, page: Int?) -> JSONValue {
    .object([
      .init("document", .string(document)), .init("file", .null),
      .init("page", page.map { .init($0 + 1) } ?? .null),
      .init(
        "error",
        .object([
          .init("code", .string(error.code.description)), .init("message", .string(error.clause)),
        ])),
    ])
  }

  /// How those are confined who read documents: the system calls and files closed to them, and what the kernel lacks
  /// for more.
  ///
  /// - Parameter isIsolated: Whether workers read them.
  /// - Returns: An object, or `null` for documents that are read in this process, which is not confined at all.
  static func confinement(isIsolated: Bool) -> JSONValue {
    guard isIsolated else { return .null }
    let report = SandboxReport.offered
    return .object([
      .init("seccomp", .bool(report.hasSystemCallFilter)),
      .init("landlock", .init(report.landlockVersion)),
      .init("lacking", .array(report.lacking.map { .string($0) })),
    ])
  }

  /// The first page of a document in the desktop's cache.
  static func cached(_ path: String, document: String, isNew: Bool) -> JSONValue {
    [
      "document": .string(document), "file": .string(path), "page": 1,
      "source": .string(isNew ? "render" : "cache"), "error": .null,
    ]
  }
}

extension Duration {
  /// Thousandths of a second, to the microsecond.
  fileprivate var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000) / 1000
  }
}
