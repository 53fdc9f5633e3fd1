import PdfThumbCore
import TestSupport
import Testing

@Suite struct `The quick copy of a document` {
  private func expand(_ bytes: [UInt8], limit: Int = 1 << 22) -> [UInt8]? {
    unsafe bytes.withUnsafeBytes {
      unsafe DocumentExpander.expand($0, limit: limit)
    }
  }

  private func pictures(_ bytes: [UInt8]) throws -> [Picture] {
    var document = try PDFDocument(.bytes(bytes))
    var pictures: [Picture] = []
    for page in 0..<document.pageCount {
      let size = PixelSize(width: 40, height: 60)
      pictures.append(try PageRenderer().picture(of: page, in: &document, size: size).picture)
    }
    return pictures
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }

  private static func packed(_ dictionary: String, _ data: [UInt8]) -> [UInt8] {
    PDFBuilder.stream(
      "/Filter /FlateDecode \(dictionary)", Zlib.compress(data, level: 6) ?? [])
  }

  private static let content =
    "0.5 g 20 20 90 200 re f 0 w 5 5 m 190 290 l S BT /F1 40 Tf 30 90 Td (Hg) Tj ET"

  /// Rows of three RGB pixels, each behind the number of its filter.
  private static let predicted: [UInt8] = [
    0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 1, 200, 1, 2, 3, 4, 5, 6, 7, 8,
    2, 9, 9, 9, 250, 1, 2, 3, 4, 5, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 4, 90, 80, 70, 60, 50, 40, 30, 20,
    10,
  ]

  /// A page whose content is compressed, in two streams of an array that is an object of its own, with an image that
  /// was predicted.
  private static func manual() -> PDFBuilder {
    var builder = PDFBuilder(pages: [
      .init(extra: "/Ignored 1", resources: "/XObject << /I 1000 0 R >>"), .init(content: content),
    ])
    builder.objects[11] = packed("", Array(content.utf8))
    builder.objects[1000] = packed(
      """
      /Type /XObject /Subtype /Image /Width 3 /Height 5 /BitsPerComponent 8 /ColorSpace /DeviceRGB \
      /DecodeParms << /Predictor 15 /Colors 3 /Columns 3 >>
      """, predicted)
    builder.objects[10] = Array(
      """
      << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Contents 1001 0 R \
      /Resources << /Font << /F1 3 0 R >> /XObject << /I 1000 0 R >> >> >>
      """.utf8)
    builder.objects[1001] = Array("[11 0 R 1002 0 R]".utf8)
    builder.objects[1002] = packed("", Array("q 90 0 0 90 100 200 cm /I Do Q".utf8))
    return builder
  }

