import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite("thumbs, given what is bad") struct BadInputTests {
  /// A document and what must come of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var builder: PDFBuilder
    /// The statuses that are true.
    var status: ClosedRange<Int32>
    /// What the messages contain.
    var words: String

    init(
      _ name: String, _ page: PDFBuilder.Page = .filled("1 0 0"), flaw: PDFBuilder.Flaw = .none,
      objects: [Int: String] = [:], catalog: String = "", status: ClosedRange<Int32>,
      _ words: String
    ) {
      testDescription = name
      builder = PDFBuilder(pages: [page])
      builder.flaw = flaw
      builder.objects = objects.mapValues { Array($0.utf8) }
      builder.catalog = catalog
      (self.status, self.words) = (status, words)
    }
  }

  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  static let cases = [
    Case("a wrong table", flaw: .wrongOffsets, status: 0...0, "had to be repaired"),
    Case("no table and no trailer", flaw: .noTable, status: 3...3, "too damaged to open"),
    Case("junk before the header", flaw: .junkBefore(1000), status: 0...0, ""),
    Case("a count far too large", flaw: .count(2_000_000_000), status: 0...0, "had to be repaired"),
    Case("a count below zero", flaw: .count(-7), status: 0...0, "had to be repaired"),
    Case("a page that is not there", flaw: .missingPage(0), status: 5...5, ""),
    Case(
      "a million points",
      .init(mediaBox: "[0 0 1000000 1000000]", content: "1 0 0 rg 0 0 9 9 re f"),
      status: 0...0, ""),
    Case(
      "a form within itself",
      .init(content: "/X Do 1 0 0 rg 0 0 99 99 re f", resources: "/XObject << /X 1000 0 R >>"),
      objects: [1000: form("/X Do", "/XObject << /X 1000 0 R >>")], status: 0...0, ""),
    Case(
      "a font whose letters are drawn with itself",
      .init(
        content: "BT /F2 50 Tf 10 100 Td (aa) Tj ET 1 0 0 rg 0 0 99 99 re f",
        resources: "/Font << /F2 1000 0 R >>"),
      objects: [
        1000: """
        << /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 \
        /LastChar 97 /Widths [1] /Encoding << /Differences [97 /a] >> /CharProcs << /a 1001 0 R >> \
        /Resources << /Font << /F2 1000 0 R >> >> >>
        """,
        1001: stream("1 0 d0 BT /F2 1 Tf (aaaaaaaa) Tj ET 0 0 1 1 re f"),
      ], status: 0...5, ""),
    Case(
      "a pattern that is filled with itself",
      .init(
        content: "/Pattern cs /P scn 0 0 200 300 re f 1 0 0 rg 0 0 99 99 re f",
        resources: "/Pattern << /P 1000 0 R >>"),
      objects: [
        1000: stream(
          "/Pattern cs /P scn 0 0 20 30 re f",
          """
          /Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 20 30] /XStep 20 /YStep 30 \
          /Resources << /Pattern << /P 1000 0 R >> >>
          """)
      ], status: 0...5, ""),
    Case(
      "a mask that is masked by itself",
      .init(
        content: "/G gs 1 0 0 rg 0 0 99 99 re f", resources: "/ExtGState << /G 1001 0 R >>"),
      objects: [
        1000: stream(
          "/G gs 1 g 0 0 99 99 re f",
          """
          /Type /XObject /Subtype /Form /BBox [0 0 200 300] /Group << /S /Transparency /CS /DeviceGray >> \
          /Resources << /ExtGState << /G 1001 0 R >> >>
          """),
        1001: "<< /Type /ExtGState /SMask << /S /Luminosity /G 1000 0 R >> >>",
      ], status: 0...5, ""),
    Case(
      "a field that is its own kid",
      .init(extra: "/Annots [1000 0 R]", content: "1 0 0 rg 0 0 99 99 re f"),
      objects: [
        1000: """
        << /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [9 9 99 99] /Parent 1001 0 R \
        /Kids [1001 0 R 1000 0 R] >>
        """,
        1001: "<< /T (b) /Parent 1000 0 R /Kids [1000 0 R 1001 0 R] >>",
      ], catalog: "/AcroForm << /Fields [1000 0 R 1001 0 R] >>", status: 0...5, ""),
    Case(
      "a length that is the stream itself",
      .init(contentObject: 1000),
      objects: [1000: "<< /Length 1000 0 R >>\nstream\n1 0 0 rg 0 0 99 99 re f\nendstream"],
      status: 0...5, ""),
    Case(
      "an object that is itself",
      .init(content: "/X Do 1 0 0 rg 0 0 99 99 re f", resources: "/XObject 1000 0 R"),
      objects: [1000: "1001 0 R", 1001: "1000 0 R"], status: 0...0, ""),
    Case(
      "labels and names without an end", objects: [1000: "<< /Kids [1000 0 R] >>"],
      catalog: "/PageLabels 1000 0 R /Names << /Dests 1000 0 R >>", status: 0...0, ""),
    Case(
      "a function that is made of itself",
      .init(content: "/S sh 1 0 0 rg 0 0 99 99 re f", resources: "/Shading << /S 1000 0 R >>"),
      objects: [
        1000: """
        << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 99 99] /Function 1001 0 R >>
        """,
        1001: """
        << /FunctionType 3 /Domain [0 1] /Functions [1001 0 R 1001 0 R] /Bounds [0.5] /Encode [0 1 0 1] >>
        """,
      ], status: 0...5, ""),
    Case(
      "a shading that asks a function a million million times",
      .init(
        mediaBox: "[0 0 1000000 1000000]", content: "/S sh",
        resources: "/Shading << /S 1000 0 R >>"),
      objects: [
        1000: """
        << /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 1000000 0 1000000] /Function 1001 0 R >>
        """,
        1001: stream(
          "{ sin exch sin 2 copy add }",
          "/FunctionType 4 /Domain [0 1000000 0 1000000] /Range [0 1 0 1 0 1]"),
      ], status: 0...5, ""),
    Case(
      "an outline without an end",
      objects: [
        1000: "<< /Type /Outlines /First 1001 0 R /Last 1001 0 R /Count 1 >>",
        1001:
          "<< /Title (a) /Parent 1000 0 R /Next 1001 0 R /First 1001 0 R /Dest [10 0 R /Fit] >>",
      ], catalog: "/Outlines 1000 0 R", status: 0...0, ""),
    Case(
      "a hundred thousand operators that are none",
      .init(content: String(repeating: "xyz\n", count: 100_000)), status: 0...0, "100000 flaws"),
    Case(
      "an image far larger than its data",
      .init(content: "200 0 0 300 0 0 cm /I Do", resources: "/XObject << /I 1000 0 R >>"),
      objects: [
        1000: stream(
          "abc",
          "/Type /XObject /Subtype /Image /Width 60000 /Height 60000 "
            + "/BitsPerComponent 8 /ColorSpace /DeviceRGB")
      ], status: 0...5, ""),
  ]

  private static func stream(_ data: String, _ dictionary: String = "") -> String {
    String(decoding: PDFBuilder.stream(dictionary, Array(data.utf8)), as: UTF8.self)
  }

  private static func form(_ content: String, _ resources: String) -> String {
    stream(
      content, "/Type /XObject /Subtype /Form /BBox [0 0 200 300] /Resources << \(resources) >>")
  }

  /// Runs with tight limits, and expects an ending that is no signal, few words, and pictures only on success.
  @discardableResult
  private func judge(
    _ path: String, status: ClosedRange<Int32>, _ words: String,
    location: SourceLocation = #_sourceLocation
  ) async throws -> BuiltProgram.Outcome {
    let out = folder.path("out")
    let ended = try await BuiltProgram.run(
      "thumbs", ["--page-timeout", "15s", "--memory", "512MiB", "-o", out, path])
    #expect(status.contains(ended.status), "\(ended.errors)", sourceLocation: location)
    #expect(ended.errors.contains(words), "\(ended.errors)", sourceLocation: location)
    #expect(ended.errors.utf8.count < 2000, sourceLocation: location)
    #expect(ended.status == 0 || !ended.errors.isEmpty, sourceLocation: location)
    // The greater of this program's and its workers'.
    #expect(ended.peakMemory < 700 << 20, sourceLocation: location)
    let names = (try? FileSystem.names(in: out)) ?? []
    #expect((ended.status <= 1) == !names.isEmpty, sourceLocation: location)
    for name in names {
      #expect(PNGDecoder.decode(try folder.read("out/" + name)) != nil, sourceLocation: location)
    }
    return ended
  }

  @Test(.disabled(if: Sanitizer.isOn, "its runtime opens files of its own"))
  func `a system that has no file to give`() async throws {
    let document = try folder.write("a.pdf", PDFBuilder(pages: [.filled("1 0 0")]).build())
    let ended = try await BuiltProgram.runWithoutFiles("thumbs", ["--info", document])
    #expect(ended.status == 5, "\(ended.errors)")
    #expect(ended.errors.contains("pipe2: Too many open files"), "\(ended.errors)")
  }

  @Test(arguments: cases) func `bad documents end with the truth`(item: Case) async throws {
    let path = try folder.write("d.pdf", item.builder.build())
    try await judge(path, status: item.status, item.words)
  }

  /// Tables of objects of one document: what follows the objects.
  @Test(arguments: [
    ("a table that comes before itself", "/Prev 9", "0 1\n0000000000 65535 f \n"),
    ("two billion entries of nothing", "", "0 2000000000\n0000000000 65535 f \n"),
    ("entries below zero", "", "-5 7\n0000000000 65535 f \n"),
    ("an entry far behind the end", "", "1 1\n9999999999 00000 n \n"),
    ("a size that lies", "/Size 2000000000", "0 1\n0000000000 65535 f \n"),
  ])
  func `tables that lie are repaired, or refused`(
    what: String, entry: String, table: String
  ) async throws {
    var builder = PDFBuilder(pages: [.filled("1 0 0")])
    builder.flaw = .noTable
    var file = builder.build()
    let start = file.count
    let size = entry.hasPrefix("/Size") ? entry : "/Size 20 \(entry == "" ? "" : "/Prev \(start)")"
    file += Array(
      "xref\n\(table)trailer\n<< \(size) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n".utf8)
    try await judge(try folder.write("d.pdf", file), status: 0...5, "")
  }

  @Test func `a page tree within itself has no pages, or one`() async throws {
    var builder = PDFBuilder(pages: [.filled("1 0 0")])
    builder.pageTree = "<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>"
    try await judge(try folder.write("d.pdf", builder.build()), status: 1...5, "")
  }

  /// Three gigabytes of spaces in less than three kilobytes: a stream of one pattern, compressed twice more.
  @Test func `a bomb costs its page, and no memory here`() async throws {
    // Bits of a block with fixed codes: a space, then copies of 258 bytes from one byte back; eight copies
    // take 13 bytes (RFC 1951, 3.2.6).
    let copy = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    let start = [1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0] + copy
    func bytes(_ bits: [Int]) -> [UInt8] {
      stride(from: 0, to: bits.count, by: 8).map { first in
        (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[first + $1]) << UInt8($1) }
      }
    }
    let pattern = bytes(Array(repeating: copy, count: 8).flatMap { $0 })
    let inner =
      [0x78, 0x01] + bytes(start) + Array(repeatElement(pattern, count: 1_500_000).joined()) + [0]
    let middle = try #require(Zlib.compress(inner, level: 9))
    let bomb = try #require(Zlib.compress(middle, level: 9))
    #expect(bomb.count < 3000)
    var builder = PDFBuilder(pages: [.init(contentObject: 1000), .filled("1 0 0")])
    builder.objects[1000] = PDFBuilder.stream(
      "/Filter [/FlateDecode /FlateDecode /FlateDecode]", bomb)
    let path = try folder.write("d.pdf", builder.build())
    let ended = try await judge(path, status: 1...1, "page 1: expected")
    #expect(!ended.errors.contains("page 2"))
  }

  /// Run lengths of run lengths: each of eight filters makes 64 times as much of it, and none of it is an operator.
  ///
  /// In as many seconds other programs write some hundred megabytes of complaints.
  @Test func `a page of endless complaints causes few here`() async throws {
    var builder = PDFBuilder(pages: [.init(contentObject: 1000), .filled("1 0 0")])
    let filters = String(repeating: "/RunLengthDecode ", count: 8)
    builder.objects[1000] = PDFBuilder.stream(
      "/Filter [/ASCIIHexDecode \(filters)]", Array("8181>".utf8))
    let file = builder.build()
    #expect(file.count < 2000)
    let ended = try await judge(try folder.write("d.pdf", file), status: 1...1, "page 1: expected")
    #expect(ended.errors.split(separator: "\n").count <= 2, "\(ended.errors)")
    #expect(!ended.errors.contains("page 2"))
  }

  @Test func `a document cut anywhere ends with the truth`() async throws {
    let whole = PDFBuilder(pages: [.filled("1 0 0"), .filled("0 1 0")]).build()
    // Behind the place of the table there is nothing but a mark.
    for count in stride(from: 1, to: whole.count - 8, by: whole.count / 12) {
      let path = try folder.write("cut-\(count).pdf", Array(whole.prefix(count)))
      let out = folder.path("out-\(count)")
      let ended = try await BuiltProgram.run("thumbs", ["-o", out, path])
      #expect((0...5).contains(ended.status) && ended.status != 2, "\(count): \(ended.errors)")
      #expect(!ended.errors.isEmpty, "\(count) of \(whole.count) bytes were taken for the whole")
      #expect((ended.status <= 1) == FileSystem.exists(out))
    }
  }

  @Test(.enabled(if: FileSystem.exists("/usr/bin/mkfifo"), "mkfifo makes the FIFO"))
  func `a FIFO is refused at once, though nobody writes to it`() async throws {
    try await RunningProgram("/usr/bin/mkfifo", [folder.path("f.pdf")]).finish()
    try await judge(folder.path("f.pdf"), status: 3...3, "found a device, pipe or socket")
  }

  @Test(.enabled(if: FileSystem.exists("/usr/bin/setpriv"), "setpriv takes root's privilege away"))
  func `a file that may not be read is named`() async throws {
    let path = try folder.write("d.pdf", PDFBuilder(pages: [.filled("1 0 0")]).build())
    try await RunningProgram("/bin/chmod", ["0", path]).finish()
    let program = try RunningProgram(
      "/usr/bin/setpriv",
      ["--bounding-set=-dac_override,-dac_read_search", BuiltProgram.path("thumbs"), path])
    #expect(try await program.finish() == .exited(status: 3))
    #expect(program.errorText.contains("expected a readable file (Permission denied)"))
  }

  @Test(
    .enabled(if: FileSystem.exists("/usr/bin/mkfifo"), "mkfifo makes the FIFO"),
    arguments: ["truncated", "removed"])
  func `a file that changes or vanishes while it is read`(what: String) async throws {
    let count = 2000
    let path = try folder.write(
      "d.pdf",
      PDFBuilder(pages: (0..<count).map { _ in .filled("1 0 0", width: 20, height: 30) }).build())
    // The program waits for its reader long before the last page.
    try await RunningProgram("/usr/bin/mkfifo", [folder.path("records")]).finish()
    let reader = try FileDescriptor.open(folder.path("records"), [.readOnly, .nonBlocking])
    let program = try RunningProgram(
      "thumbs", ["--json", "-o", folder.path("out"), path],
      on: .output(folder.path("records")))
    var first = [UInt8](repeating: 0, count: 1)
    while (try? unsafe first.withUnsafeMutableBytes { try unsafe reader.read(into: $0) }) != 1 {
      try await Task.sleep(for: .milliseconds(2))
    }
    if what == "removed" {
      try FileSystem.unlink(path)
    } else {
      try FileDescriptor.open(path, [.writeOnly, .truncate]).close()
    }
    let records = folder.path("records")
    let rest = try await OwnedThread.run(named: "reader") {
      try FileDescriptor.open(records).readToEnd(limit: 1 << 24)
    }
    let ending = try await program.finish()
    let lines = String(decoding: first + rest, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == count)
    if what == "removed" {
      // What is open stays whole.
      #expect(ending == .exited(status: 0), "\(program.errorText)")
    } else {
      #expect(ending == .exited(status: 1), "\(program.errorText)")
      #expect(program.errorText.contains("found that it has changed"))
      #expect(lines.last?.contains("\"code\":\"unreadable\"") == true)
    }
  }
}
