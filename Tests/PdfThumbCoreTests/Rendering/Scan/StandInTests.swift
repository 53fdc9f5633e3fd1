import PdfThumbCore
import TestSupport
import Testing

/// Pages that the renderer draws, with smaller images in place of large ones.
@Suite struct `Images made smaller for the renderer` {
  /// A picture of 1,200 by 900 pixels in RGB.
  static let samples: [UInt8] = rows { x, y in
    let isLight = (x / 100 + y / 100).isMultiple(of: 2)
    return [UInt8(x / 5), UInt8(y / 4), isLight ? 220 : 30]
  }
  /// The same size in gray.
  static let gray: [UInt8] = rows { x, y in [UInt8((x + y) / 9)] }
  /// The same size in bits: stripes of 50 pixels that lean.
  static let bits: [UInt8] = rows { x, y in
    guard x.isMultiple(of: 8) else { return [] }
    return [(x + y) / 50 % 2 == 0 ? 0xFF : 0]
  }

  private static func rows(_ pixel: (_ x: Int, _ y: Int) -> [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<900 {
      for x in 0..<1200 { bytes += pixel(x, y) }
    }
    return bytes
  }

  /// An image object of that size.
  static func image(_ extra: String, _ data: [UInt8], bits: Int = 8) -> [UInt8] {
    PDFBuilder.stream(
      "/Type /XObject /Subtype /Image /Width 1200 /Height 900 /BitsPerComponent \(bits) \(extra)",
      data)
  }

  /// Pages with the image below text, each shifted a bit.
  static func document(_ image: [UInt8], pages: Int = 1, extra: String = "") -> PDFBuilder {
    var builder = PDFBuilder(
      pages: (0..<pages).map { page in
        PDFBuilder.Page(
          mediaBox: "[0 0 400 300]", extra: extra,
          content: """
            q 400 0 0 300 0 0 cm /I Do Q q 150 0 0 150 \(20 + 60 * page) 40 cm /I Do Q
            BT /F1 24 Tf 30 250 Td (Slide \(page)) Tj ET
            """, resources: "/XObject << /I 1000 0 R >>")
      })
    builder.objects[1000] = image
    return builder
  }

  private static let size = PixelSize(width: 107, height: 80)

  /// Draws a page with and without smaller images.
  private func expectSame(
    _ bytes: [UInt8], count: Int, page: Int = 0, tolerance: Double = 1.2,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var document = try PDFDocument(.bytes(bytes))
    let quick = try PageRenderer().picture(of: page, in: &document, size: Self.size)
    #expect(document.standInCount == count, sourceLocation: sourceLocation)
    #expect(quick.report.source == .render, sourceLocation: sourceLocation)
    #expect(quick.report.flaws == 0, sourceLocation: sourceLocation)
    let plain = PageRenderer(settings: RenderSettings(takesShortcuts: false))
    let slow = try plain.picture(of: page, in: &document, size: Self.size)
    #expect(document.standInCount == 0, sourceLocation: sourceLocation)
    let difference = `Scans of the corpus`.difference(quick.picture, slow.picture)
    #expect(difference < tolerance, sourceLocation: sourceLocation)
    var fresh = try PDFDocument(.bytes(bytes))
    let same = try plain.picture(of: page, in: &fresh, size: Self.size)
    #expect(slow.picture == same.picture, sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    "/ColorSpace /DeviceGray", "/ColorSpace /DeviceGray /Decode [1 0]",
    "/ColorSpace [/CalGray << /WhitePoint [0.95 1 1.09] >>] /Interpolate true",
    "/ColorSpace [/Indexed /DeviceRGB 255 1001 0 R]",
  ])
  func `gray, and through a table`(extra: String) throws {
    var builder = Self.document(Self.image(extra, Self.gray))
    builder.objects[1001] = PDFBuilder.stream("", (0..<768).map { UInt8($0 * 7 % 256) })
    try expectSame(builder.build(), count: 1)
  }

  @Test(arguments: [
    "/ColorSpace /DeviceGray", "/ColorSpace /DeviceGray /Decode [1 0]",
    "/ColorSpace [/Indexed /DeviceRGB 1 <FF0000 00FF80>]",
  ])
  func `of one bit`(extra: String) throws {
    try expectSame(Self.document(Self.image(extra, Self.bits, bits: 1)).build(), count: 1)
  }

