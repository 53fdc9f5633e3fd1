import PdfThumbCore
import TestSupport
import Testing

@Suite struct BoxAndPathTests {
  private func draw(
    _ builder: PDFBuilder, _ size: PixelSize, _ settings: RenderSettings = RenderSettings()
  ) throws -> Picture {
    var document = try PDFDocument(.bytes(builder.build()))
    return try PageRenderer(settings: settings).picture(of: 0, in: &document, size: size).picture
  }

  private func pixel(_ picture: Picture, _ x: Int, _ y: Int) -> [UInt8] {
    let start = (y * picture.size.width + x) * 3
    return Array(picture.pixels[start..<start + 3])
  }

  /// Red sheet, green crop box, blue trim box, each inside the other.
  private var nested: PDFBuilder {
    PDFBuilder(pages: [
      .init(
        mediaBox: "[0 0 100 100]", extra: "/CropBox [20 20 80 80] /TrimBox [40 40 60 60]",
        content: "1 0 0 rg 0 0 100 100 re f 0 1 0 rg 20 20 60 60 re f 0 0 1 rg 40 40 20 20 re f")
    ])
  }

  @Test(
    arguments: [(.crop, [0, 255, 0]), (.media, [255, 0, 0]), (.trim, [0, 0, 255])]
      as [(PageBox, [UInt8])])
  func `the box asked for fills the picture`(box: PageBox, corner: [UInt8]) throws {
    let picture = try draw(
      nested, PixelSize(width: 20, height: 20), RenderSettings(box: box))
    #expect(pixel(picture, 0, 0) == corner)
    #expect(pixel(picture, 19, 19) == corner)
    #expect(pixel(picture, 10, 10) == [0, 0, 255])
  }

  @Test func `one document draws one box after another`() throws {
    var document = try PDFDocument(.bytes(nested.build()))
    var corners: [[UInt8]] = []
    for box in [PageBox.media, .crop, .trim, .crop] {
      let drawn = try PageRenderer(settings: RenderSettings(box: box)).picture(
        of: 0, in: &document, size: PixelSize(width: 20, height: 20))
      corners.append(pixel(drawn.picture, 0, 0))
    }
    #expect(corners == [[255, 0, 0], [0, 255, 0], [0, 0, 255], [0, 255, 0]])
  }

  @Test(arguments: ["/F 4", "/F 0", "/F 36"])
  func `an annotation is seen, printed or not`(flags: String) throws {
    var builder = PDFBuilder(pages: [
      .init(
        mediaBox: "[0 0 100 100]",
        extra: """
          /Annots [<< /Type /Annot /Subtype /Square /Rect [0 0 100 100] \(flags) \
          /AP << /N 1000 0 R >> >>]
          """)
    ])
    builder.objects[1000] = PDFBuilder.stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 100 100]", Array("0 0 1 rg 0 0 100 100 re f".utf8))
    let size = PixelSize(width: 10, height: 10)
    let isViewed = flags != "/F 36"
    #expect(pixel(try draw(builder, size), 5, 5) == (isViewed ? [0, 0, 255] : [255, 255, 255]))
    let bare = try draw(builder, size, RenderSettings(drawsAnnotations: false))
    #expect(pixel(bare, 5, 5) == [255, 255, 255])
  }

  @Test(arguments: [3, 3000])
  func `a hairline is seen, with few texts or very many`(texts: Int) throws {
    let text = String(repeating: "BT /F1 1 Tf 5 80 Td (a) Tj ET\n", count: texts)
    let builder = PDFBuilder(pages: [
      .init(mediaBox: "[0 0 1000 1000]", content: text + "0.01 w 0 500 m 1000 500 l S")
    ])
    let picture = try draw(builder, PixelSize(width: 20, height: 20))
    let darkest = (0..<20).map { pixel(picture, 15, $0)[0] }.min() ?? 255
    #expect(darkest < 230)
  }

  @Test func `hidden texts are drawn, whatever spans the content begins and ends`() throws {
    let text = String(repeating: "BT /F1 1 Tf 5 80 Td (a) Tj ET\n", count: 2500)
    for (before, after) in [
      ("EMC EMC", ""), ("/Span <</ActualText (b)>> BDC", ""), ("q", "Q Q Q"), ("BT", ""),
      ("/Span <</ActualText (b)>> BDC EMC", "EMC"), ("", "/P BMC ("),
    ] {
      let few = PDFBuilder(pages: [
        .init(content: "\(before)\n BT /F1 90 Tf 20 80 Td (HH) Tj ET\n\(after)")
      ])
      let many = PDFBuilder(pages: [
        .init(content: "\(before)\n BT /F1 90 Tf 20 80 Td (HH) Tj ET 1 g\n\(text)\n\(after)")
      ])
      let size = PixelSize(width: 60, height: 80)
      let picture = try draw(few, size)
      #expect(picture.pixels.contains { $0 < 100 })
      #expect(try draw(many, size) == picture)
    }
  }

  @Test(arguments: [(40_000, 64), (64, 40_000)])
  func `an image beyond cairo's greatest side is drawn`(width: Int, height: Int) throws {
    var builder = PDFBuilder(pages: [
      .init(
        mediaBox: "[0 0 100 100]", content: "100 0 0 100 0 0 cm /I Do",
        resources: "/XObject << /I 1000 0 R >>")
    ])
    builder.objects[1000] = PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Image /Width \(width) /Height \(height) /BitsPerComponent 1 \
      /ColorSpace /DeviceGray
      """, [UInt8](repeating: 0, count: width / 8 * height))
    #expect(pixel(try draw(builder, PixelSize(width: 10, height: 10)), 5, 5) == [0, 0, 0])
  }
}
