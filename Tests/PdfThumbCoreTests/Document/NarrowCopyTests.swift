import PdfThumbCore
import TestSupport
import Testing

@Suite struct `A copy of few pages` {
  private static let size = PixelSize(width: 40, height: 60)

  private static func page(_ index: Int) -> PDFBuilder.Page {
    PDFBuilder.Page(
      extra: "/Ignored 1 /Annots [1001 0 R] /B [1002 0 R]",
      content:
        "0.\(index) g 20 20 90 200 re f 0 w 5 5 m 190 290 l S BT /F1 40 Tf 30 90 Td (p\(index)) Tj ET"
    )
  }

  /// Nine pages with labels, an outline, and a link from each to the last.
  private static func manual() -> PDFBuilder {
    var builder = PDFBuilder(pages: (0..<9).map { page($0) })
    builder.labels = "0 << /S /r >> 4 << /S /D >>"
    builder.outline = [("one", 0), ("nine", 8)]
    builder.catalog = "/Names 1003 0 R"
    builder.title = "A manual"
    builder.objects[1001] = Array(
      "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Border [0 0 2] /Dest [26 0 R /Fit] >>".utf8)
    builder.objects[1002] = Array("<< /P 26 0 R >>".utf8)
    builder.objects[1003] = Array("<< /Dests 1004 0 R >>".utf8)
    builder.objects[1004] = Array("<< /Names [(unread) [26 0 R /Fit]] >>".utf8)
    return builder
  }

  private func expand(_ bytes: [UInt8], _ pages: Range<Int>, limit: Int = 1 << 20) -> [UInt8]? {
    unsafe bytes.withUnsafeBytes {
      unsafe DocumentExpander.expand($0, pages: pages, limit: limit)
    }?.copy
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }

  private struct Drawn: Equatable {
    let picture: Picture
    let report: DrawingReport
    let label: String
  }

  private func drawn(_ page: Int, _ document: inout PDFDocument) throws -> Drawn {
    let drawn = try PageRenderer().picture(of: page, in: &document, size: Self.size)
    return Drawn(
      picture: drawn.picture, report: drawn.report, label: try document.geometry(of: page).label)
  }

  private func expectNarrow(
    _ document: borrowing PDFDocument, _ expected: Bool = true,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let isNarrow = document.isNarrow
    #expect(isNarrow == expected, sourceLocation: location)
  }

  /// Draws a page from both and holds the pictures equal.
  private func expectSame(
    _ page: Int, _ first: inout PDFDocument, _ second: inout PDFDocument,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try drawn(page, &first)
    let found = try drawn(page, &second)
    #expect(found == expected, sourceLocation: location)
    #expect(!expected.report.isBlank, sourceLocation: location)
  }

  /// Draws pages from a copy of them and from the document.
  private func expectSame(
    _ bytes: [UInt8], _ pages: Range<Int>, _ location: SourceLocation = #_sourceLocation
  ) throws {
    var plain = try PDFDocument(.bytes(bytes))
    var narrow = try PDFDocument(.bytes(bytes))
    narrow.narrow(to: pages)
    expectNarrow(narrow, true, location)
    for page in pages { try expectSame(page, &plain, &narrow, location) }
    expectNarrow(narrow, true, location)
  }

  @Test(arguments: [0..<1, 0..<3, 4..<6, 8..<9, 0..<9])
  func `it has the pictures and labels of the pages`(pages: Range<Int>) throws {
    try expectSame(Self.manual().build(), pages)
  }