  @Test func `packed by Flate, JPEG, and both`() throws {
    let packed = try #require(Zlib.compress(Self.samples, level: 6))
    let flate = Self.image("/ColorSpace /DeviceRGB /Filter /FlateDecode", packed)
    try expectSame(Self.document(flate).build(), count: 1)
    let picture = try #require(
      Picture(size: PixelSize(width: 1200, height: 900), format: .rgb, pixels: Self.samples))
    let jpeg = try PictureEncoder(format: .jpeg).encode(picture)
    let plain = Self.image("/ColorSpace /DeviceRGB /Filter /DCTDecode", jpeg)
    try expectSame(Self.document(plain).build(), count: 1)
    let both = Self.image(
      "/ColorSpace /DeviceRGB /Filter [/FlateDecode /DCTDecode]",
      try #require(Zlib.compress(jpeg, level: 6)))
    try expectSame(Self.document(both).build(), count: 1)
    // One byte too many before the end is no flaw that shows.
    let untidy = Array(jpeg.dropLast(2)) + [0, 0] + Array(jpeg.suffix(2))
    let warned = Self.image("/ColorSpace /DeviceRGB /Filter /DCTDecode", untidy)
    try expectSame(Self.document(warned).build(), count: 1)
  }

  @Test func `within patterns, which lie on the page wherever they are used`() throws {
    let packed = try #require(Zlib.compress(Self.samples, level: 6))
    for matrix in ["0.25 0 0 0.25 30 20", "0 0.3 0.3 0 50 10"] {
      var builder = PDFBuilder(pages: [
        .init(
          mediaBox: "[0 0 400 300]",
          content: "q 9 0 0 9 0 0 cm /Pattern cs /P scn 1 1 42 31 re f Q 0 g 10 10 30 30 re f",
          resources: "/Pattern << /P 1001 0 R >>")
      ])
      builder.objects[1000] = Self.image("/ColorSpace /DeviceRGB /Filter /FlateDecode", packed)
      builder.objects[1001] = PDFBuilder.stream(
        """
        /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1200 900] /XStep 2000 /YStep 2000 \
        /Matrix [\(matrix)] /Resources << /XObject << /I 1000 0 R >> >>
        """, Array("q 1200 0 0 900 0 0 cm /I Do Q".utf8))
      try expectSame(builder.build(), count: 1)
    }
  }

  @Test func `unpacked, where they are not much larger than needed`() throws {
    let packed = try #require(Zlib.compress(Self.samples, level: 6))
    let flate = Self.image("/ColorSpace /DeviceRGB /Filter /FlateDecode", packed)
    let size = PixelSize(width: 200, height: 150)
    var document = try PDFDocument(.bytes(Self.document(flate).build()))
    let quick = try PageRenderer().picture(of: 0, in: &document, size: size)
    #expect(document.standInCount == 1)
    let plain = PageRenderer(settings: RenderSettings(takesShortcuts: false))
    #expect(try plain.picture(of: 0, in: &document, size: size).picture == quick.picture)
  }

