import PdfThumbCore
import TestSupport
import Testing

/// One image that a page draws small, and that is drawn large in a place that is easily overlooked.
///
/// A smaller image made for the one use would show in the other.
@Suite struct `Images that are used in several places` {
  /// A place that draws object 1000 large, as `400 0 0 300 0 0 cm` would.
  enum Place: String, CaseIterable, Sendable {
    case directly, throughAnEscapedName, ofThePageTree
    case annotation, annotationState, annotationPressed, fieldWithoutResources, fieldOfThePageTree
    case formWithinForms, formThatNamesNothing, formOverAnother, unreadableForm
    case softMask, softMaskOfForm, stencilMask
    case glyph, glyphOfState, patternInGlyph
    case patternInForm, behindInlineImage, behindUnknownOperator, inLongContent, inManyForms
  }

  private static let size = PixelSize(width: 107, height: 80)
  private static let large = "q 400 0 0 300 0 0 cm /I Do Q"
  private static let small = "q 40 0 0 30 350 5 cm /J Do Q 0.5 g 3 3 20 20 re f"
  private static let named = "/Resources << /XObject << /I 1000 0 R >> >>"

  /// 1,200 by 900 pixels in gray: bold squares.
  private static let bold: [UInt8] = {
    var bytes: [UInt8] = []
    for y in 0..<900 {
      for x in 0..<1200 { bytes.append((x / 60 + y / 60).isMultiple(of: 2) ? 255 : 0) }
    }
    return bytes
  }()

