import CommandLineSupport
import Dialogue
import PdfThumbCore
import ProgressReporting
import SystemIO

/// One document of a run: opened, drawn, written, told.
struct DocumentJob {
  /// What became of it.
  struct Result {
    var drawn = 0
    var missing = 0
    /// The status when it did not open.
    var opening: ExitStatus?
  }

  let context: CommandContext
  let settings: ThumbsSettings
  let file: String
  let password: String?
  let meter: WorkMeter
  /// The worker processes, or `nil` to draw in this one.
  let pool: WorkerPool?

  private var title: String { file == "-" ? "standard input" : file }

  func run(
    _ names: inout PictureNames, _ collection: inout PageCollection
  ) async throws -> Result {
    let document: ThumbnailDocument
    do {
      document = try await open()
    } catch let error as PDFError {
      report(error, page: nil)
      return Result(opening: ExitStatus(opening: error))
    }
    if settings.isInfo {
      try await DocumentInfo(document: document, title: title).print(on: context.console)
      return Result()
    }
    return try await draw(document, &names, &collection)
  }

  private func open() async throws -> ThumbnailDocument {
    let source = file == "-" ? PDFSource.descriptor(0, name: title) : .path(file)
    guard let pool else {
      return try await ThumbnailDocument.openInProcess(
        source, password: password, threads: settings.jobs ?? Environment.processorCount)
    }
    return try await pool.open(source, password: password)
  }

  private func draw(
    _ document: ThumbnailDocument, _ names: inout PictureNames, _ collection: inout PageCollection
  ) async throws -> Result {
    let pages = settings.pages.pages(of: document.pageCount)
    // A web page needs every page twice: small and to be read.
    let passes = settings.html == nil ? 1 : 2
    let part = meter.share().begin(title, total: UInt64(pages.count * passes), unit: .pages)
    defer { part.finish() }
    var result = Result()
    var doubts = Doubts()
    collection.begin(title)
    let writesPages = !collection.isWanted || settings.output != nil
    let thumbnails = document.thumbnails(
      of: pages, size: settings.size, renderer: PageRenderer(settings: settings.settings),
      encoder: writesPages || settings.html != nil
        ? PictureEncoder(format: settings.format, quality: settings.quality) : nil)
    for try await outcome in thumbnails {
      try context.cancellation.check()
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
      result.missing += try await drawViews(of: document, pages, part, &collection)
    }
    await tell(doubts, of: document)
    return result
  }

  /// What makes a picture doubtful though it was drawn.
  private struct Doubts {
    var isRepaired = false
    var lacksFonts = false
    var blanks: [(page: Int, flaws: Int)] = []

    mutating func note(_ thumbnail: Thumbnail) {
      let report = thumbnail.report
      isRepaired = isRepaired || report.isRepaired
      lacksFonts = lacksFonts || report.lacksFonts
      if report.isBlank, report.flaws > 0 { blanks.append((thumbnail.page.index, report.flaws)) }
    }
  }

  private func tell(_ doubts: Doubts, of document: ThumbnailDocument) async {
    if doubts.isRepaired {
      context.console.warning(
        title, "the document had to be repaired; parts may be missing")
    }
    if doubts.lacksFonts {
      let names = (try? await document.information())?.missingFonts ?? []
      let list = names.isEmpty ? "" : ": " + names.joined(separator: ", ")
      context.console.warning(title, "text may be missing, for want of fonts\(list)")
    }
    for (page, flaws) in doubts.blanks {
      context.console.warning(
        "\(title): page \(page + 1)", "the picture is blank, and the page has \(flaws) flaws")
    }
  }

  /// Draws the pages again, large enough to read.
  ///
  /// Returns how many could not be though their thumbnails are there; the others are told of already.
  private func drawViews(
    of document: ThumbnailDocument, _ pages: [Int], _ part: WorkMeter,
    _ collection: inout PageCollection
  ) async throws -> Int {
    var missing = 0
    let views = document.thumbnails(
      of: pages, size: .fit(width: 1200, height: 1600),
      renderer: PageRenderer(settings: settings.settings),
      encoder: PictureEncoder(format: .jpeg, quality: settings.quality))
    for try await outcome in views {
      try context.cancellation.check()
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
    guard let path = names.path(for: file, page: thumbnail.page) else {
      throw PDFError(
        code: .writeFailed,
        message: "expected a name of its own for each page, found one twice; use {page} and {name}",
        page: thumbnail.page.index)
    }
    try ResultFile.write(thumbnail.file, to: path)
    return path
  }

  private func tell(_ outcome: ThumbnailOutcome, _ thumbnail: Thumbnail, path: String?) {
    guard context.settings.isJSON else { return }
    context.console.printJSON(
      PageRecord.drawn(outcome, thumbnail, document: title, path: path))
  }

  private func report(_ error: PDFError, page: Int?) {
    if context.settings.isJSON {
      context.console.printJSON(PageRecord.failed(error, document: title, page: page))
    }
    let place = page.map { "\(title): page \($0 + 1)" } ?? title
    context.console.error(place, error.clause)
  }
}
