import PdfThumbCore
import TestSupport
import Testing

@Suite struct GeometryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var page: PDFBuilder.Page
    var width: Double
    var height: Double
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "media box alone", page: .init(), width: 200, height: 300),
    Case(
      name: "crop box inside", page: .init(extra: "/CropBox [50 50 150 100]"), width: 100,
      height: 50),
    Case(name: "turned right", page: .init(extra: "/Rotate 90"), width: 300, height: 200),
    Case(name: "turned over", page: .init(extra: "/Rotate 180"), width: 200, height: 300),
    Case(name: "turned left", page: .init(extra: "/Rotate -90"), width: 300, height: 200),
    Case(
      name: "crop box and turn", page: .init(extra: "/Rotate 270 /CropBox [0 0 100 60]"), width: 60,
      height: 100),
    Case(name: "user unit", page: .init(extra: "/UserUnit 2.5"), width: 500, height: 750),
    Case(
      name: "user unit, crop box and turn",
      page: .init(extra: "/UserUnit 10 /Rotate 90 /CropBox [0 0 20 60]"), width: 600, height: 200),
    Case(name: "user unit of nothing", page: .init(extra: "/UserUnit 0"), width: 200, height: 300),
    Case(
      name: "user unit beyond reason", page: .init(extra: "/UserUnit 1e9"), width: 200, height: 300),
    Case(name: "no size", page: .init(mediaBox: "[0 0 0 0]"), width: 612, height: 792),
  ]

  @Test(arguments: cases)
  func `sizes are those shown`(item: Case) throws {
    var document = try PDFDocument(.bytes(PDFBuilder(pages: [item.page]).build()))
    let geometry = try document.geometry(of: 0)
    #expect(geometry.width == item.width)
    #expect(geometry.height == item.height)
  }

  @Test(arguments: PageBox.allCases, [1.0, 4.0])
  func `a user unit scales every box and the picture alike`(box: PageBox, unit: Double) throws {
    let page = PDFBuilder.Page(
      mediaBox: "[0 0 40 60]", extra: "/TrimBox [10 10 30 50] /UserUnit \(unit)",
      content: "0 0 1 rg 0 0 40 60 re f 1 0 0 rg 10 10 20 40 re f")
    var document = try PDFDocument(.bytes(PDFBuilder(pages: [page]).build()))
    let geometry = try document.geometry(of: 0, withBoxes: true)
    let renderer = PageRenderer(settings: RenderSettings(box: box))
    let size = try renderer.pixelSize(of: geometry, size: .scale(1))
    let points = box == .trim ? (20.0, 40.0) : (40.0, 60.0)
    #expect(size == PixelSize(width: Int(points.0 * unit), height: Int(points.1 * unit)))
    let picture = try renderer.picture(of: 0, in: &document, size: size).picture
    let middle = (size.height / 2 * size.width + size.width / 2) * 3
    #expect(Array(picture.pixels[middle..<middle + 3]) == [255, 0, 0])
    #expect(Array(picture.pixels.prefix(3)) == (box == .trim ? [255, 0, 0] : [0, 0, 255]))
  }

  @Test func `all boxes are known when asked for`() throws {
    let page = PDFBuilder.Page(
      mediaBox: "[0 0 400 600]",
      extra: "/CropBox [10 20 390 580] /TrimBox [30 40 370 560] /Rotate 450 /UserUnit 2")
    var document = try PDFDocument(.bytes(PDFBuilder(pages: [page]).build()))
    #expect(try document.geometry(of: 0).boxes == nil)
    let boxes = try #require(try document.geometry(of: 0, withBoxes: true).boxes)
    #expect(
      boxes
        == PageBoxes(
          media: PDFRectangle(0, 0, 400, 600), crop: PDFRectangle(10, 20, 390, 580),
          trim: PDFRectangle(30, 40, 370, 560), rotation: 90, userUnit: 2))
  }

  @Test func `labels and outline come as the document names them`() throws {
    var builder = PDFBuilder(pages: Array(repeating: .init(), count: 5))
    builder.labels = "0 << /S /r >> 2 << /S /D /P (A-) /St 7 >>"
    builder.outline = [("Preface", 0), ("Chapter One", 2)]
    var document = try PDFDocument(.bytes(builder.build()))
    var labels: [String] = []
    for page in 0..<5 { labels.append(try document.geometry(of: page).label) }
    #expect(labels == ["i", "ii", "A-7", "A-8", "A-9"])
    #expect(
      document.outline() == [
        OutlineEntry(title: "Preface", level: 0, page: 0),
        OutlineEntry(title: "Chapter One", level: 0, page: 2),
      ])
  }

  @Test func `a count that lies a little adds no pages`() throws {
    var builder = PDFBuilder(pages: [.init(), .init()])
    builder.flaw = .count(6)
    var document = try PDFDocument(.bytes(builder.build()))
    #expect(document.pageCount < 1000)
    #expect(try document.geometry(of: 1).index == 1)
  }
}
