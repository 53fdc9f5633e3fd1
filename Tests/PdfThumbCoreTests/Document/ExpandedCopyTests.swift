import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite struct `A copy with its streams expanded` {
  /// Draws all pages both ways; returns the copy's bytes, none where there is no copy.
  @discardableResult
  private func expectSamePixels(
    _ file: [UInt8], _ location: SourceLocation = #_sourceLocation
  ) throws -> [UInt8] {
    var plain = try PDFDocument(.bytes(file))
    var copied = try PDFDocument(.bytes(file))
    let file = try ExpandedCopy.make(of: &copied)
    guard !file.isEmpty else { return file }
    #expect(copied.information() == plain.information(), sourceLocation: location)
    for page in 0..<plain.pageCount {
      let size = PixelSize(width: 53, height: 80)
      let expected = try PageRenderer().picture(of: page, in: &plain, size: size)
      let found = try PageRenderer().picture(of: page, in: &copied, size: size)
      #expect(!expected.report.isBlank, sourceLocation: location)
      #expect(found.picture == expected.picture, sourceLocation: location)
      #expect(found.report == expected.report, sourceLocation: location)
    }
    return file
  }

  /// Rows of 40 pixels of three parts, each after the number of the predictor that was applied to it.
  private static let predicted: [UInt8] = (0..<60).flatMap { row -> [UInt8] in
    var bytes = [UInt8(row % 5)]
    for index in 0..<120 { bytes.append(UInt8(truncatingIfNeeded: index * 7 + row * 3)) }
    return bytes
  }

  /// A page of letters and an image, and what is said of the image's filter.
  private static func document(_ entries: String, _ data: [UInt8]) throws -> [UInt8] {
    let content = "q 120 0 0 180 40 60 cm /I Do Q BT /F1 30 Tf 20 250 Td (Text) Tj ET"
    var builder = PDFBuilder(pages: [
      .init(resources: "/XObject << /I 1000 0 R >>", contentObject: 1001),
      .init(content: content, resources: "/XObject << /I 1000 0 R >>"),
    ])
    builder.objects[1000] = PDFBuilder.stream(
      "/Type /XObject /Subtype /Image /Width 40 /Height 60 /BitsPerComponent 8 /ColorSpace /DeviceRGB "
        + entries, data)
    builder.objects[1001] = PDFBuilder.stream(
      "/Filter [/FlateDecode]", try #require(Zlib.compress(Array(content.utf8), level: 6)))
    return builder.build()
  }

  private static let predictor =
    "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 3 /Columns 40 >>"

  @Test func `streams stand in it as they are drawn, and draw the same`() throws {
    let packed = try #require(Zlib.compress(Self.predicted, level: 9))
    let file = try Self.document(Self.predictor, packed)
    let copied = String(decoding: try expectSamePixels(file), as: UTF8.self)
    #expect(copied.contains("(Text) Tj"))
    #expect(!copied.contains("FlateDecode"))
    #expect(!copied.contains("Predictor"))
  }

  /// What is wrong with an image's data, or unusual; poppler makes of the bytes what it makes of them.
  @Test(arguments: [
    "cut", "flipped", "a row not whole", "two filters", "TIFF's predictor",
    "parameters of lies", "ASCII",
  ])
  func `what is odd draws the same`(what: String) throws {
    let packed = try #require(Zlib.compress(Self.predicted, level: 9))
    let (entries, data): (String, [UInt8]) =
      switch what {
      case "cut": (Self.predictor, Array(packed.dropLast(20)))
      case "a row not whole":
        (Self.predictor, try #require(Zlib.compress(Array(Self.predicted.dropLast(50)), level: 9)))
      case "flipped":
        (Self.predictor, packed.enumerated().map { $0 == packed.count - 2 ? $1 ^ 1 : $1 })
      case "two filters":
        (
          "/Filter [/FlateDecode /FlateDecode]",
          try #require(Zlib.compress(Zlib.compress(Self.predicted, level: 0) ?? [], level: 9))
        )
      case "TIFF's predictor":
        (
          "/Filter /FlateDecode /DecodeParms << /Predictor 2 /Colors 3 /Columns 40 >>",
          try #require(Zlib.compress(Self.predicted, level: 9))
        )
      case "parameters of lies":
        ("/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors -3 /Columns 0 >>", packed)
      default:
        (
          "/Filter /ASCIIHexDecode",
          Self.predicted.flatMap { byte -> [UInt8] in
            Array(String(Int(byte) + 256, radix: 16).dropFirst().utf8)
          }
        )
      }
    try expectSamePixels(try Self.document(entries, data))
  }

  @Test(arguments: [PDFBuilder.Flaw.wrongOffsets, .junkBefore(100)])
  func `a damaged document draws the same, or has none`(flaw: PDFBuilder.Flaw) throws {
    var builder = PDFBuilder(pages: [.filled("1 0 0"), .filled("0 1 0")])
    builder.flaw = flaw
    try expectSamePixels(builder.build())
  }

  // A copy has objects of its own; qpdf ends the process when no number is left for one.
  @Test(arguments: [2_147_483_647, 2_147_483_646, 2_147_483_632, 2_147_483_600, 8_388_607])
  func `a document that names the last of all objects draws the same`(number: Int) throws {
    var builder = PDFBuilder(pages: [.filled("1 0 0")])
    // An escaped letter in a name leaves the copy to qpdf.
    builder.objects[1000] = Array("<< /A#42 1 >>".utf8)
    builder.pageTree = "<< /Type /Pages /Count 1 /Kids [10 0 R \(number) 0 R] >>"
    try expectSamePixels(builder.build())
  }

  /// The document after qpdf wrote it with options of its own.
  private func rewritten(_ file: [UInt8], _ options: [String]) async throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let path = try folder.write("a.pdf", file)
    let program = try RunningProgram("/usr/bin/qpdf", options + ["--", path, folder.path("b.pdf")])
    #expect(try await program.finish() == .exited(status: 0), "\(program.errorText)")
    return try folder.read("b.pdf")
  }

  @Test(
    .enabled(if: FileSystem.exists("/usr/bin/qpdf"), "qpdf writes the documents"),
    arguments: [
      ["--object-streams=generate"], ["--linearize"], ["--encrypt", "", "owner", "256"],
      ["--encrypt", "", "owner", "128", "--use-aes=y"],
    ])
  func `object streams, linearized and encrypted files draw the same`(
    options: [String]
  ) async throws {
    let file = try Self.document(
      Self.predictor, try #require(Zlib.compress(Self.predicted, level: 9)))
    #expect(try !expectSamePixels(try await rewritten(file, options)).isEmpty)
  }

  @Test(
    .enabled(if: FileSystem.exists("/usr/bin/qpdf"), "qpdf writes the documents"),
    arguments: [["--object-streams=preserve"], ["--encrypt", "", "owner", "256"]])
  func `large images are made smaller in both or in none`(options: [String]) async throws {
    let image = `Images made smaller for the renderer`.image(
      "/ColorSpace /DeviceRGB", `Images made smaller for the renderer`.detailed)
    let file = `Images made smaller for the renderer`.document(image, pages: 2).build()
    #expect(try !expectSamePixels(try await rewritten(file, options)).isEmpty)
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
  func `pages are said to be repaired, whichever way they come`(order: [Int]) throws {
    let direct = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Contents 11 0 R >>"
    var builder = PDFBuilder(pages: [.filled("1 0 0"), .filled("0 1 0")])
    // Poppler finds no page in the middle.
    builder.pageTree = "<< /Type /Pages /Count 3 /Kids [10 0 R \(direct) 12 0 R] >>"
    let bytes = builder.build()
    var plain = try PDFDocument(.bytes(bytes))
    var copied = try PDFDocument(.bytes(bytes))
    #expect(try !ExpandedCopy.make(of: &copied).isEmpty)
    let size = PixelSize(width: 53, height: 80)
    var expected: [Int: Bool] = [:]
    for page in 0..<3 {
      var fresh = try PDFDocument(.bytes(bytes))
      expected[page] = try PageRenderer().picture(of: page, in: &fresh, size: size).report
        .isRepaired
    }
    #expect(expected.values.contains(true))
    for page in order {
      for report in [
        try PageRenderer().picture(of: page, in: &plain, size: size).report,
        try PageRenderer().picture(of: page, in: &copied, size: size).report,
      ] { #expect(report.isRepaired == expected[page]) }
    }
    do {
      var untouched = try PDFDocument(.bytes(bytes))
      #expect(untouched.information().isRepaired)
      #expect(plain.information().isRepaired)
      #expect(copied.information().isRepaired)
    }
  }

  @Test(.enabled(if: Corpus.folder != nil, "\(Corpus.absence)"))
  func `pages of the corpus look the same from copies of few`() async throws {
    let folders = ["pdfs/bench", "pdfs/qpdf+qpdf"]
    var equal = 0
    for path in folders.flatMap({ Corpus.files(below: $0, suffix: ".pdf") }) {
      let program = try RunningProgram("WorkerProbe", ["few", path, "0", "2"])
      try await program.finish()
      let lines = program.outputText.split(separator: "\n")
      equal += lines.count { $0.hasSuffix(" equal") }
      #expect(!lines.contains { $0.contains("differs") || $0.contains("report") }, "\(path)")
      #expect(lines.last?.hasSuffix(" copy") != true, "\(path)")
    }
    #expect(equal > 60)
  }

  /// Each document by a process of its own, for they may be hostile; all pages by `Scripts/same-pixels`.
  @Test(.enabled(if: Corpus.folder != nil, "\(Corpus.absence)"))
  func `pages of the corpus look the same from it`() async throws {
    let folders = ["pdfs/bench", "pdfs/qpdf+qpdf"]
    var equal = 0
    for path in folders.flatMap({ Corpus.files(below: $0, suffix: ".pdf") }) {
      let program = try RunningProgram("WorkerProbe", ["copies", path, "0", "2"])
      try await program.finish()
      let lines = program.outputText.split(separator: "\n")
      equal += lines.count { $0.hasSuffix(" equal") }
      #expect(!lines.contains { $0.contains("differs") }, "\(path)")
      // A page that ends the process by itself has no picture that could differ.
      #expect(lines.last?.hasSuffix(" copy") != true, "\(path)")
    }
    #expect(equal > 80)
  }
}