  /// The objects of a page in a stream of objects, listed by a stream, as newer documents have them.
  static func modern(
    count: Int = 4, container: Int = 5, index: Int = 0, extra: String = "", prediction: Bool = true
  ) -> [UInt8] {
    var bytes = Array("%PDF-1.5\n".utf8)
    let parts = [
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Contents 6 0 R /Resources << /Font << /F1 4 0 R >> >> >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    var head = ""
    var body = ""
    for (index, part) in parts.enumerated() {
      head += "\(index + 1) \(body.utf8.count) "
      body += part + " "
    }
    var offsets = [5: bytes.count]
    bytes += Array("5 0 obj\n".utf8)
    bytes += packed(
      "/Type /ObjStm /N \(count) /First \(head.utf8.count)", Array((head + body).utf8))
    bytes += Array("\nendobj\n".utf8)
    offsets[6] = bytes.count
    bytes += Array("6 0 obj\n".utf8) + packed("", Array(content.utf8)) + Array("\nendobj\n".utf8)
    offsets[7] = bytes.count
    var rows: [[UInt8]] = [[0, 0, 0, 255]]
    for number in 1...4 { rows.append([2, 0, UInt8(container), UInt8(number - 1 + index)]) }
    for number in 5...7 {
      let offset = offsets[number] ?? 0
      rows.append([1, UInt8(offset >> 8), UInt8(offset & 255), 0])
    }
    var table: [UInt8] = []
    var above: [UInt8] = [0, 0, 0, 0]
    for row in rows {
      if prediction { table.append(2) }
      table += prediction ? zip(row, above).map { $0 &- $1 } : row
      above = row
    }
    let parameters = prediction ? "/DecodeParms << /Predictor 12 /Columns 4 >>" : ""
    bytes += Array("7 0 obj\n".utf8)
    bytes += packed("/Type /XRef /W [1 2 1] /Size 8 /Root 1 0 R \(parameters) \(extra)", table)
    return bytes + Array("\nendobj\nstartxref\n\(offsets[7] ?? 0)\n%%EOF\n".utf8)
  }

  @Test func `it has the pictures of the document, expanded`() throws {
    for document in [Self.manual().build(), Self.modern(), Self.modern(prediction: false)] {
      let copy = try #require(expand(document))
      #expect(!contains(copy, "/FlateDecode"))
      #expect(!contains(copy, "/ObjStm"))
      #expect(contains(copy, Self.content))
      #expect(contains(copy, "/ActualText"))
      let expected = try pictures(document)
      #expect(expected.first?.pixels.contains { $0 < 200 } == true)
      #expect(try pictures(copy) == expected)
      #expect(try PDFDocument(.bytes(copy)).pageCount == expected.count)
    }
  }

  @Test func `it is not made of documents that are not as the standard says`() throws {
    var refused: [[UInt8]] = [[], Array("%PDF-1.7".utf8)]
    for flaw in [PDFBuilder.Flaw.wrongOffsets, .noTable, .junkBefore(9)] {
      var builder = Self.manual()
      builder.flaw = flaw
      refused.append(builder.build())
    }
    for body in [
      "<< /A (", "<< /A [ >>", "<< /A#42 1 >>", "<< 1 2 >>", "[ endobj",
      "<< /A 1 >> stream\n\nendstream",
      "<< /Length 9 >>\nstream\n1234\nendstream", "<< /Length 999999999 >>\nstream\n1\nendstream",
      "<< /Length 77 0 R >>\nstream\n1\nendstream", String(repeating: "[", count: 200),
    ] {
      var builder = Self.manual()
      builder.objects[1003] = Array(body.utf8)
      refused.append(builder.build())
    }
    refused += [
      Self.modern(count: 3), Self.modern(count: 40), Self.modern(container: 6),
      Self.modern(index: 1),
      Self.modern(extra: "/Encrypt 9 0 R"), Self.modern(extra: "/XRefStm 1"),
      Self.modern(extra: "/Prev 5"), Self.modern(extra: "/Index [0 9]"),
      Self.modern(extra: "/Index [999999999 8]"), Self.modern(extra: "/Index [0]"),
    ]
    for (index, document) in refused.enumerated() {
      #expect(expand(document) == nil, "document \(index)")
    }
  }

  @Test func `tables that lead round in circles end`() throws {
    let plain = String(decoding: Self.manual().build(), as: UTF8.self)
    #expect(!plain.isEmpty)
    var bytes = Self.modern()
    let text = Array("startxref\n".utf8)
    let start = try #require(bytes.indices.last { bytes[$0...].starts(with: text) })
    let table = try #require(
      Int(String(decoding: bytes[(start + text.count)...].prefix { $0 != 10 }, as: UTF8.self)))
    bytes = Self.modern(extra: "/Prev \(table)")
    #expect(expand(bytes) == nil)
  }

  @Test func `streams that expand beyond the limit stay as they are`() throws {
    var builder = Self.manual()
    builder.objects[1003] = Self.packed("", [UInt8](repeating: 7, count: 3_000_000))
    let copy = try #require(expand(builder.build(), limit: 1 << 20))
    #expect(copy.count < 1 << 20)
    #expect(contains(copy, "/FlateDecode"))
    #expect(contains(copy, Self.content))
    #expect(try pictures(copy) == pictures(Self.manual().build()))
    #expect(expand(Self.manual().build(), limit: 1000) == nil)
  }

  @Test func `damaged streams and large images stay as they are`() throws {
    var builder = Self.manual()
    builder.objects[1003] = PDFBuilder.stream("/Filter /FlateDecode", [0x78, 0x9C, 1, 2, 3, 4])
    let copy = try #require(expand(builder.build()))
    #expect(contains(copy, "/FlateDecode"))
    let samples = try #require(Zlib.compress([UInt8](repeating: 7, count: 300_000), level: 6))
    for (width, isKept) in [(300, false), (1000, true)] {
      builder.objects[1003] = PDFBuilder.stream(
        "/Subtype /Image /Width \(width) /Height 300 /Filter /FlateDecode", samples)
      let copy = try #require(expand(builder.build()))
      #expect(contains(copy, "/FlateDecode") == isKept)
    }
  }

  // One block of fixed codes with a copy from 32,768 bytes back, and what else comes within the library's reach.
  @Test(arguments: 0..<20) func `copies from before a stream's beginning are damage`(after: Int)
    throws
  {
    let stream = [0x78, 0x9C, 0x03, 0xDE, 0xFF, 0x0F] + [UInt8](repeating: 0, count: after)
    var builder = Self.manual()
    builder.objects[1003] = PDFBuilder.stream("/Filter /FlateDecode", stream)
    #expect(contains(try #require(expand(builder.build())), "/FlateDecode"))
  }

