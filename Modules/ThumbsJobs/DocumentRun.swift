internal import Dialogue
internal import PdfThumbCore
internal import ProgressReporting
internal import SystemIO

/// One document of a run: opened, drawn, written, told.
struct DocumentRun {
  let request: RunRequest
  let document: RunDocument
  let front: any FrontEnd
  let store: any ResultStore
  let meter: WorkMeter
  /// The worker processes, or `nil` to draw in this one.
  let pool: WorkerPool?
  /// How those are confined who read the document, as programs are told.
  let confinement: JSONValue

  private var title: String { document.title }

  func run(
    _ names: inout PictureNames, _ collection: inout PageCollection
  ) async throws -> DocumentResult {
    let opened: ThumbnailDocument
    do {
      opened = try await open()
    } catch let error as PDFError {
      report(error, page: nil)
      return DocumentResult(opening: RunOutcome(opening: error))
    }
    if request.isInformation {
      front.record(
        try await DocumentRecord.of(opened, title: title, confinement: confinement))
      return DocumentResult()
    }
    return try await draw(opened, &names, &collection)
  }

  private func open() async throws -> ThumbnailDocument {
    guard let pool else {
      return try await ThumbnailDocument.openInProcess(
        document.source, password: request.password,
        threads: request.jobs ?? Environment.processorCount)
    }
    return try await pool.open(document.source, password: request.password)
  }

  private func draw(
    _ opened: ThumbnailDocument, _ names: inout PictureNames, _ collection: inout PageCollection
  ) async throws -> DocumentResult {
    let pages = request.pages.pages(of: opened.pageCount)
    // A web page needs every page twice: small and to be read.
    let passes = request.html == nil ? 1 : 2
    let part = meter.share().begin(title, total: UInt64(pages.count * passes), unit: .pages)
    defer { part.finish() }
    var result = DocumentResult()
    var doubts = Doubts()
    collection.begin(title)
    let writesPages = !collection.isWanted || request.output != nil
    let thumbnails = opened.thumbnails(
      of: pages, size: request.size, renderer: request.renderer,
      encoder: writesPages || request.html != nil
        ? PictureEncoder(format: request.format, quality: request.quality) : nil)
    for try await outcome in thumbnails {
      try meter.checkCancellation()
      var shown: Thumbnail?
      do throws(PDFError) {
        let thumbnail = try outcome.result.get()
        let path = writesPages ? try write(thumbnail, &names) : nil
        try collection.add(thumbnail)
        result.drawn += 1
        tell(outcome, thumbnail, path: path)
        doubts.note(thumbnail)
        shown = thumbnail
      } catch {
        collection.addMissing(outcome.page)
        result.missing += 1
        report(error, page: outcome.page)
      }
      if let shown { try collection.show(shown) }
      part.advance(by: 1)
    }
    try collection.end()
    if passes == 2 {
      result.missing += try await drawViews(of: opened, pages, part, &collection)
    }
    await doubts.tell(front, title: title, of: opened)
    return result
  }

  /// Draws the pages again, large enough to read.
  ///
  /// Returns how many could not be though their thumbnails are there; the others are told of already.
  private func drawViews(
    of opened: ThumbnailDocument, _ pages: [Int], _ part: WorkMeter,
    _ collection: inout PageCollection
  ) async throws -> Int {
    var missing = 0
    let views = opened.thumbnails(
      of: pages, size: .fit(width: 1200, height: 1600), renderer: request.renderer,
      encoder: PictureEncoder(format: .jpeg, quality: request.quality))
    for try await outcome in views {
      try meter.checkCancellation()
      do throws(PDFError) {
        try collection.addView(try outcome.result.get())
      } catch {
        if collection.hasThumbnail(of: outcome.page) {
          missing += 1
          report(error, page: outcome.page)
        }
      }
      part.advance(by: 1)
    }
    return missing
  }

  private func write(
    _ thumbnail: Thumbnail, _ names: inout PictureNames
  ) throws(PDFError) -> String {
    guard let path = names.path(for: document.file, page: thumbnail.page) else {
      throw .nameTaken(page: thumbnail.page.index)
    }
    try store.write(thumbnail.file, to: path)
    return path
  }

  private func tell(_ outcome: ThumbnailOutcome, _ thumbnail: Thumbnail, path: String?) {
    guard request.tellsRecords else { return }
    front.record(
      PageRecord.drawn(
        outcome, thumbnail, document: title, path: path, confinement: confinement))
  }

  private func report(_ error: PDFError, page: Int?) {
    if request.tellsRecords {
      front.record(PageRecord.failed(error, document: title, page: page))
    }
    front.error(page.map { "\(title): page \($0 + 1)" } ?? title, error.clause)
  }
}

/// What makes pictures doubtful though they were drawn.
private struct Doubts {
  private var isRepaired = false
  private var lacksFonts = false
  private var blanks: [(page: Int, flaws: Int)] = []

  mutating func note(_ thumbnail: Thumbnail) {
    let report = thumbnail.report
    isRepaired = isRepaired || report.isRepaired
    lacksFonts = lacksFonts || report.lacksFonts
    if report.isBlank, report.flaws > 0 { blanks.append((thumbnail.page.index, report.flaws)) }
  }

  func tell(_ front: any FrontEnd, title: String, of document: ThumbnailDocument) async {
    if isRepaired {
      front.warning(title, "the document had to be repaired; parts may be missing")
    }
    if lacksFonts {
      let names = (try? await document.information())?.missingFonts ?? []
      let list = names.isEmpty ? "" : ": " + names.joined(separator: ", ")
      front.warning(title, "text may be missing, for want of fonts\(list)")
    }
    for (page, flaws) in blanks {
      front.warning(
        "\(title): page \(page + 1)", "the picture is blank, and the page has \(flaws) flaws")
    }
  }
}
