import PdfThumbCore
import TestSupport
import Testing

@Suite struct EmbeddedThumbnailTests {
  /// A red page of 60 by 80 points whose thumbnail is blue above and green below.
  private func document(
    width: Int, height: Int, colors: [[UInt8]] = [[0, 0, 255], [0, 128, 0]], extra: String = "",
    lie: String? = nil
  ) throws -> PDFDocument {
    var builder = PDFBuilder(pages: [
      .filled("1 0 0", width: 60, height: 80, extra: "/Thumb 1000 0 R \(extra)")
    ])
    let pixels = (0..<height).flatMap { row in
      Array(repeatElement(colors[row * colors.count / height], count: width).joined())
    }
    builder.objects[1000] = PDFBuilder.stream(
      "/BitsPerComponent 8 /ColorSpace /DeviceRGB "
        + (lie ?? "/Width \(width) /Height \(height)"), pixels)
    return try PDFDocument(.bytes(builder.build()))
  }

  private func draw(
    _ document: consuming PDFDocument, _ settings: RenderSettings
  ) throws -> (DrawingReport, first: [UInt8], last: [UInt8]) {
    var document = document
    let size = PixelSize(width: 60, height: 80)
    let drawn = try PageRenderer(settings: settings).picture(of: 0, in: &document, size: size)
    let step = settings.format.bytesPerPixel
    return (
      drawn.report, Array(drawn.picture.pixels.prefix(step)),
      Array(drawn.picture.pixels.suffix(step))
    )
  }

  @Test(arguments: [(60, 80), (45, 60), (120, 160), (61, 80), (750, 1000)])
  func `one of the page's shape and of enough pixels stands for it`(
    width: Int, height: Int
  ) throws {
    for use in [EmbeddedThumbnails.preferred, .required] {
      let (report, first, last) = try draw(
        try document(width: width, height: height), RenderSettings(embedded: use))
      #expect(report.source == .embedded)
      #expect(!report.isBlank)
      #expect(first == [0, 0, 255])
      #expect(last == [0, 128, 0])
    }
  }

  @Test(arguments: [(1, 1), (8, 8), (44, 59), (80, 60), (60, 90), (1200, 1600)])
  func `one of another shape or size does not`(width: Int, height: Int) throws {
    let (report, first, _) = try draw(
      try document(width: width, height: height), RenderSettings(embedded: .preferred))
    #expect(report.source == .render)
    #expect(first == [255, 0, 0])
    let error = #expect(throws: PDFError.self) {
      try draw(try document(width: width, height: height), RenderSettings(embedded: .required))
    }
    #expect(error?.code == .noThumbnail)
    #expect(error?.page == 0)
  }

  @Test(
    arguments: [[[255, 255, 255]], [[7, 7, 7]], [[250, 250, 250], [255, 255, 255]]] as [[[UInt8]]])
  func `one of a single colour does not`(colors: [[UInt8]]) throws {
    let (report, first, _) = try draw(
      try document(width: 60, height: 80, colors: colors), RenderSettings(embedded: .preferred))
    #expect(report.source == .render)
    #expect(first == [255, 0, 0])
  }

  @Test(
    arguments: [
      RenderSettings(embedded: .unused), RenderSettings(ground: .none, embedded: .preferred),
      RenderSettings(
        ground: .color(RGBColor(red: 1, green: 2, blue: 3)), embedded: .preferred),
      RenderSettings(box: .media, embedded: .preferred),
      RenderSettings(rotation: 180, embedded: .preferred),
      RenderSettings(drawsAnnotations: false, embedded: .preferred),
    ])
  func `it is not asked where it would not show what is wanted`(settings: RenderSettings) throws {
    let (report, first, _) = try draw(try document(width: 60, height: 80), settings)
    #expect(report.source == .render)
    #expect(Array(first.prefix(3)) == [255, 0, 0])
  }

  @Test func `turned pages are drawn, for nobody knows whether it was turned with them`() throws {
    let (report, _, _) = try draw(
      try document(width: 60, height: 80, extra: "/Rotate 180"),
      RenderSettings(embedded: .preferred)
    )
    #expect(report.source == .render)
  }

  @Test(
    arguments: [
      "/Width 60 /Height 80 /BitsPerComponent 3", "/Width -60 /Height 80", "/Width 60",
      "/Width 2000000000 /Height 2000000000", "/Width 60 /Height 80 /Filter /NoSuchFilter",
      "/Width 60 /Height 80 /Filter /FlateDecode",
    ])
  func `one that lies about itself harms nobody`(lie: String) throws {
    let (report, _, _) = try draw(
      try document(width: 60, height: 80, lie: lie), RenderSettings(embedded: .preferred))
    #expect(report.source == .render || report.source == .embedded)
  }

  @Test func `gray pictures take its luminance`() throws {
    let (report, first, _) = try draw(
      try document(width: 60, height: 80), RenderSettings(isGray: true, embedded: .preferred))
    #expect(report.source == .embedded)
    #expect(first == [29])
  }
}
