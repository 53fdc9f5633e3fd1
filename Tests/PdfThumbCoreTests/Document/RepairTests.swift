import PdfThumbCore
import TestSupport
import Testing

/// Documents that are put right for poppler.
@Suite struct `Documents that poppler does not get over` {
  private static let size = PixelSize(width: 80, height: 80)

  private static func darkness(_ picture: Picture) -> Int { picture.pixels.count { $0 < 128 } }

  @Test func `pages and fonts that are written as streams are what they say`() throws {
    func builder(_ wrap: (String) -> [UInt8]) -> PDFBuilder {
      var builder = PDFBuilder(pages: [.init()])
      builder.pageTree = "<< /Type /Pages /Count 1 /Kids [1000 0 R] >>"
      builder.objects[1000] = wrap(
        """
        /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 1001 0 R \
        /Resources << /Font << /F 1002 0 R >> >>
        """)
      builder.objects[1001] = PDFBuilder.stream("", Array("BT /F 80 Tf 5 20 Td (HI) Tj ET".utf8))
      builder.objects[1002] = wrap("/Type /Font /Subtype /Type1 /BaseFont /Helvetica")
      return builder
    }
    var sound = try PDFDocument(.bytes(builder { Array("<< \($0) >>".utf8) }.build()))
    let expected = try PageRenderer().picture(of: 0, in: &sound, size: Self.size)
    var document = try PDFDocument(.bytes(builder { PDFBuilder.stream($0, []) }.build()))
    let found = try PageRenderer().picture(of: 0, in: &document, size: Self.size)
    #expect(found.picture == expected.picture)
    #expect(Self.darkness(found.picture) > 1000)
    #expect(found.report.isRepaired && !expected.report.isRepaired)
  }

  /// A glyph, drawn with a pattern that shows a text; the page has a black rectangle as well.
  ///
  /// All have the same resources, which name everything, whoever draws with it.
  private static func document(showing font: String) -> [UInt8] {
    let rectangle = "0 0 100 50 re f"
    var builder = PDFBuilder(pages: [
      .init(
        mediaBox: "[0 0 100 100]", content: "\(rectangle) BT /T 50 Tf 10 50 Td (a) Tj ET",
        resources: "/Font << /T 1000 0 R >>"),
      .init(mediaBox: "[0 0 100 100]", content: rectangle),
    ])
    builder.objects[1000] = Array(
      """
      << /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 \
      /LastChar 97 /Widths [1] /Encoding << /Differences [97 /a] >> /CharProcs << /a 1001 0 R >> \
      /Resources 1003 0 R >>
      """.utf8)
    builder.objects[1001] = PDFBuilder.stream(
      "", Array("1 0 d0 /Pattern cs /P scn 0 0 0.5 1 re f 0 g 0.5 0 0.5 1 re f".utf8))
    builder.objects[1002] = PDFBuilder.stream(
      """
      /PatternType 1 /PaintType 1 /TilingType 2 /BBox [0 0 1 1] /XStep 1 /YStep 1 \
      /Resources 1003 0 R
      """, Array("BT \(font) 1 Tf (a) Tj ET".utf8))
    builder.objects[1003] = Array(
      "<< /Font << /T 1000 0 R /F1 3 0 R >> /Pattern << /P 1002 0 R >> >>".utf8)
    return builder.build()
  }

  @Test(.timeLimit(.minutes(5)))
  func `what is drawn with itself is cut where the circle closes`() throws {
    var document = try PDFDocument(.bytes(Self.document(showing: "/T")))
    for page in [0, 1, 0] {
      let drawn = try PageRenderer().picture(of: page, in: &document, size: Self.size)
      // The rectangle, and the half of the glyph that has no pattern.
      let expected = page == 0 ? 12_000...12_700 : 9600...9900
      #expect(expected.contains(Self.darkness(drawn.picture)))
      #expect(drawn.report.isRepaired == (page == 0))
    }
  }

  @Test func `what could be drawn with itself, and is not, is left as it is`() throws {
    var document = try PDFDocument(.bytes(Self.document(showing: "/F1")))
    let drawn = try PageRenderer().picture(of: 0, in: &document, size: Self.size)
    #expect(Self.darkness(drawn.picture) > 12_000)
    #expect(!drawn.report.isRepaired)
  }
}
