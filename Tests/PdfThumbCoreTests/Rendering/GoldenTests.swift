import PdfThumbCore
import SystemIO
import TestSupport
import Testing

/// Pictures that were looked at and found right, compared pixel by pixel.
///
/// With `COURIER_UPDATE_GOLDEN=1` in the environment the files are written instead; look at them before they are
/// committed. Fonts of this machine take no part: letters are a Type 3 font of our own.
@Suite struct GoldenTests {
  /// A page and how it is drawn.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var page: PDFBuilder.Page
    var objects: [Int: [UInt8]] = [:]
    var settings = RenderSettings()
  }

  /// Lines of letters: a square with a hole, and a triangle.
  private static let letters = PDFBuilder.Page(
    mediaBox: "[0 0 600 800]",
    content: stride(from: 750, to: 30, by: -12).map { y in
      "BT /F2 10 Tf 40 \(y) Td (ababbaab abba baab aabb abab bbaa abba ab) Tj ET"
    }.joined(separator: "\n"),
    resources: "/Font << /F2 1000 0 R >>")

  private static let font: [Int: [UInt8]] = [
    1000: Array(
      """
      << /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] \
      /FirstChar 32 /LastChar 98 /Widths [300 \(String(repeating: "0 ", count: 64)) 700 600] \
      /Encoding << /Differences [97 /a /b] >> /CharProcs << /a 1001 0 R /b 1002 0 R >> /Resources << >> >>
      """.utf8),
    1001: PDFBuilder.stream(
      "", Array("700 0 0 0 700 700 d1 80 0 540 700 re 220 140 260 420 re f*".utf8)),
    1002: PDFBuilder.stream("", Array("600 0 0 0 600 700 d1 50 0 m 550 0 l 300 700 l f".utf8)),
  ]

  private static let comb = stride(from: 50, to: 530, by: 12).map { x in "\(x) 100 m \(x) 400 l S" }
    .joined(separator: " ")

  /// Hairlines, thin lines, curves and dashes in colours.
  private static let lines = PDFBuilder.Page(
    mediaBox: "[0 0 600 800]",
    content: """
      0 w 50 750 m 550 700 l S 0.2 w 50 650 500 80 re S 1 w 1 0 0 RG 50 600 m 200 400 400 800 550 600 c S
      2 w 0 0 1 RG [12 6] 0 d 50 550 m 550 550 l S [] 0 d 10 w 1 J 0 0.5 0 RG 80 480 m 520 480 l S
      0.5 w 0 G \(comb)
      """)

  /// Shapes over each other, half transparent and blended; a gradient.
  private static let colors = PDFBuilder.Page(
    mediaBox: "[0 0 600 800]",
    content: """
      q 100 400 400 300 re W n /S sh Q /A gs 1 0 0 rg 50 300 300 300 re f 0 0 1 rg 250 200 300 300 re f
      /B gs 1 1 0 rg 150 100 300 300 re f
      """,
    resources: """
      /ExtGState << /A << /ca 0.5 >> /B << /BM /Multiply /ca 1 >> >> /Shading << /S << /ShadingType 2 \
      /ColorSpace /DeviceRGB /Coords [100 400 500 700] /Extend [true true] \
      /Function << /FunctionType 2 /Domain [0 1] /C0 [0 0.6 0.2] /C1 [1 1 1] /N 1 >> >> >>
      """)

  /// A checked image of 304 by 200 pixels, 1 bit each, as a scanner makes them.
  private static let image: [UInt8] = {
    var data: [UInt8] = []
    for row in 0..<200 {
      let dots: UInt8 = row % 2 == 0 ? 0x55 : 0xAA
      for column in 0..<38 { data.append((row / 25 + column / 4) % 2 == 0 ? dots : 0xFF) }
    }
    return PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Image /Width 304 /Height 200 /BitsPerComponent 1 \
      /ColorSpace /DeviceGray
      """, data)
  }()

  static let cases = [
    Case(testDescription: "letters", page: letters, objects: font),
    Case(testDescription: "lines", page: lines),
    Case(testDescription: "colors", page: colors),
    Case(
      testDescription: "colors-gray", page: colors, settings: RenderSettings(isGray: true)),
    Case(
      testDescription: "colors-on-nothing", page: colors, settings: RenderSettings(ground: .none)),
    Case(
      testDescription: "image",
      page: .init(
        mediaBox: "[0 0 600 800]", content: "q 500 0 0 700 50 50 cm /I Do Q",
        resources: "/XObject << /I 1000 0 R >>"), objects: [1000: image]),
    Case(
      testDescription: "turned-and-cropped",
      page: .init(
        mediaBox: "[0 0 600 800]",
        extra: "/Rotate 90 /CropBox [40 60 400 760] /TrimBox [100 100 300 700]",
        content: lines.content)),
    Case(
      testDescription: "trimmed",
      page: .init(
        mediaBox: "[0 0 600 800]",
        extra: "/Rotate 90 /CropBox [40 60 400 760] /TrimBox [100 100 300 700]",
        content: lines.content), settings: RenderSettings(box: .trim, rotation: 180)),
    Case(
      testDescription: "annotated",
      page: .init(
        mediaBox: "[0 0 600 800]",
        extra: """
          /Annots [<< /Type /Annot /Subtype /Square /Rect [50 50 550 400] /C [1 0 0] /BS << /W 8 >> /F 4 \
          /AP << /N 1000 0 R >> >>]
          """,
        content: "0.9 g 0 400 600 400 re f"),
      objects: [
        1000: PDFBuilder.stream(
          "/Type /XObject /Subtype /Form /BBox [0 0 500 350]",
          Array("1 0 0 RG 8 w 4 4 492 342 re S".utf8))
      ]),
  ]

  private static let folder = Path.join(
    Path.parent(of: Path.parent(of: Path.parent(of: #filePath))), "Fixtures/golden/pages")

  @Test(arguments: cases) func `pages look as they did when looked at`(item: Case) throws {
    var builder = PDFBuilder(pages: [item.page])
    builder.objects = item.objects
    var document = try PDFDocument(.bytes(builder.build()))
    let renderer = PageRenderer(settings: item.settings)
    let page = try document.geometry(of: 0, withBoxes: true)
    let size = try renderer.pixelSize(of: page, size: .height(80))
    let picture = try renderer.picture(of: 0, in: &document, size: size).picture
    let file = try PNGEncoder(level: 9).encode(picture)
    let path = Path.join(Self.folder, item.testDescription + ".png")
    if Environment["COURIER_UPDATE_GOLDEN"] == "1" {
      try FileSystem.makeDirectories(Self.folder)
      return try FileSystem.place(file, at: path)
    }
    let golden = try #require(
      PNGDecoder.decode(try FileDescriptor.open(path).readToEnd(limit: 1 << 20)))
    let found = try #require(PNGDecoder.decode(file))
    try #require(found.size == golden.size)
    let differences = zip(found.pixels, golden.pixels).map { abs(Int($0) - Int($1)) }
    // Other versions of cairo and poppler round otherwise at edges.
    #expect(differences.reduce(0, +) <= 2 * differences.count, "on average over 2 of 255")
    #expect(
      differences.count { $0 > 40 } * 100 <= differences.count, "over 1 % of the pixels differ much"
    )
  }

  /// Cairo has no surfaces of more than 32,767 pixels a side, and drops larger images in silence.
  @Test(
    arguments: [(40_000, 80, 1), (80, 40_000, 1), (35_000, 80, 8), (33_000, 1000, 1)])
  func `images beyond cairo's limit are drawn`(width: Int, height: Int, bits: Int) throws {
    // White above, black below.
    let row = (width * bits + 7) / 8
    let data =
      [UInt8](repeating: 0xFF, count: row * (height / 2))
      + [UInt8](repeating: 0, count: row * (height - height / 2))
    let isLarge = data.count > 1 << 20
    let packed = isLarge ? try #require(Zlib.compress(data, level: 1)) : data
    var builder = PDFBuilder(pages: [
      .init(
        mediaBox: "[0 0 60 80]", content: "60 0 0 80 0 0 cm /I Do",
        resources: "/XObject << /I 1000 0 R >>")
    ])
    builder.objects[1000] = PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Image /Width \(width) /Height \(height) /BitsPerComponent \(bits) \
      /ColorSpace /DeviceGray \(isLarge ? "/Filter /FlateDecode" : "")
      """, packed)
    for shortcuts in [true, false] {
      var document = try PDFDocument(.bytes(builder.build()))
      let renderer = PageRenderer(settings: RenderSettings(takesShortcuts: shortcuts))
      let (picture, report) = try renderer.picture(
        of: 0, in: &document, size: PixelSize(width: 30, height: 40))
      #expect(!report.isBlank)
      #expect(picture.pixels[(10 * 30 + 15) * 3] > 200)
      #expect(picture.pixels[(30 * 30 + 15) * 3] < 55)
    }
  }
}