  @Test func `whose rows are predicted from each other`() throws {
    func image(_ pixel: Int, _ space: String, _ samples: [UInt8]) throws -> [UInt8] {
      let rows = PNGRows.filtered(samples, length: 1200 * pixel, step: pixel)
      return Self.image(
        """
        /ColorSpace \(space) /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors \(pixel) \
        /Columns 1200 >>
        """, try #require(Zlib.compress(rows, level: 1)))
    }
    let color = Self.document(try image(3, "/DeviceRGB", Self.samples)).build()
    try expectSame(color, count: 1)
    try expectSame(Self.document(try image(1, "/DeviceGray", Self.gray)).build(), count: 1)
    // In noise no filter foretells what another one would have.
    let noise = SeededRandom.bytes(1200 * 900)
    try expectSame(Self.document(try image(1, "/DeviceGray", noise)).build(), count: 1)
  }

  @Test func `with a soft mask, in forms, and below a form field`() throws {
    var builder = Self.document(
      Self.image("/ColorSpace /DeviceRGB /SMask 1001 0 R", Self.samples),
      extra: "/Annots [1003 0 R]")
    builder.objects[1001] = Self.image("/ColorSpace /DeviceGray", Self.gray)
    builder.objects[1002] = PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Matrix [200 0 0 150 10 10] /Resources << \
      /XObject << /I 1000 0 R >> >>
      """, Array("/I Do".utf8))
    builder.objects[1003] = Array(
      """
      << /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [200 100 300 200] /F 4 /AP << /N 1004 0 R >> >>
      """.utf8)
    builder.objects[1004] = PDFBuilder.stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 100 100]", Array("1 0 0 rg 0 0 60 60 re f".utf8))
    builder.catalog = "/AcroForm << /Fields [1003 0 R] >>"
    builder.pages[0].content = "/F Do 0 0 1 rg 300 0 50 50 re f"
    builder.pages[0].resources = "/XObject << /F 1002 0 R >>"
    try expectSame(builder.build(), count: 2)
  }

  @Test(arguments: [
    // Drawn so large that its pixels are needed, or small already.
    "q 1600 0 0 1200 0 0 cm /I Do Q", "BT /F1 9 Tf (no image) Tj ET",
  ])
  func `are left as they are where smaller ones would show`(content: String) throws {
    var builder = Self.document(Self.image("/ColorSpace /DeviceRGB", Self.samples))
    builder.pages[0].content = content + " BT /F1 24 Tf 30 250 Td (over it) Tj ET"
    try expectSame(builder.build(), count: 0, tolerance: 0.001)
  }

  @Test(arguments: [
    "/ColorSpace /DeviceCMYK", "/ColorSpace /DeviceRGB /Mask [0 1 0 1 0 1]",
    "/ColorSpace /DeviceRGB /Decode [0 0.5 0 1 0 1]", "/ColorSpace /DeviceRGB /SMask 1001 0 R",
    "/ColorSpace [/Separation /X /DeviceGray 9 0 R]",
  ])
  func `of other kinds are left as they are`(extra: String) throws {
    var builder = Self.document(Self.image(extra, Self.samples + Self.gray))
    builder.objects[1001] = Self.image("/ColorSpace /DeviceGray /Matte [0 0 0]", Self.gray)
    var document = try PDFDocument(.bytes(builder.build()))
    _ = try PageRenderer().picture(of: 0, in: &document, size: Self.size)
    #expect(document.standInCount == 0)
  }

  @Test func `that are damaged are left as they are`() throws {
    let packed = try #require(Zlib.compress(Self.samples, level: 6))
    for data in [Array(packed.prefix(2000)), Array(packed.prefix(100)) + [1, 2, 3]] {
      let image = Self.image("/ColorSpace /DeviceRGB /Filter /FlateDecode", data)
      var document = try PDFDocument(.bytes(Self.document(image).build()))
      _ = try PageRenderer().picture(of: 0, in: &document, size: Self.size)
      #expect(document.standInCount == 0)
    }
  }

  @Test(arguments: [PDFBuilder.Flaw.wrongOffsets, .junkBefore(20)])
  func `in damaged documents are left as they are`(flaw: PDFBuilder.Flaw) throws {
    var builder = Self.document(Self.image("/ColorSpace /DeviceGray", Self.gray))
    builder.flaw = flaw
    var document = try PDFDocument(.bytes(builder.build()))
    _ = try PageRenderer().picture(of: 0, in: &document, size: Self.size)
    #expect(document.standInCount == 0)
  }

  /// The same size in RGB, of squares so small that a picture made for less shows it.
  static let detailed: [UInt8] = rows { x, y in
    (x / 10 + y / 10).isMultiple(of: 2) ? [250, 250, 240] : [20, UInt8(x / 5), UInt8(y / 4)]
  }

  @Test func `are as large as a picture needs, whatever was drawn before`() throws {
    let bytes = Self.document(Self.image("/ColorSpace /DeviceRGB", Self.detailed), pages: 3).build()
    var document = try PDFDocument(.bytes(bytes))
    // At last so large that the image is needed as it is, and small again.
    let sizes = [(53, 40, 1), (107, 80, 1), (80, 60, 1), (200, 150, 0), (800, 600, 0), (53, 40, 1)]
    for (width, height, count) in sizes {
      let size = PixelSize(width: width, height: height)
      for page in 0..<3 {
        let found = try PageRenderer().picture(of: page, in: &document, size: size).picture
        #expect(document.standInCount == count)
        var fresh = try PDFDocument(.bytes(bytes))
        #expect(try PageRenderer().picture(of: page, in: &fresh, size: size).picture == found)
        let plain = try PageRenderer(settings: RenderSettings(takesShortcuts: false))
          .picture(of: page, in: &fresh, size: size)
        #expect(`Scans of the corpus`.difference(found, plain.picture) < 1.2)
      }
    }
  }

  @Test func `are as large as a page needs, whatever page was drawn before`() throws {
    var builder = Self.document(Self.image("/ColorSpace /DeviceRGB", Self.detailed), pages: 3)
    for (page, side) in [(0, 100), (1, 250), (2, 3000)] {
      builder.pages[page].content =
        "q \(side) 0 0 \(side) 0 0 cm /I Do Q BT /F1 24 Tf 30 250 Td (\(page)) Tj ET"
    }
    let bytes = builder.build()
    var document = try PDFDocument(.bytes(bytes))
    for page in [0, 1, 0, 2, 1, 2, 0] {
      let found = try PageRenderer().picture(of: page, in: &document, size: Self.size).picture
      #expect(document.standInCount == (page == 2 ? 0 : 1))
      var fresh = try PDFDocument(.bytes(bytes))
      #expect(try PageRenderer().picture(of: page, in: &fresh, size: Self.size).picture == found)
    }
  }

  @Test func `make room for others`() throws {
    let side = 1600
    let noise = (0..<side * side * 3).map { UInt8($0 / side % 251) }
    let picture = try #require(
      Picture(size: PixelSize(width: side, height: side), format: .rgb, pixels: noise))
    let jpeg = try PictureEncoder(format: .jpeg, quality: 40).encode(picture)
    var builder = PDFBuilder(
      pages: (0..<30).map { page in
        PDFBuilder.Page(
          mediaBox: "[0 0 300 300]",
          content: """
            q 300 0 0 300 0 0 cm /I Do Q \(Double(page) / 30) 0 0 rg 50 50 200 200 re f
            BT /F1 24 Tf 30 250 Td (\(page)) Tj ET
            """, resources: "/XObject << /I \(1000 + page) 0 R >>")
      })
    for page in 0..<30 {
      builder.objects[1000 + page] = PDFBuilder.stream(
        """
        /Type /XObject /Subtype /Image /Width \(side) /Height \(side) /BitsPerComponent 8 \
        /ColorSpace /DeviceRGB /Filter /DCTDecode
        """, jpeg)
    }
    let bytes = builder.build()
    var document = try PDFDocument(.bytes(bytes))
    var plain = try PDFDocument(.bytes(bytes))
    let size = PixelSize(width: 320, height: 320)
    var most = 0
    for page in 0..<30 {
      let quick = try PageRenderer().picture(of: page, in: &document, size: size)
      most = max(most, document.standInCount)
      #expect(document.standInCount > 0)
      guard page.isMultiple(of: 6) else { continue }
      let slow = try PageRenderer(settings: RenderSettings(takesShortcuts: false))
        .picture(of: page, in: &plain, size: size)
      #expect(`Scans of the corpus`.difference(quick.picture, slow.picture) < 1.2)
    }
    #expect((2..<20).contains(most))
  }

  @Test func `stay packed in the copy that workers share`() throws {
    let packed = try #require(Zlib.compress(Self.samples, level: 6))
    let image = Self.image("/ColorSpace /DeviceRGB /Filter /FlateDecode", packed)
    let bytes = Self.document(image, pages: 2).build()
    var plain = try PDFDocument(.bytes(bytes))
    var copied = try PDFDocument(.bytes(bytes))
    let copy = try ExpandedCopy.make(of: &copied)
    #expect(!copy.isEmpty && copy.count < packed.count + 100_000)
    for takesShortcuts in [true, false] {
      let renderer = PageRenderer(settings: RenderSettings(takesShortcuts: takesShortcuts))
      for page in 0..<2 {
        let expected = try renderer.picture(of: page, in: &plain, size: Self.size).picture
        #expect(try renderer.picture(of: page, in: &copied, size: Self.size).picture == expected)
        #expect(copied.standInCount == (takesShortcuts ? 1 : 0))
      }
    }
  }

  @Test func `are the same beside text that is hidden for its layout`() throws {
    var builder = Self.document(Self.image("/ColorSpace /DeviceRGB", Self.detailed), pages: 2)
    for word in 0..<2500 {
      builder.pages[0].content += " BT /F1 2 Tf \(word % 50 * 8) \(word / 50 * 6) Td (word) Tj ET"
    }
    let bytes = builder.build()
    var plain = try PDFDocument(.bytes(bytes))
    var copied = try PDFDocument(.bytes(bytes))
    #expect(try !ExpandedCopy.make(of: &copied).isEmpty)
    for page in [0, 1, 0] {
      let expected = try PageRenderer().picture(of: page, in: &plain, size: Self.size)
      #expect(plain.standInCount == 1)
      let found = try PageRenderer().picture(of: page, in: &copied, size: Self.size)
      #expect(copied.standInCount == 1)
      #expect(found.picture == expected.picture)
      #expect(found.report == expected.report)
    }
    // A copy of a copy is the copy.
    #expect(try ExpandedCopy.make(of: &plain) == ExpandedCopy.make(of: &copied))
  }
}