  @Test func `it has not what the pages do not need`() throws {
    let copy = try #require(expand(Self.manual().build(), 3..<5))
    for index in 0..<9 { #expect(contains(copy, "(p\(index)) Tj") == (3..<5).contains(index)) }
    for left in ["(nine)", "(unread)", "<< /P 26 0 R >>"] { #expect(!contains(copy, left)) }
    for kept in ["/Nums", "/Dest [26 0 R /Fit]", "(A manual)"] {
      #expect(contains(copy, kept), "\(kept)")
    }
    // Said to be free, for what is not in the table at all is a flaw.
    #expect(contains(copy, "26 1\n0000000000 65535 f \n"))
  }

  @Test func `what pages inherit and share comes along`() throws {
    var builder = Self.manual()
    builder.pageTree =
      "<< /Type /Pages /Count 9 /Kids [1010 0 R 1011 0 R 26 0 R] /Resources 1012 0 R >>"
    builder.objects[1010] = Array(
      "<< /Type /Pages /Parent 2 0 R /Count 3 /Kids 1013 0 R /Rotate 90 >>".utf8)
    builder.objects[1011] = Array(
      "<< /Type /Pages /Parent 2 0 R /Count 5 /Kids [1014 0 R 18 0 R 20 0 R 22 0 R 24 0 R] /MediaBox 1015 0 R >>"
        .utf8)
    builder.objects[1012] = Array(
      "<< /Font << /F1 3 0 R >> /XObject << /I 1016 0 R >> >>".utf8)
    builder.objects[1013] = Array("[10 0 R 12 0 R 14 0 R]".utf8)
    builder.objects[1014] = Array("<< /Type /Page /Parent 1011 0 R /Contents 1017 0 R >>".utf8)
    builder.objects[1015] = Array("[0 0 100 150]".utf8)
    builder.objects[1016] = PDFBuilder.stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 90 90] /Resources << /Font << /F1 3 0 R >> >>",
      Array("1 0 0 rg 0 0 50 90 re f BT /F1 40 Tf 10 10 Td (x) Tj ET".utf8))
    builder.objects[1017] = Array("[1018 0 R 1019 0 R]".utf8)
    builder.objects[1018] = PDFBuilder.stream("", Array("q 1 0 0 1 9 9 cm".utf8))
    builder.objects[1019] = PDFBuilder.stream("", Array("/I Do Q".utf8))
    for pages in [0..<2, 3..<4, 3..<6, 7..<9] { try expectSame(builder.build(), pages) }
  }

  @Test(arguments: ["page", "outline", "information", "repair", "box", "copy"])
  func `whatever else is asked for comes from the document`(what: String) throws {
    let bytes = Self.manual().build()
    var plain = try PDFDocument(.bytes(bytes))
    var narrow = try PDFDocument(.bytes(bytes))
    narrow.narrow(to: 2..<4)
    _ = try drawn(2, &narrow)
    expectNarrow(narrow)
    switch what {
    case "page": try expectSame(8, &plain, &narrow)
    case "outline":
      let (found, expected) = (narrow.outline(), plain.outline())
      #expect(found == expected)
      #expect(found.count == 2)
    case "information":
      let (found, expected) = (narrow.information(), plain.information())
      #expect(found == expected)
    case "repair":
      let isRepaired = narrow.isRepaired()
      #expect(!isRepaired)
    case "box":
      let renderer = PageRenderer(settings: RenderSettings(box: .media))
      let found = try renderer.picture(of: 3, in: &narrow, size: Self.size).picture
      let expected = try renderer.picture(of: 3, in: &plain, size: Self.size).picture
      #expect(found == expected)
    default:
      let (found, expected) = (
        try ExpandedCopy.make(of: &narrow), try ExpandedCopy.make(of: &plain)
      )
      #expect(found == expected)
    }
    expectNarrow(narrow, false)
    for page in [2, 7] { try expectSame(page, &plain, &narrow) }
    // Once is enough.
    narrow.narrow(to: 2..<4)
    expectNarrow(narrow, false)
  }

  @Test func `pages before and behind the first ones are found`() async throws {
    let bytes = Self.manual().build()
    let document = try await ThumbnailDocument.open(
      .bytes(bytes), settings: Probe.settings(workers: 2))
    var plain = try PDFDocument(.bytes(bytes))
    for try await outcome in document.thumbnails(of: [4, 5], size: .height(60)) {
      let expected = try drawn(outcome.page, &plain)
      #expect(try outcome.result.get().picture == expected.picture)
    }
    for page in [5, 0, 8, 4] {
      let expected = try drawn(page, &plain)
      #expect(try await document.draw(page, size: .height(60)).picture == expected.picture)
    }
    #expect(try await document.outline().count == 2)
  }

