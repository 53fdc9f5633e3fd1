/// Writes small PDF documents, byte by byte, sound or with a chosen lie.
package struct PDFBuilder: Sendable {
  /// One page: what it declares and what it draws.
  package struct Page: Sendable {
    package var mediaBox = "[0 0 200 300]"
    /// Entries of the page dictionary beyond type, parent, media box, contents and resources.
    package var extra = ""
    /// The content stream.
    package var content = ""
    /// Entries of the resource dictionary beyond the font `/F1` (Helvetica).
    package var resources = ""
    /// The number of a further object that is the content stream, in place of ``content``.
    package var contentObject: Int?

    package init(
      mediaBox: String = "[0 0 200 300]", extra: String = "", content: String = "",
      resources: String = "", contentObject: Int? = nil
    ) {
      self.contentObject = contentObject
      self.mediaBox = mediaBox
      self.extra = extra
      self.content = content
      self.resources = resources
    }

    /// A page filled with one colour, parts from 0 to 1, over its whole media box of `width`×`height`.
    package static func filled(
      _ color: String, width: Int = 200, height: Int = 300, extra: String = ""
    ) -> Page {
      Page(
        mediaBox: "[0 0 \(width) \(height)]", extra: extra,
        content: "\(color) rg 0 0 \(width) \(height) re f")
    }
  }

  /// What is wrong with the file, on purpose.
  package enum Flaw: Sendable {
    /// Nothing.
    case none
    /// The table of objects points to wrong places.
    case wrongOffsets
    /// The table of objects and the trailer are missing.
    case noTable
    /// The page tree names an object that does not exist for this page.
    case missingPage(Int)
    /// The page tree counts this many pages.
    case count(Int)
    /// This many bytes precede the header.
    case junkBefore(Int)
  }

  package var pages: [Page]
  package var flaw = Flaw.none
  /// The `/PageLabels` number tree's array, as `0 << /S /r >> 4 << /S /D >>`.
  package var labels: String?
  /// Titles and pages (from 0) of a flat outline.
  package var outline: [(title: String, page: Int)] = []
  /// The body of the page tree's root, in place of the true one.
  package var pageTree: String?
  /// Entries of the catalog.
  package var catalog = ""
  /// Further indirect objects by number (from 1000), each a whole body; streams by ``stream(_:_:)``.
  package var objects: [Int: [UInt8]] = [:]
  package var title: String?

  package init(pages: [Page]) { self.pages = pages }

  /// The body of a stream object.
  package static func stream(_ dictionary: String, _ data: [UInt8]) -> [UInt8] {
    Array("<< \(dictionary) /Length \(data.count) >>\nstream\n".utf8) + data
      + Array("\nendstream".utf8)
  }

  /// The whole file.
  package func build() -> [UInt8] {
    var writer = Writer()
    if case .junkBefore(let count) = flaw {
      writer.bytes = [UInt8](repeating: UInt8(ascii: "j"), count: count) + [10]
    }
    writer.text("%PDF-1.7\n%\u{e2}\u{e3}\n")
    writeCatalog(&writer)
    for (index, page) in pages.enumerated() { write(page, index, &writer) }
    for (index, entry) in outline.enumerated() { write(entry, index, &writer) }
    for (number, body) in objects.sorted(by: { $0.key < $1.key }) { writer.object(number, body) }
    if let title { writer.object(4, "<< /Title (\(title)) >>") }
    if case .noTable = flaw { return writer.bytes }
    writeTable(&writer)
    return writer.bytes
  }

  private static func pageNumber(_ index: Int) -> Int { 10 + index * 2 }
  private static func outlineNumber(_ index: Int) -> Int { 500_000 + index }

  private func writeCatalog(_ writer: inout Writer) {
    var entries = "/Type /Catalog /Pages 2 0 R \(catalog)"
    if let labels { entries += " /PageLabels << /Nums [\(labels)] >>" }
    if !outline.isEmpty { entries += " /Outlines 5 0 R" }
    writer.object(1, "<< \(entries) >>")
    var count = pages.count
    if case .count(let lie) = flaw { count = lie }
    let kids = pages.indices.map { index -> String in
      if case .missingPage(index) = flaw { return "999999 0 R" }
      return "\(Self.pageNumber(index)) 0 R"
    }
    writer.object(
      2, pageTree ?? "<< /Type /Pages /Count \(count) /Kids [\(kids.joined(separator: " "))] >>")
    writer.object(3, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    if let last = outline.indices.last {
      writer.object(
        5,
        "<< /Type /Outlines /Count \(outline.count) /First \(Self.outlineNumber(0)) 0 R "
          + "/Last \(Self.outlineNumber(last)) 0 R >>")
    }
  }

  private func write(_ page: Page, _ index: Int, _ writer: inout Writer) {
    let number = Self.pageNumber(index)
    writer.object(
      number,
      "<< /Type /Page /Parent 2 0 R /MediaBox \(page.mediaBox) "
        + "/Contents \(page.contentObject ?? number + 1) 0 R "
        + "/Resources << /Font << /F1 3 0 R >> \(page.resources) >> \(page.extra) >>")
    guard page.contentObject == nil else { return }
    writer.object(number + 1, Self.stream("", Array(page.content.utf8)))
  }

  private func write(_ entry: (title: String, page: Int), _ index: Int, _ writer: inout Writer) {
    var text = "<< /Title (\(entry.title)) /Parent 5 0 R "
    if index > 0 { text += "/Prev \(Self.outlineNumber(index - 1)) 0 R " }
    if index + 1 < outline.count { text += "/Next \(Self.outlineNumber(index + 1)) 0 R " }
    writer.object(
      Self.outlineNumber(index), text + "/Dest [\(Self.pageNumber(entry.page)) 0 R /Fit] >>")
  }

  private func writeTable(_ writer: inout Writer) {
    let start = writer.bytes.count
    var shift = 0
    if case .wrongOffsets = flaw { shift = 13 }
    writer.text("xref\n0 1\n0000000000 65535 f \n")
    for (number, offset) in writer.offsets.sorted(by: { $0.key < $1.key }) {
      let digits = String(offset + shift)
      let padded = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
      writer.text("\(number) 1\n\(padded) 00000 n \n")
    }
    let size = (writer.offsets.keys.max() ?? 0) + 1
    let info = title == nil ? "" : "/Info 4 0 R"
    writer.text("trailer\n<< /Size \(size) /Root 1 0 R \(info) >>\n")
    writer.text("startxref\n\(start + shift)\n%%EOF\n")
  }

  private struct Writer {
    var bytes: [UInt8] = []
    var offsets: [Int: Int] = [:]

    mutating func text(_ text: String) { bytes += Array(text.utf8) }

    mutating func object(_ number: Int, _ body: String) { object(number, Array(body.utf8)) }

    mutating func object(_ number: Int, _ body: [UInt8]) {
      offsets[number] = bytes.count
      text("\(number) 0 obj\n")
      bytes += body
      text("\nendobj\n")
    }
  }
}
