import PdfThumbCore
import TestSupport
import Testing

@Suite struct DrawingTests {
  /// A page of 200 by 100 points: the left half red, the right half blue.
  static let halves = PDFBuilder.Page(
    mediaBox: "[0 0 200 100]", content: "1 0 0 rg 0 0 100 100 re f 0 0 1 rg 100 0 100 100 re f")

  private func draw(
    _ page: PDFBuilder.Page, width: Int, height: Int, _ settings: RenderSettings = RenderSettings()
  ) throws -> (pixels: [UInt8], report: DrawingReport) {
    var document = try PDFDocument(.bytes(PDFBuilder(pages: [page]).build()))
    let size = PixelSize(width: width, height: height)
    let drawn = try PageRenderer(settings: settings).picture(of: 0, in: &document, size: size)
    return (drawn.picture.pixels, drawn.report)
  }

  private func pixel(_ pixels: [UInt8], _ x: Int, _ y: Int, width: Int) -> [UInt8] {
    Array(pixels[(y * width + x) * 3..<(y * width + x) * 3 + 3])
  }

  @Test(
    arguments: [
      (0, "", [255, 0, 0], [0, 0, 255]),
      (0, "/Rotate 180", [0, 0, 255], [255, 0, 0]),
      (180, "", [0, 0, 255], [255, 0, 0]),
    ] as [(Int, String, [UInt8], [UInt8])])
  func `colours stand where the page has them`(
    turn: Int, extra: String, left: [UInt8], right: [UInt8]
  ) throws {
    var page = Self.halves
    page.extra = extra
    let (pixels, report) = try draw(page, width: 40, height: 20, RenderSettings(rotation: turn))
    #expect(pixel(pixels, 5, 10, width: 40) == left)
    #expect(pixel(pixels, 35, 10, width: 40) == right)
    #expect(!report.isBlank)
  }

  @Test(
    arguments: [(90, ""), (0, "/Rotate 90"), (180, "/Rotate 270")]
  )
  func `a turn to the right puts the left side on top`(turn: Int, extra: String) throws {
    var page = Self.halves
    page.extra = extra
    let (pixels, _) = try draw(page, width: 20, height: 40, RenderSettings(rotation: turn))
    #expect(pixel(pixels, 10, 5, width: 20) == [255, 0, 0])
    #expect(pixel(pixels, 10, 35, width: 20) == [0, 0, 255])
  }

  @Test func `the crop box fills the picture`() throws {
    var page = Self.halves
    page.extra = "/CropBox [110 10 190 90]"
    let (pixels, _) = try draw(page, width: 20, height: 20)
    #expect(Set(stride(from: 0, to: pixels.count, by: 3).map { pixels[$0] }) == [0])
    #expect(pixel(pixels, 0, 0, width: 20) == [0, 0, 255])
    #expect(pixel(pixels, 19, 19, width: 20) == [0, 0, 255])
  }

  @Test func `the ground is white, a colour or nothing`() throws {
    let white = try draw(PDFBuilder.Page(), width: 10, height: 15)
    #expect(white.report.isBlank)
    #expect(white.pixels.allSatisfy { $0 == 255 })
    let green = RGBColor(red: 10, green: 200, blue: 30)
    let colored = try draw(
      PDFBuilder.Page(), width: 10, height: 15, RenderSettings(ground: .color(green)))
    #expect(colored.report.isBlank)
    #expect(Array(colored.pixels.prefix(3)) == [10, 200, 30])
    let clear = try draw(PDFBuilder.Page(), width: 10, height: 15, RenderSettings(ground: .none))
    #expect(clear.report.isBlank)
    #expect(clear.pixels == [UInt8](repeating: 0, count: 600))
  }

  @Test func `colours over no ground are not premultiplied`() throws {
    let page = PDFBuilder.Page(
      mediaBox: "[0 0 20 20]", content: "/G gs 1 0 0 rg 0 0 20 20 re f",
      resources: "/ExtGState << /G << /ca 0.5 >> >>")
    let (pixels, _) = try draw(page, width: 10, height: 10, RenderSettings(ground: .none))
    #expect(Array(pixels.prefix(3)) == [255, 0, 0])
    #expect((126...129).contains(pixels[3]))
  }

  /// ISO 32000-1, 11.4.7: a page is a group, which lies on the ground when it is finished.
  @Test(arguments: ["/Difference", "/Multiply", "[ /Exclusion /Normal ]", "/Normal"])
  func `colours blend with the page and not with the ground`(mode: String) throws {
    let page = PDFBuilder.Page(
      mediaBox: "[0 0 20 20]", content: "/G gs 1 0 0 rg 0 0 10 20 re f",
      resources: "/ExtGState << /G << /BM \(mode) >> >>")
    for ground in [RGBColor.white, RGBColor(red: 0, green: 255, blue: 0)] {
      let (pixels, _) = try draw(page, width: 4, height: 4, RenderSettings(ground: .color(ground)))
      #expect(pixel(pixels, 0, 0, width: 4) == [255, 0, 0])
      #expect(pixel(pixels, 3, 0, width: 4) == [ground.red, ground.green, ground.blue])
    }
  }

  @Test func `gray pictures have luminance alone`() throws {
    let (pixels, _) = try draw(Self.halves, width: 40, height: 20, RenderSettings(isGray: true))
    #expect(pixels.count == 800)
    #expect(pixels[0] == 76)
    #expect(pixels[39] == 29)
  }

  @Test func `a hairline is neither black nor gone`() throws {
    let page = PDFBuilder.Page(
      mediaBox: "[0 0 600 800]", content: "0 w 0 400 m 600 400 l S 0.1 w 300 0 m 300 800 l S")
    let (pixels, _) = try draw(page, width: 60, height: 80)
    let column = (0..<80).map { pixels[($0 * 60 + 10) * 3] }.min() ?? 255
    #expect((20..<250).contains(column))
  }

  @Test func `pictures beyond the limits are refused before any memory is taken`() throws {
    var document = try PDFDocument(.bytes(PDFBuilder(pages: [.init()]).build()))
    let page = try document.geometry(of: 0)
    for size in [ThumbnailSize.height(40_000), .scale(1e9), .fit(width: 19_000, height: 19_000)] {
      do {
        _ = try PageRenderer().pixelSize(of: page, size: size)
        Issue.record("\(size) was accepted")
      } catch {
        #expect(error.code == .pageTooLarge)
      }
    }
  }

  @Test(
    arguments: [
      (.height(80), 200, 300, 53, 80), (.width(80), 200, 300, 80, 120),
      (.fit(width: 128, height: 128), 300, 200, 128, 85), (.scale(0.5), 201, 300, 101, 150),
      (.height(80), 1_000_000, 1, 8000, 1), (.height(80), 1, 1_000_000, 1, 80),
      (.width(10), 1, 1_000_000, 1, 1000), (.scale(.nan), 10, 10, 10, 10),
      (.height(0), 10, 10, 1, 1),
    ] as [(ThumbnailSize, Double, Double, Int, Int)])
  func `sizes keep proportions within bounds`(
    size: ThumbnailSize, pageWidth: Double, pageHeight: Double, width: Int, height: Int
  ) {
    #expect(
      size.pixels(pageWidth: pageWidth, pageHeight: pageHeight)
        == PixelSize(width: width, height: height))
  }
}