  @Test func `it is not made where the document may be read otherwise`() throws {
    var refused: [[UInt8]] = [[], Array("%PDF-1.7".utf8)]
    for flaw in [PDFBuilder.Flaw.wrongOffsets, .noTable, .junkBefore(9), .missingPage(0)] {
      var builder = Self.manual()
      builder.flaw = flaw
      refused.append(builder.build())
    }
    // What the root has, the tree and an object that a page needs.
    let kid = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"
    let cases: [(catalog: String, tree: String?, object: String)] = [
      ("/AcroForm << /Fields [] >>", nil, "<< >>"),
      ("", "[10 0 R]", "<< >>"), ("", "<< /Type /Pages /Count 9 >>", "<< >>"),
      ("", "<< /Type /Pages /Count 9 /Kids [\(kid)] >>", "<< >>"),
      ("", "<< /Type /Pages /Count 9 /Kids [10 0 R 10 0 R] >>", "<< >>"),
      ("", "<< /Type /Pages /Count 9 /Kids [2 0 R] >>", "<< >>"),
      ("", "<< /Type /Pages /Count 9 /Kids [10 1 R] >>", "<< >>"),
      ("", "<< /Type /Pages /Count 9 /Kids [1099 0 R] >>", "<< >>"),
      ("", "<< /Type /Pages /Count 9 /Kids 1099 0 R >>", "<< >>"),
      ("", "<< /Type /Pages /Count 1 /Kids [10 0 R] >>", "<< >>"),
      ("", "<< /Type /Pages /Count 9 /Kids [1001 0 R] >>", "<< /Type /Page /Kids [10 0 R] >>"),
      ("", nil, "<< /A ("), ("", nil, "[ endobj"),
      ("", nil, "<< /Length 9 >>\nstream\n1234\nendstream"),
    ]
    for (catalog, tree, object) in cases {
      var builder = Self.manual()
      builder.catalog = catalog
      builder.pageTree = tree
      builder.objects[1001] = Array(object.utf8)
      refused.append(builder.build())
    }
    for (index, document) in refused.enumerated() {
      #expect(expand(document, 0..<2) == nil, "document \(index)")
    }
    let sound = Self.manual().build()
    #expect(expand(sound, 8..<10) == nil)
    #expect(expand(sound, 600..<601) == nil)
    #expect(expand(sound, 0..<2, limit: 500) == nil)
    var large = Self.manual()
    large.objects[11] = PDFBuilder.stream("", [UInt8](repeating: 32, count: 3 << 20))
    #expect(expand(large.build(), 0..<1, limit: 1 << 24) == nil)
    #expect(expand(large.build(), 1..<2, limit: 1 << 24) != nil)
  }

  /// Whether the table is beyond doubt, which spares qpdf the reading of it; where it is not qpdf is asked.
  @Test func `a document with a doubtful table is said to be repaired as before`() throws {
    func changed(_ old: String, _ new: String) -> [UInt8] {
      let (old, new) = (Array(old.utf8), Array(new.utf8))
      var bytes = `The quick copy of a document`.modern()
      let place = bytes.indices.last { bytes[$0...].starts(with: old) } ?? 0
      bytes.replaceSubrange(place..<place + old.count, with: new)
      return bytes
    }
    let cases: [(document: [UInt8], isPlain: Bool)] = [
      (changed("%PDF-1.5", "%PDF-1.5"), true), (changed("/Size 8", "/Size  8"), true),
      (changed("%PDF-1.5", "%PDF-x.5"), false), (changed("/Size 8", "/Size 7"), false),
      (changed("/W [1 2 1]", "/Index [0 8] /W [1 2 1]"), true),
      (changed("/W [1 2 1]", "/Index [0 7 7 1] /W [1 2 1]"), false),
      (changed("endobj\nstartxref", "endob\nstartxref"), false), (Self.manual().build(), false),
    ]
    for (index, (document, isPlain)) in cases.enumerated() {
      let found = unsafe document.withUnsafeBytes {
        unsafe DocumentExpander.expand($0, pages: 0..<1, limit: 1 << 20)
      }
      #expect(found?.isPlain == isPlain, "document \(index)")
      try expectSame(document, 0..<1)
    }
  }

  @Test func `references that lead nowhere are drawn as before`() throws {
    for reference in ["1099 0 R", "1001 5 R", "0 0 R", "999999999 0 R", "2 0 R"] {
      var builder = Self.manual()
      builder.pages[1].extra = "/Group \(reference) /Annots [1001 0 R \(reference)]"
      try expectSame(builder.build(), 0..<2)
    }
  }

  @Test func `no byte that is missing or another brings it to a stop`() {
    SeededRandom.damaged(Self.manual().build()) { document in
      for pages in [0..<2, 2..<4] { _ = expand(document, pages) }
    }
  }
}
