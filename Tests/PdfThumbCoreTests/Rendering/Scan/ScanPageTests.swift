import PdfThumbCore
import TestSupport
import Testing

/// Pages that are one image, and pages that only look so.
@Suite struct `Pages put together from images` {
  /// A page of 200 by 300 points with an image of another shade in each corner.
  static func page(
    content: String = "q 200 0 0 300 0 0 cm /I Do Q", extra: String = "", resources: String = "",
    image: String = "/ColorSpace /DeviceGray", samples: [UInt8] = Self.corners
  ) -> PDFBuilder {
    var builder = PDFBuilder(pages: [
      .init(
        mediaBox: "[0 0 200 300]", extra: extra, content: content,
        resources: "/XObject << /I 1000 0 R /F 1001 0 R /S 1002 0 R >> \(resources)")
    ])
    builder.objects[1000] = PDFBuilder.stream(
      "/Type /XObject /Subtype /Image /Width 400 /Height 600 /BitsPerComponent 8 \(image)", samples)
    builder.objects[1001] = PDFBuilder.stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 200 300] /Resources << /XObject << /I 1000 0 R >> >>",
      Array("q 200 0 0 300 0 0 cm /I Do Q".utf8))
    builder.objects[1002] = PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Image /ImageMask true /Width 800 /Height 1200 /BitsPerComponent 1
      """, [UInt8](repeating: 0x0F, count: 100 * 1200))
    return builder
  }

  /// Black, dark, light and white quarters, with a slope so that no two places are alike.
  static let corners: [UInt8] = (0..<600).flatMap { y in
    (0..<400).map { x in
      let quarter = (y < 300 ? 0 : 2) + (x < 200 ? 0 : 1)
      return UInt8(quarter * 64 + x / 16 + y / 32)
    }
  }

  private func draw(
    _ builder: PDFBuilder, _ settings: RenderSettings = RenderSettings(), height: Int = 60
  ) throws -> (picture: Picture, report: DrawingReport) {
    var document = try PDFDocument(.bytes(builder.build()))
    let isTurned = settings.rotation % 180 != 0 || builder.pages[0].extra.contains("90")
    let size = PixelSize(width: isTurned ? 90 : 40, height: isTurned ? 60 : 60)
    return try PageRenderer(settings: settings).picture(of: 0, in: &document, size: size)
  }

  /// Draws both ways and expects the same picture.
  private func expectSame(
    _ builder: PDFBuilder, _ settings: RenderSettings = RenderSettings(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let quick = try draw(builder, settings)
    var plain = settings
    plain.takesShortcuts = false
    let slow = try draw(builder, plain)
    #expect(quick.report.source == .scan, sourceLocation: sourceLocation)
    #expect(slow.report.source == .render, sourceLocation: sourceLocation)
    let difference = `Scans of the corpus`.difference(quick.picture, slow.picture)
    #expect(difference < 1.5, sourceLocation: sourceLocation)
  }

  @Test(arguments: [0, 90, 180, 270], [0, 90, 180, 270])
  func `turned by itself and by the caller`(own: Int, asked: Int) throws {
    try expectSame(Self.page(extra: "/Rotate \(own)"), RenderSettings(rotation: asked))
  }

  @Test(arguments: [
    "-200 0 0 300 200 0", "200 0 0 -300 0 300", "-200 0 0 -300 200 300", "0 300 200 0 0 0",
    "0 -300 200 0 0 300", "0 300 -200 0 200 0", "0 -300 -200 0 200 300",
  ])
  func `mirrored and turned by its matrix`(matrix: String) throws {
    try expectSame(Self.page(content: "\(matrix) cm /I Do"))
  }

  @Test(arguments: [
    // Larger than the page, smaller, moved by part of a pixel, cut by a clip.
    "320 0 0 480 -50 -60 cm /I Do", "150.3 0 0 250.7 20.1 30.9 cm /I Do",
    "0 0 120 200 re W n 200 0 0 300 0 0 cm /I Do",
    "0 0 m 120 0 l 120 200 l 0 200 l h W* n 200 0 0 300 0 0 cm /I Do", "/F Do",
    // What is painted below a covering image is not seen.
    "BT /F1 20 Tf 20 20 Td (seen) Tj ET 200 0 0 300 0 0 cm /I Do",
    "1 0 0 rg 0 0 200 300 re f q 100 0 0 150 50 75 cm /I Do Q",
    // Invisible text, marked content, plain states.
    "200 0 0 300 0 0 cm /I Do BT 3 Tr /F1 1 Tf (unseen) Tj ET",
    "/Span <</ActualText (x)>> BDC /G gs 200 0 0 300 0 0 cm /I Do EMC",
    "q 200 0 0 300 0 0 cm /I Do Q 1 0 0 rg q 150 0 0 200 20 20 cm /S Do Q",
  ])
  func `placed in many ways`(content: String) throws {
    try expectSame(
      Self.page(content: content, resources: "/ExtGState << /G << /ca 1 /BM /Normal >> >>"))
  }

  @Test(arguments: [
    // Something else is seen: text, a line, a glyph, a shade; or it is not plain.
    "200 0 0 300 0 0 cm /I Do BT /F1 0.1 Tf (seen) Tj ET", "/I Do", "/N Do",
    "200 0 0 300 0 0 cm /I Do 0 0 m 1 1 l S", "200 0 0 300 0 0 cm /I Do 0 0 .5 .5 re f",
    "200 30 0 300 0 0 cm /I Do", "/H gs 200 0 0 300 0 0 cm /I Do", "/M gs 200 0 0 300 0 0 cm /I Do",
    "0 0 m 50 300 l 200 0 l W n 200 0 0 300 0 0 cm /I Do",
    "/OC /X BDC 200 0 0 300 0 0 cm /I Do EMC",
    "BT 7 Tr /F1 90 Tf (clip) Tj ET 200 0 0 300 0 0 cm /I Do", "200 0 0 300 0 0 cm /I Do foo",
    "200 0 0 300 0 0 cm /I Do BI /W 1 /H 1 /BPC 8 /CS /G ID x EI", "200 0 0 300 0 0-1 cm /I Do", "",
  ])
  func `left to the renderer`(content: String) throws {
    let states = "/ExtGState << /H << /ca 0.5 >> /M << /BM /Multiply >> >>"
    let drawn = try draw(Self.page(content: content, resources: states))
    #expect(drawn.report.source == .render)
  }

  /// Such glyphs know no invisible mode; a form may mean another font by a name than the page does.
  @Test(arguments: [
    ("BT 3 Tr /F1 1 Tf (a) Tj ET /F Do", "BT 3 Tr /F1 1 Tf (a) Tj ET", PictureSource.render),
    ("BT 3 Tr /F1 1 Tf (a) Tj ET /F Do", "BT /F1 1 Tf ET", .scan),
    ("/F Do BT 3 Tr /F1 1 Tf (a) Tj ET /F Do BT /F1 1 Tf (a) Tj ET", "BT /F1 1 Tf ET", .scan),
    ("BT 3 Tr /F1 1 Tf (a) Tj /F2 1 Tf (a) Tj ET", "", .render),
    ("BT 3 Tr /F2 1 Tf /F1 1 Tf (a) Tj /F2 1 Tf /F1 1 Tf (a) Tj ET", "", .scan),
    ("BT 3 Tr /F2 1 Tf (a) Tj /F1 1 Tf (a) Tj ET", "", .render),
  ])
  func `glyphs that content draws are seen`(
    text: String, form: String, source: PictureSource
  ) throws {
    var builder = Self.page(
      content: "q 200 0 0 300 0 0 cm /I Do Q \(text)",
      resources: "/Font << /F1 3 0 R /F2 1003 0 R >>")
    builder.objects[1001] = PDFBuilder.stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 200 300] /Resources << /Font << /F1 1003 0 R >> >>",
      Array(form.utf8))
    builder.objects[1003] = Array(
      """
      << /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 \
      /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << /a 1004 0 R >> >>
      """.utf8)
    builder.objects[1004] = PDFBuilder.stream("", Array("9 0 d0 0 0 9 9 re f".utf8))
    #expect(try draw(builder).report.source == source)
  }

  @Test(arguments: [
    "/ColorSpace /DeviceCMYK", "/ColorSpace [/Separation /X /DeviceGray 9 0 R]",
    "/ColorSpace /DeviceGray /Mask [0 1]", "/ColorSpace /DeviceGray /Decode [0 0.5]",
    "/ColorSpace /DeviceGray /Filter /DCTDecode",
    "/ColorSpace /DeviceGray /Filter /JPXDecode", "/ColorSpace /DeviceGray /Filter /FlateDecode",
    "/ColorSpace /DeviceGray /SMask 1000 0 R /Matte [0]", "",
  ])
  func `images of other kinds are the renderer's`(image: String) throws {
    #expect(try draw(Self.page(image: image)).report.source == .render)
  }

  @Test(arguments: [
    "/Annots [<< /Type /Annot /Subtype /Square /Rect [0 0 50 50] >>]",
    "/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 50 50] >>]",
  ])
  func `pages with something laid over them are the renderer's`(extra: String) throws {
    #expect(try draw(Self.page(extra: extra)).report.source == .render)
    let bare = try draw(Self.page(extra: extra), RenderSettings(drawsAnnotations: false))
    #expect(bare.report.source == .scan)
  }

  @Test(arguments: [
    "/Decode [1 0] /ColorSpace /DeviceGray", "/ColorSpace [/Indexed /DeviceGray 255 1003 0 R]",
  ])
  func `inverted and through a table`(image: String) throws {
    var builder = Self.page(image: image)
    builder.objects[1003] = PDFBuilder.stream("", (0...255).map { UInt8(255 - $0 / 2) })
    try expectSame(builder)
  }

  @Test(arguments: [PageGround.none, .color(RGBColor(red: 9, green: 200, blue: 90))])
  func `what the images leave free shows the ground`(ground: PageGround) throws {
    let settings = RenderSettings(ground: ground)
    try expectSame(Self.page(content: "100 0 0 150 50 75 cm /I Do"), settings)
  }

  @Test func `a blank scan is told`() throws {
    let white = Self.page(samples: [UInt8](repeating: 255, count: 400 * 600))
    #expect(try draw(white).report == DrawingReport(source: .scan, isBlank: true))
    #expect(try draw(Self.page()).report == DrawingReport(source: .scan, isBlank: false))
  }

  @Test func `samples that end early are the renderer's`() throws {
    let short = Self.page(samples: Array(Self.corners.dropLast(1000)))
    #expect(try draw(short).report.source == .render)
  }

  @Test func `an image with a soft mask lies over another`() throws {
    var builder = Self.page(
      content: "q 200 0 0 300 0 0 cm /I Do Q q 100 0 0 100 50 50 cm /T Do Q",
      resources: "/XObject << /I 1000 0 R /T 1004 0 R >>")
    builder.pages[0].resources = "/XObject << /I 1000 0 R /T 1004 0 R >>"
    builder.objects[1004] = PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Image /Width 400 /Height 400 /BitsPerComponent 8 /ColorSpace \
      /DeviceRGB /SMask 1005 0 R
      """, (0..<480_000).map { UInt8($0 % 3 * 100) })
    builder.objects[1005] = PDFBuilder.stream(
      "/Type /XObject /Subtype /Image /Width 400 /Height 400 /BitsPerComponent 8 /ColorSpace /DeviceGray",
      (0..<160_000).map { UInt8($0 % 400 * 255 / 400) })
    try expectSame(builder)
  }

  /// A page with an image, and a dark one on a layer over it.
  private static func layered(_ catalog: String, layer: String = "1010 0 R") -> PDFBuilder {
    var builder = page(
      content: "q 200 0 0 300 0 0 cm /I Do Q q 100 0 0 100 50 50 cm /T Do Q")
    builder.pages[0].resources = "/XObject << /I 1000 0 R /T 1004 0 R >>"
    builder.objects[1004] = PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Image /Width 400 /Height 400 /BitsPerComponent 8 /ColorSpace \
      /DeviceGray /OC \(layer)
      """, [UInt8](repeating: 20, count: 160_000))
    builder.objects[1010] = Array("<< /Type /OCG /Name (L) >>".utf8)
    builder.objects[1011] = Array("<< /Type /OCMD /OCGs [1010 0 R] /P /AllOff >>".utf8)
    builder.catalog = catalog
    return builder
  }

  @Test(arguments: [
    "", "/OCProperties << /OCGs [1010 0 R] /D << >> >>",
    "/OCProperties << /OCGs [1010 0 R] /D << /OFF [1010 0 R] >> >>",
    "/OCProperties << /OCGs [1010 0 R] /D << /BaseState /OFF >> >>",
    "/OCProperties << /OCGs [1010 0 R] /D << /BaseState /OFF /ON [1010 0 R] >> >>",
  ])
  func `layers are shown or not as the document says`(catalog: String) throws {
    try expectSame(Self.layered(catalog))
  }

  @Test(arguments: [
    ("/OCProperties << /OCGs [1010 0 R] /D << >> >>", "1011 0 R"),
    ("/OCProperties << /OCGs [] /D << >> >>", "1010 0 R"),
    ("/OCProperties << /OCGs [1010 0 R] >>", "1010 0 R"),
  ])
  func `layers that are in doubt are the renderer's`(catalog: String, layer: String) throws {
    #expect(try draw(Self.layered(catalog, layer: layer)).report.source == .render)
  }

  @Test func `what is marked as a layer's is taken when it is shown`() throws {
    let content = "/OC /L BDC 200 0 0 300 0 0 cm /I Do EMC"
    for (state, source) in [("", PictureSource.scan), ("/OFF [1010 0 R]", .render)] {
      var builder = Self.layered("/OCProperties << /OCGs [1010 0 R] /D << \(state) >> >>")
      builder.pages[0].content = content
      builder.pages[0].resources += " /Properties << /L 1010 0 R >>"
      #expect(try draw(builder).report.source == source)
    }
  }

  @Test func `layers of one colour may have a single pixel, and share a mask`() throws {
    var builder = Self.page(
      content: """
        q 200 0 0 300 0 0 cm /W Do /I Do Q q 150 0 0 200 20 20 cm /A Do Q q 150 0 0 200 20 20 cm /B Do Q
        """)
    builder.pages[0].resources =
      "/XObject << /W 1004 0 R /I 1000 0 R /A 1005 0 R /B 1006 0 R >>"
    func single(_ space: String, _ sample: [UInt8], _ extra: String = "") -> [UInt8] {
      PDFBuilder.stream(
        """
        /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace \
        \(space) \(extra)
        """, sample)
    }
    builder.objects[1004] = single("/DeviceGray", [99])
    builder.objects[1005] = single("/DeviceRGB", [200, 10, 90], "/SMask 1007 0 R")
    builder.objects[1006] = single("/DeviceGray", [20], "/SMask 1007 0 R")
    builder.objects[1007] = PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Image /Width 800 /Height 800 /BitsPerComponent 1 /ColorSpace \
      /DeviceGray /Decode [1 0]
      """, (0..<800).flatMap { y in [UInt8](repeating: y / 40 % 2 == 0 ? 0xF0 : 0, count: 100) })
    try expectSame(builder)
  }

  @Test func `an image that is no pixel large does not show`() throws {
    try expectSame(
      Self.page(content: "q 200 0 0 300 0 0 cm /I Do Q 1 0 0 rg q .1 0 0 .1 9 9 cm /S Do Q"))
  }

  @Test func `images that were packed twice are taken`() throws {
    let picture = try #require(
      Picture(size: PixelSize(width: 400, height: 600), format: .gray, pixels: Self.corners))
    let jpeg = try PictureEncoder(format: .jpeg).encode(picture)
    let twice = try #require(Zlib.compress(jpeg, level: 6))
    let extra = "/ColorSpace /DeviceGray /Filter [/FlateDecode /DCTDecode]"
    try expectSame(Self.page(image: extra, samples: twice))
    let cut = Self.page(image: extra, samples: Array(twice.prefix(twice.count / 2)))
    #expect(try draw(cut).report.source == .render)
  }
}
