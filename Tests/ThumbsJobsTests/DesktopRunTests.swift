import PdfThumbCore
import SystemIO
import TestSupport
import Testing
import ThumbsJobs

@Suite struct DesktopRunTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private var run: DesktopRun {
    var request = RunRequest()
    request.isIsolated = false
    request.size = .fit(width: 64, height: 32)
    return DesktopRun(request, front: MemoryFrontEnd(name: "desktop"))
  }

  @Test func `draws the first page of a document named by URI`() async throws {
    let builder = PDFBuilder(pages: [
      .filled("1 0 0", width: 60, height: 120), .filled("0 1 0", width: 60, height: 60),
    ])
    let path = try folder.write("d.pdf", builder.build())
    for (name, uri) in [("out", "file://"), ("own", "file://localhost"), ("path", "")] {
      try await run.thumbnail(of: uri + path, to: uri + folder.path(name))
      let picture = try #require(PNGDecoder.decode(try folder.read(name)))
      #expect(picture.size == PixelSize(width: 32, height: 64))
    }
  }

  @Test func `says why there is no thumbnail`() async throws {
    let text = try folder.write("text.pdf", text: "no document")
    let empty = try folder.write("none.pdf", PDFBuilder(pages: []).build())
    let cases: [(String, RunOutcome)] = [
      ("file://elsewhere/d.pdf", .unreadable), ("file:d.pdf", .unreadable),
      (folder.path("absent"), .unreadable), (text, .unreadable), (empty, .nothing),
    ]
    for (document, outcome) in cases {
      let failure = await #expect(throws: RunFailure.self) {
        try await run.thumbnail(of: document, to: folder.path("out"))
      }
      #expect(failure?.subject == document)
      #expect(failure?.outcome == outcome)
    }
    #expect(!FileSystem.exists(folder.path("out")))
  }
}