  @Test func `maps to Unicode are left out of fonts that have letters of their own`() throws {
    let map = Self.packed("", Array("/CIDInit /ProcSet findresource begin begincmap".utf8))
    let composite = "/Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H"
    let cases: [(font: String, descriptor: String, isLeftOut: Bool)] = [
      ("/Type /Font /Subtype /Type1 /FontDescriptor 1004 0 R", "/FontFile 1 0 R", true),
      ("/Type /Font /Subtype /Type1 /FontDescriptor 1004 0 R", "/FontFile3 1 0 R", true),
      ("/Type /Font /Subtype /Type1 /FontDescriptor << /FontFile3 1 0 R >>", "", true),
      ("\(composite) /DescendantFonts [1005 0 R]", "/FontFile2 1 0 R", true),
      ("\(composite) /DescendantFonts 1006 0 R", "/FontFile3 1 0 R", true),
      ("/Type /Font /Subtype /Type1 /FontDescriptor 1004 0 R", "/Flags 4", false),
      ("/Type /Font /Subtype /Type1", "/FontFile 1 0 R", false),
      ("/Type /Font /Subtype /TrueType /FontDescriptor 1004 0 R", "/FontFile2 1 0 R", false),
      ("\(composite) /DescendantFonts [1005 0 R]", "/Flags 4", false),
      ("\(composite) /DescendantFonts [1099 0 R]", "/FontFile2 1 0 R", false),
      ("\(composite) /DescendantFonts 1099 0 R", "/FontFile2 1 0 R", false),
      ("\(composite) /DescendantFonts []", "/FontFile2 1 0 R", false),
      ("/Subtype /Type1 /FontDescriptor 1004 0 R", "/FontFile 1 0 R", false),
    ]
    for (index, (font, descriptor, isLeftOut)) in cases.enumerated() {
      var builder = Self.manual()
      builder.objects[1003] = Array("<< /ToUnicode 1007 0 R \(font) /Last 1 >>".utf8)
      builder.objects[1004] = Array("<< /Type /FontDescriptor \(descriptor) >>".utf8)
      builder.objects[1005] = Array(
        "<< /Type /Font /Subtype /CIDFontType2 /FontDescriptor 1004 0 R >>".utf8)
      builder.objects[1006] = Array("[ 1005 0 R ]".utf8)
      builder.objects[1007] = map
      let copy = try #require(expand(builder.build()))
      #expect(contains(copy, "/ToUnicode") != isLeftOut, "case \(index)")
      #expect(contains(copy, "begincmap") != isLeftOut, "case \(index)")
      #expect(contains(copy, "/Last 1 >>"), "case \(index)")
    }
  }

  @Test func `links that are not seen are left out of pages, and no others`() throws {
    let link = "/Type /Annot /Subtype /Link /Rect [0 0 9 9]"
    let unseen = "\(link) /Border [0 0 0] /A << /S /URI /URI (u) >>"
    let kept = [
      link, "\(link) /Border [0 0 1]", "\(link) /Border [0 0 0] /BS << /W 2 >>",
      "\(link) /Border [0 0 0] /AP << /N 11 0 R >>", "\(link) /Border [0 0]",
      "\(link) /Border 1003 0 R", "/Subtype /Square /Rect [0 0 9 9] /Border [0 0 0]",
    ]
    for (index, other) in kept.enumerated() {
      for list in ["[1001 0 R 1002 0 R 1001 0 R]", "1003 0 R"] {
        var builder = PDFBuilder(pages: [
          .init(extra: "/Annots \(list) /Last 1", content: Self.content)
        ])
        builder.objects[1001] = Array("<< \(unseen) >>".utf8)
        builder.objects[1002] = Array("<< \(other) >>".utf8)
        builder.objects[1003] = Array("[ 1001 0 R\n1002 0 R ]".utf8)
        let document = builder.build()
        let copy = try #require(expand(document))
        #expect(contains(copy, "/Annots [1002 0 R ] /Last 1"), "case \(index)")
        #expect(try pictures(copy) == pictures(document), "case \(index)")
      }
    }
    for list in ["[1002 0 R]", "[<< \(unseen) >> 1001 0 R]", "[]", "1099 0 R", "null"] {
      var builder = PDFBuilder(pages: [.init(extra: "/Annots \(list) /Last 1")])
      builder.objects[1001] = Array("<< \(unseen) >>".utf8)
      builder.objects[1002] = Array("<< \(link) >>".utf8)
      #expect(contains(try #require(expand(builder.build())), "/Annots \(list) /Last 1"))
    }
  }

  @Test func `no byte that is missing or another brings it to a stop`() {
    for document in [Self.modern(), Self.manual().build()] {
      SeededRandom.damaged(document) { _ = expand($0) }
    }
  }
}
