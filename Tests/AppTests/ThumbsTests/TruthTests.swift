import SystemIO
import TestSupport
import Testing

@Suite("thumbs tells the truth") struct TruthTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]
    var status: Int32
    var record: String
    var words: String
  }

  private static let page = PDFBuilder.Page.filled("1 0 0", width: 20, height: 30)

  private static func file(
    _ pages: [PDFBuilder.Page], _ flaw: PDFBuilder.Flaw = .none
  ) -> [UInt8] {
    var builder = PDFBuilder(pages: pages)
    builder.flaw = flaw
    return builder.build()
  }

  static let cases = [
    Case(
      testDescription: "whole", file: file([page]), status: 0,
      record: #""blank":false,"flaws":0,"repaired":false,"missingFonts":false,"confinement":"#,
      words: ""),
    Case(
      testDescription: "blank", file: file([.init()]), status: 0,
      record: #""blank":true,"flaws":0,"#, words: ""),
    Case(
      testDescription: "blank, with flaws", file: file([.init(content: "nonsense")]), status: 0,
      record: #""blank":true,"flaws":1,"#, words: "page 1: warning: the picture is blank"),
    Case(
      testDescription: "repaired", file: file([page], .wrongOffsets), status: 0,
      record: #""repaired":true"#, words: "had to be repaired"),
    Case(
      testDescription: "a page of two missing", file: file([page, page], .missingPage(1)),
      status: 1,
      record: #""code":"pageMissing""#, words: "page 2: expected a page object"),
    Case(
      testDescription: "no pages", file: file([]), status: 5, record: #""code":"noPages""#,
      words: "expected at least one page"),
    Case(
      testDescription: "damaged", file: file([page], .noTable), status: 3,
      record: #""code":"damaged""#, words: "too damaged"),
    Case(
      testDescription: "no PDF", file: Array("plain".utf8), status: 3,
      record: #""code":"notAPDF""#, words: "no %PDF- header"),
  ]

  @Test(arguments: cases)
  func `what is the matter has a status and a record of its own`(item: Case) async throws {
    let path = try folder.write("d.pdf", item.file)
    for options in [[], ["--no-isolation"]] {
      let ended = try await BuiltProgram.run(
        "thumbs", options + ["--json", "-o", folder.path("out"), path])
      #expect(ended.status == item.status, "\(ended.errors)")
      #expect(ended.output.contains(item.record), "\(ended.output)")
      #expect(item.words.isEmpty ? ended.errors.isEmpty : ended.errors.contains(item.words))
      #expect(ended.errors.split(separator: "\n").count <= 1, "\(ended.errors)")
    }
  }

  @Test(arguments: [[], ["--no-isolation"]])
  func `thumbnails of the document stand for pages when asked for`(options: [String]) async throws {
    var builder = PDFBuilder(pages: [
      .filled("1 0 0", width: 60, height: 80, extra: "/Thumb 1000 0 R"), Self.page,
    ])
    let rows = (0..<80).flatMap { [UInt8](repeating: $0 < 40 ? 0 : 200, count: 180) }
    builder.objects[1000] = PDFBuilder.stream(
      "/Width 60 /Height 80 /BitsPerComponent 8 /ColorSpace /DeviceRGB", rows)
    let path = try folder.write("d.pdf", builder.build())
    for (more, source) in [([], "render"), (["--embedded"], "embedded")] {
      let ended = try await BuiltProgram.run(
        "thumbs", options + more + ["--json", "-o", folder.path("out"), path])
      #expect(ended.status == 0, "\(ended.errors)")
      let records = ended.output.split(separator: "\n")
      #expect(records.first?.contains("\"source\":\"\(source)\"") == true)
      #expect(records.last?.contains("\"source\":\"render\"") == true)
    }
  }

  private static let latinFonts = "/usr/share/fonts/truetype/dejavu"

  /// Two pages: Helvetica, which any font can stand in for, and Japanese.
  private func japanese() throws -> String {
    var builder = PDFBuilder(pages: [
      .init(content: "BT /F1 40 Tf 10 100 Td (Latin) Tj ET"),
      .init(
        content: "BT /F2 40 Tf 10 100 Td <30423044> Tj ET",
        resources: "/XObject << /X 1003 0 R >>"),
    ])
    builder.pages[1].content += " /X Do"
    builder.objects[1000] = Array(
      """
      << /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /UniJIS-UCS2-H \
      /DescendantFonts [1001 0 R] >>
      """.utf8)
    builder.objects[1001] = Array(
      """
      << /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /FontDescriptor 1002 0 R \
      /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>
      """.utf8)
    builder.objects[1002] = Array(
      "<< /Type /FontDescriptor /FontName /Ryumin-Light /Flags 6 /FontBBox [0 0 1000 1000] >>".utf8)
    // The font stands among the resources of a form alone.
    builder.objects[1003] = PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Form /BBox [0 0 200 300] \
      /Resources << /Font << /F2 1000 0 R >> >>
      """, Array("BT /F2 40 Tf 10 200 Td <30423044> Tj ET".utf8))
    return try folder.write("j.pdf", builder.build())
  }

  @Test(.enabled(if: FileSystem.exists(latinFonts), "the fonts DejaVu stand in for all fonts"))
  func `text without a font is told of, by page and by name`() async throws {
    let path = try japanese()
    let configuration = try folder.write(
      "fonts.conf",
      text: """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
        <fontconfig><dir>\(Self.latinFonts)</dir><cachedir>\(folder.path)</cachedir></fontconfig>
        """)
    let environment = ["FONTCONFIG_FILE=" + configuration]
    let ended = try await BuiltProgram.run(
      "thumbs", ["--json", "-o", folder.path("out"), path], environment: environment)
    #expect(ended.status == 0)
    let records = ended.output.split(separator: "\n")
    #expect(records.first?.contains("\"missingFonts\":false") == true)
    #expect(records.last?.contains("\"missingFonts\":true") == true)
    #expect(
      ended.errors == """
        thumbs: \(path): warning: text may be missing, for want of fonts: Ryumin-Light

        """)
    let info = try await BuiltProgram.run("thumbs", ["--info", path], environment: environment)
    #expect(info.output.contains(#""missingFonts":["Ryumin-Light"]"#))
  }
}
