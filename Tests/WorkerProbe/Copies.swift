import PdfThumbCore
import SystemIO

/// Holds pages drawn from a document's expanded copy against the same pages drawn from the document itself.
///
/// Documents may be hostile, so every step is said before it is taken: who reads along knows what ended this process.
enum Copies {
  /// Draws the pages from `first` on, both ways, by the renderer and with shortcuts, and prints a line a page:
  /// `page N original`, then `copy`, then `equal`, `differs` or the code of an error; at last `end`.
  static func compare(_ path: String, first: Int, last: Int?) {
    do {
      let plain = try PDFDocument(.path(path))
      let copied = try PDFDocument(.path(path))
      compare(plain, copied, first: first, last: last)
    } catch {
      say("does not open: \(error.code)")
    }
  }

  private static func compare(
    _ plain: consuming PDFDocument, _ copied: consuming PDFDocument, first: Int, last: Int?
  ) {
    say("pages \(plain.pageCount)")
    say("preparing")
    var copy: [UInt8] = []
    _ = unsafe copied.expand { bytes in
      unsafe copy = Array(bytes)
      return true
    }
    guard !copy.isEmpty else {
      say("no copy")
      return
    }
    // Never freed, as the document demands.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: copy.count, alignment: 16)
    unsafe memory.copyBytes(from: copy)
    do {
      try unsafe copied.adopt(immortal: UnsafeRawBufferPointer(memory))
    } catch {
      say("copy refused \(error.code)")
      return
    }
    say("copy of \(copy.count)")
    for page in first..<min(plain.pageCount, last ?? .max) {
      hold(page, of: &copied, against: &plain)
    }
    say("end")
  }

  /// Draws a page of a copy and of the document, by shortcuts and by the renderer alone.
  private static func hold(
    _ page: Int, of copy: inout PDFDocument, against plain: inout PDFDocument
  ) {
    for shortcuts in [true, false] {
      let renderer = PageRenderer(settings: RenderSettings(takesShortcuts: shortcuts))
      say("page \(page + 1) original")
      let expected = drawn(page, &plain, renderer)
      say("page \(page + 1) copy")
      let found = drawn(page, &copy, renderer)
      say("page \(page + 1) \(verdict(expected, found))")
    }
  }

  /// Draws the pages from `first` on from copies that have four pages each, held against the document.
  ///
  /// Prints what ``compare(_:first:last:)`` prints, but for the pages that there is no such copy of.
  static func compareFew(_ path: String, first: Int, last: Int?) throws {
    var plain = try PDFDocument(.path(path))
    say("pages \(plain.pageCount)")
    say("copy of few")
    let end = min(plain.pageCount, last ?? .max)
    for start in stride(from: first, to: end, by: 4) {
      var narrow = try PDFDocument(.path(path))
      let pages = start..<min(start + 4, end)
      say("page \(start + 1) copy")
      narrow.narrow(to: pages)
      guard narrow.isNarrow else { continue }
      for page in pages {
        hold(page, of: &narrow, against: &plain)
        if !narrow.isNarrow { say("page \(page + 1) differs: the copy was left") }
      }
    }
    say("end")
  }

  private static func drawn(
    _ page: Int, _ document: inout PDFDocument, _ renderer: PageRenderer
  ) -> Result<(picture: Picture, report: DrawingReport), PDFError> {
    do throws(PDFError) {
      let geometry = try document.geometry(of: page)
      let size = try renderer.pixelSize(of: geometry, size: .height(80))
      return .success(try renderer.picture(of: page, in: &document, size: size))
    } catch {
      return .failure(error)
    }
  }

  private static func verdict(
    _ expected: Result<(picture: Picture, report: DrawingReport), PDFError>,
    _ found: Result<(picture: Picture, report: DrawingReport), PDFError>
  ) -> String {
    switch (expected, found) {
    case (.success(let expected), .success(let found)):
      guard expected.picture.size == found.picture.size else { return "differs in size" }
      let differences = zip(expected.picture.pixels, found.picture.pixels)
        .filter { $0 != $1 }.map { abs(Int($0) - Int($1)) }
      guard !differences.isEmpty else {
        return expected.report == found.report
          ? "equal" : "equal but for the report: \(expected.report), \(found.report)"
      }
      return "differs in \(differences.count) bytes by up to \(differences.max() ?? 0)"
    case (.failure(let expected), .failure(let found)) where expected.code == found.code:
      return "equal error \(expected.code)"
    case (.failure(let expected), _): return "differs: original \(expected.code)"
    case (_, .failure(let found)): return "differs: copy \(found.code)"
    }
  }

  private static func say(_ text: String) {
    try? FileDescriptor(borrowing: 1).write(Array((text + "\n").utf8))
  }
}