  private static func form(_ entries: String, _ content: String) -> [UInt8] {
    PDFBuilder.stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 400 300] \(entries)", Array(content.utf8))
  }

  private static func annotation(_ appearance: String, _ kind: String = "/Stamp") -> [UInt8] {
    Array(
      """
      << /Type /Annot /Subtype \(kind) /FT /Btn /Ff 65536 /T (a) /Rect [0 0 400 300] /F 4 \
      /AP << \(appearance) >> >>
      """.utf8)
  }

  /// The page that draws the image large in that place, and the objects it takes.
  private static func page(_ place: Place, _ builder: inout PDFBuilder) -> PDFBuilder.Page {
    var page = PDFBuilder.Page(mediaBox: "[0 0 400 300]", content: "0.9 g 0 0 5 5 re f")
    let annotated = "/Annots [1001 0 R]"
    switch place {
    case .directly, .throughAnEscapedName, .ofThePageTree:
      page.content = place == .throughAnEscapedName ? "q 400 0 0 300 0 0 cm /#49 Do Q" : large
      page.resources = "/XObject << /I 1000 0 R >>"
    case .annotation, .annotationState, .annotationPressed:
      page.extra = annotated
      let states = "<< /On 1002 0 R /Off 1003 0 R >>"
      builder.objects[1001] =
        switch place {
        case .annotationState: annotation("/N \(states) >> /AS /On /MK <<", "/Widget")
        case .annotationPressed: annotation("/D \(states) /N 1002 0 R")
        default: annotation("/N 1002 0 R")
        }
      builder.objects[1002] = form(named, large)
      builder.objects[1003] = form("", "")
    case .fieldWithoutResources, .fieldOfThePageTree:
      page.extra = annotated
      page.resources = "/XObject << /I 1000 0 R >>"
      builder.objects[1001] = annotation("/N 1002 0 R", "/Widget")
      builder.objects[1002] = form("", large)
    case .formWithinForms, .inManyForms:
      let depth = place == .formWithinForms ? 8 : 40
      page.content = "/F Do"
      page.resources = "/XObject << /F 1010 0 R >>"
      for level in 0..<depth {
        builder.objects[1010 + level] = form(
          "/Resources << /XObject << /F \(1011 + level) 0 R >> >>", "/F Do")
      }
      builder.objects[1010 + depth] = form(named, large)
    case .formThatNamesNothing, .unreadableForm:
      page.content = "/F Do"
      page.resources = "/XObject << /F 1001 0 R /I 1000 0 R >>"
      builder.objects[1001] =
        place == .unreadableForm
        ? form("/Filter /ASCIIHexDecode", large.utf8.map { hexadecimal($0) }.joined() + "zz>")
        : form("/Resources << /XObject << /K 1000 0 R >> >>", large)
    case .formOverAnother:
      page.content = "/F Do q 10 0 0 10 0 0 cm /F Do Q"
      page.resources = "/XObject << /F 1001 0 R >>"
      builder.objects[1001] = form("/Matrix [400 0 0 300 0 0] /BBox [0 0 1 1] \(named)", "/I Do")
    case .softMask, .softMaskOfForm:
      page.content = "/G gs 0 0 0.6 rg 0 0 400 300 re f"
      page.resources =
        "/ExtGState << /G << /SMask << /Type /Mask /S /Luminosity /G 1001 0 R >> >> >>"
      let group = "/Group << /S /Transparency /CS /DeviceGray >>"
      builder.objects[1001] =
        place == .softMask
        ? form("\(group) \(named)", large)
        : form("\(group) /Resources << /XObject << /F 1002 0 R >> >>", "/F Do")
      builder.objects[1002] = form(named, large)
    case .stencilMask:
      page.content = "q 400 0 0 300 0 0 cm /M Do Q"
      page.resources = "/XObject << /M 1001 0 R >>"
      builder.objects[1001] = PDFBuilder.stream(
        """
        /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray \
        /SMask 1000 0 R
        """, [0])
    case .glyph, .glyphOfState, .patternInGlyph:
      page.content =
        "BT \(place == .glyphOfState ? "/G gs" : "/T 300 Tf") 0 0 Td (a) Tj ET"
      page.resources =
        "/Font << /T 1001 0 R >> /ExtGState << /G << /Font [1001 0 R 300] >> >>"
      let pattern = "/Resources << /Pattern << /P 1003 0 R >> >>"
      builder.objects[1001] = Array(
        """
        << /Type /Font /Subtype /Type3 /FontBBox [0 0 2 1] /FontMatrix [1 0 0 1 0 0] \
        /FirstChar 97 /LastChar 97 /Widths [1] /Encoding << /Differences [97 /a] >> \
        /CharProcs << /a 1002 0 R >> \(place == .patternInGlyph ? pattern : named) >>
        """.utf8)
      let glyph =
        place == .patternInGlyph
        ? "/Pattern cs /P scn 0 0 1.3333 1 re f" : "1.3333 0 0 1 0 0 cm /I Do"
      builder.objects[1002] = PDFBuilder.stream("", Array("2 0 d0 \(glyph)".utf8))
      builder.objects[1003] = Self.pattern("1.3333 0 0 1 0 0")
    case .patternInForm:
      page.content = "/F Do"
      page.resources = "/XObject << /F 1001 0 R >>"
      builder.objects[1001] = form(
        "/Resources << /Pattern << /P 1003 0 R >> >>",
        "/Pattern cs /P scn 0 0 400 300 re f")
      builder.objects[1003] = Self.pattern("400 0 0 300 0 0")
    case .behindInlineImage, .behindUnknownOperator, .inLongContent:
      page.resources = "/XObject << /I 1000 0 R >>"
      page.content =
        switch place {
        // Its data end behind a string that begins at what looks like the image's end.
        case .behindInlineImage:
          "q 2 0 0 2 0 0 cm BI /W 8 /H 1 /BPC 8 /CS /G ID  EI (abc EI Q \(large) 0 g % )"
        case .behindUnknownOperator: "unknown \(large)"
        default: String(repeating: "0 g\n", count: 260_000) + large
        }
    }
    return page
  }

  private static func pattern(_ matrix: String) -> [UInt8] {
    PDFBuilder.stream(
      """
      /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 2 /YStep 2 \
      /Matrix [\(matrix)] \(named)
      """, Array("/I Do".utf8))
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }

  private static func document(_ place: Place, onOnePage: Bool) -> PDFBuilder {
    var builder = PDFBuilder(pages: [
      .init(
        mediaBox: "[0 0 400 300]", content: small, resources: "/XObject << /J 1000 0 R >>")
    ])
    builder.objects[1000] = PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Image /Width 1200 /Height 900 /BitsPerComponent 8 \
      /ColorSpace /DeviceGray
      """, bold)
    var page = page(place, &builder)
    if onOnePage {
      page.content += " " + small
      page.resources =
        page.resources.contains("/XObject <<")
        ? page.resources.replacing("/XObject <<", with: "/XObject << /J 1000 0 R")
        : page.resources + " /XObject << /J 1000 0 R >>"
      builder.pages = []
    }
    builder.pages.append(page)
    return builder
  }

  private static func differs(
    _ page: Int, _ document: inout PDFDocument, _ bytes: [UInt8]
  ) throws -> Double {
    let found = try PageRenderer().picture(of: page, in: &document, size: size).picture
    var fresh = try PDFDocument(.bytes(bytes))
    let plain = try PageRenderer(settings: RenderSettings(takesShortcuts: false))
      .picture(of: page, in: &fresh, size: size).picture
    // The image is there at all.
    let dark = stride(from: 0, to: plain.pixels.count, by: 3).count { plain.pixels[$0] < 100 }
    #expect(page == 0 || dark > size.width * size.height / 10)
    return `Scans of the corpus`.difference(found, plain)
  }

  @Test(arguments: Place.allCases)
  func `are drawn large as they are where another page has them small`(place: Place) throws {
    let bytes = Self.document(place, onOnePage: false).build()
    var document = try PDFDocument(.bytes(bytes))
    #expect(try Self.differs(0, &document, bytes) < 0.3)
    #expect(document.standInCount == 1)
    #expect(try Self.differs(1, &document, bytes) < 1.2)
    #expect(try Self.differs(0, &document, bytes) < 0.3)
  }

  // Fields that were not filled in have streams of no bytes, for which qpdf gives no buffer.
  @Test(arguments: [1002, 1003], ["", "/Filter /FlateDecode"])
  func `are made small beside what draws nothing`(empty: Int, entries: String) throws {
    var builder = Self.document(.directly, onOnePage: false)
    builder.pages[0].extra = "/Annots [1001 0 R]"
    builder.pages[0].content += " /F Do"
    builder.pages[0].resources = "/XObject << /J 1000 0 R /F 1003 0 R >>"
    builder.objects[1001] = Self.annotation("/N 1002 0 R", "/Widget")
    let nothing: [UInt8] = entries.isEmpty ? [] : [0x78, 0x9c, 3, 0, 0, 0, 0, 1]
    let form = PDFBuilder.stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 400 300] \(entries)", nothing)
    builder.objects[1002] = empty == 1002 ? form : Self.form("", "0 g")
    builder.objects[1003] = empty == 1003 ? form : Self.form("", "0 g")
    let bytes = builder.build()
    var document = try PDFDocument(.bytes(bytes))
    #expect(try Self.differs(0, &document, bytes) < 0.3)
    #expect(document.standInCount == 1)
  }

  @Test(arguments: Place.allCases)
  func `are drawn large as they are where the same page has them small`(place: Place) throws {
    let bytes = Self.document(place, onOnePage: true).build()
    var document = try PDFDocument(.bytes(bytes))
    #expect(try Self.differs(0, &document, bytes) < 1.2)
  }
}
