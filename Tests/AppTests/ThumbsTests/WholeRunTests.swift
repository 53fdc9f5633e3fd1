import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite("thumbs, from standard input to the last of many documents") struct WholeRunTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static func pages(_ count: Int) -> PDFBuilder {
    PDFBuilder(pages: (0..<count).map { _ in .filled("0 0 1", width: 30, height: 40) })
  }

  @Test func `a document comes through a pipe`() async throws {
    let program = try RunningProgram("thumbs", ["--json", "-o", folder.path("out"), "-"])
    try program.type(String(decoding: Self.pages(3).build(), as: UTF8.self))
    program.endInput()
    #expect(try await program.finish() == .exited(status: 0), "\(program.errorText)")
    let names = try FileSystem.names(in: folder.path("out")).sorted()
    #expect(names == ["stdin-1.png", "stdin-2.png", "stdin-3.png"])
    for name in names {
      let picture = try #require(PNGDecoder.decode(try folder.read("out/" + name)))
      #expect(picture.size == PixelSize(width: 60, height: 80))
      #expect(Array(picture.pixels.prefix(4)) == [0, 0, 255, 255])
    }
    #expect(program.outputText.contains("\"document\":\"standard input\""))
  }

  @Test(arguments: ["", "plain text", "%PDF-1.7\n"])
  func `a pipe without a document is refused`(text: String) async throws {
    let program = try RunningProgram("thumbs", ["-o", folder.path("out"), "-"])
    try program.type(text)
    program.endInput()
    #expect(try await program.finish() == .exited(status: 3))
    #expect(program.errorText.hasPrefix("thumbs: standard input: expected"))
    #expect(!FileSystem.exists(folder.path("out")))
  }

  @Test func `many documents have one progress, from nothing to all`() async throws {
    var paths: [String] = []
    for (index, count) in [40, 1, 25].enumerated() {
      paths.append(try folder.write("\(index).pdf", Self.pages(count).build()))
    }
    let bad = try folder.write("bad.pdf", text: "no document")
    let ended = try await BuiltProgram.run(
      "thumbs", ["--progress", "json", "-o", folder.path("out")] + paths + [bad])
    #expect(ended.status == 1)
    #expect(try FileSystem.names(in: folder.path("out")).count == 66)
    let fractions = ended.errors.split(separator: "\n").compactMap { line -> Double? in
      guard line.hasPrefix("{\"event\":\"progress\"") else { return nil }
      let value = line.split(separator: "\"fraction\":").last?.prefix { $0 != "," }
      return value.flatMap { Double($0) }
    }
    #expect(fractions.count >= 2)
    #expect(fractions == fractions.sorted())
    #expect(fractions.first == 0)
    #expect(fractions.last == 1)
  }

  @Test func `what a document says of itself is told`() async throws {
    var builder = PDFBuilder(pages: [
      .init(extra: "/Rotate 90 /CropBox [10 20 110 220]"), .init(), .init(),
    ])
    builder.labels = "0 << /S /r >> 1 << /S /D /P (A-) >>"
    builder.outline = [("First", 0), ("Third", 2)]
    builder.title = "A title"
    let path = try folder.write("d.pdf", builder.build())
    let ended = try await BuiltProgram.run("thumbs", ["--info", path])
    #expect(ended.status == 0, "\(ended.errors)")
    for words in [
      #""pages":3,"title":"A title""#, #""encrypted":false"#, #""repaired":false"#,
      #""outline":[{"title":"First","level":0,"page":1},{"title":"Third","level":0,"page":3}]"#,
      #"{"page":1,"label":"i","width":200.0,"height":100.0,"rotation":90"#,
      #""crop":[10.0,20.0,110.0,220.0]"#, #""page":2,"label":"A-1""#, #""page":3,"label":"A-2""#,
    ] {
      #expect(ended.output.contains(words), "\(words) is not in \(ended.output)")
    }
    #expect(try FileSystem.names(in: folder.path) == ["d.pdf"])
  }
}
