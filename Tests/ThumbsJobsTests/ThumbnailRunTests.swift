import Dialogue
import PdfThumbCore
import ProgressReporting
import SystemIO
import TerminalPictures
import TestSupport
import Testing
import ThumbsJobs

/// Drives whole runs from memory into memory, as a window would.
@Suite("a run with another front end") struct ThumbnailRunTests {
  private func document(
    _ name: String, pages: Int, flaw: PDFBuilder.Flaw = .none
  ) -> RunDocument {
    var builder = PDFBuilder(
      pages: (0..<pages).map { _ in .filled("0 0.5 0", width: 60, height: 90) })
    builder.flaw = flaw
    return RunDocument(name, source: .bytes(builder.build(), name: name))
  }

  private var request: RunRequest {
    var request = RunRequest()
    request.isIsolated = false
    request.tellsRecords = true
    return request
  }

  @Test func `draws documents that are in memory, and tells what became of each page`() async throws
  {
    let (front, store) = (MemoryFrontEnd(name: "window"), MemoryStore())
    var request = request
    request.output = "out"
    let outcome = try await ThumbnailRun(request, front: front, store: store).run([
      document("a", pages: 2), RunDocument("bad", source: .bytes([1, 2, 3], name: "bad")),
      document("b", pages: 2, flaw: .missingPage(0)),
    ])
    #expect(outcome == .incomplete)
    #expect(store.names == ["out/a-1.png", "out/a-2.png", "out/b-1.png"])
    let picture = try #require(store["out/a-2.png"].flatMap { PNGDecoder.decode($0) })
    #expect(picture.size == PixelSize(width: 53, height: 80))
    #expect(front.records.count == 5)
    #expect(front.records[1].hasPrefix(#"{"document":"a","file":"out/a-2.png","page":2,"#))
    #expect(front.records[1].contains(#""confinement":null,"error":null"#))
    #expect(front.records[2].hasPrefix(#"{"document":"bad","file":null,"page":null,"#))
    #expect(front.records[2].contains(#""code":"notAPDF""#))
    #expect(front.records[4].contains(#""page":2,"error":{"code":"pageMissing""#))
    let subjects = front.messages.compactMap {
      if case .error(let subject, _) = $0 { subject } else { nil }
    }
    #expect(subjects == ["bad", "b: page 2"])
    #expect(front.progress?.completed == 2, "a document that does not open is no work done")
    #expect(front.progress?.fraction == 1)
  }

  @Test func `says nothing for programs where nobody asked`() async throws {
    let front = MemoryFrontEnd(name: "window")
    var request = request
    request.tellsRecords = false
    let outcome = try await ThumbnailRun(request, front: front, store: MemoryStore()).run([
      document("a", pages: 1), document("b", pages: 1),
    ])
    #expect(outcome == .complete)
    #expect(front.messages.isEmpty)
    #expect(front.progress?.completed == 2)
  }

  @Test func `gathers pages in a sheet, a strip and a page to browse`() async throws {
    let (front, store) = (MemoryFrontEnd(name: "window"), MemoryStore())
    var request = request
    (request.sheet, request.sprite, request.html) = ("s.png", "strip", "web")
    request.columns = 3
    let outcome = try await ThumbnailRun(request, front: front, store: store).run([
      document("a", pages: 3)
    ])
    #expect(outcome == .complete)
    #expect(
      store.names == [
        "s.png", "strip", "strip.json", "web/1/thumb-1.png", "web/1/thumb-2.png",
        "web/1/thumb-3.png", "web/1/view-1.jpg", "web/1/view-2.jpg", "web/1/view-3.jpg",
        "web/index.html",
      ])
    let sheet = try #require(store["s.png"].flatMap { PNGDecoder.decode($0) })
    #expect(sheet.size == PixelSize(width: 10 + 3 * 63, height: 100))
    #expect(store.text("strip.json").hasPrefix(#"{"document":"a","image":"strip","width":179"#))
    #expect(store.text("web/index.html").contains("\"1/view-3.jpg\""))
    #expect(front.records.allSatisfy { $0.contains(#""file":null"#) }, "no files of their own")
  }

  @Test(arguments: ["s.png", "web/index.html"])
  func `a result that cannot be kept is told of once`(name: String) async throws {
    let front = MemoryFrontEnd(name: "window")
    var request = request
    request.sheet = name == "s.png" ? name : nil
    request.html = name == "s.png" ? nil : "web"
    let store = MemoryStore { $0 == name }
    let outcome = try await ThumbnailRun(request, front: front, store: store).run([
      document("a", pages: 2)
    ])
    #expect(outcome == .incomplete)
    let expected: Message = .error(name == "s.png" ? name : "web", "expected room")
    #expect(front.messages.filter { if case .error = $0 { true } else { false } } == [expected])
  }

  @Test func `pages that cannot be kept are missing`() async throws {
    let front = MemoryFrontEnd(name: "window")
    let run = ThumbnailRun(request, front: front, store: MemoryStore { _ in true })
    #expect(try await run.run([document("a", pages: 2)]) == .nothing)
    #expect(front.records.count == 2)
    #expect(front.records.allSatisfy { $0.contains(#""code":"writeFailed""#) })
  }

  @Test func `a name is given to one page only`() async throws {
    let (front, store) = (MemoryFrontEnd(name: "window"), MemoryStore())
    var request = request
    request.output = "{name}.{ext}"
    let outcome = try await ThumbnailRun(request, front: front, store: store).run([
      document("a", pages: 2)
    ])
    #expect(outcome == .incomplete)
    #expect(store.names == ["a.png"])
    #expect(front.records[1].contains(#""page":2,"error":{"code":"writeFailed""#))
  }

  @Test func `describes a document without drawing it`() async throws {
    let (front, store) = (MemoryFrontEnd(name: "window"), MemoryStore())
    var request = request
    (request.isInformation, request.tellsRecords) = (true, false)
    let outcome = try await ThumbnailRun(request, front: front, store: store).run([
      document("a", pages: 2)
    ])
    #expect(outcome == .complete)
    #expect(store.names.isEmpty)
    #expect(front.records.count == 1)
    #expect(front.records[0].hasPrefix(#"{"document":"a","pages":2,"#))
    #expect(front.records[0].contains(#""media":[0.0,0.0,60.0,90.0]"#))
    #expect(front.records[0].contains(#""confinement":null"#), "this process is not confined")
  }

  @Test func `shows pages in a terminal that is somewhere else`() async throws {
    let (front, store) = (MemoryFrontEnd(name: "window"), MemoryStore())
    let painter = try #require(
      TerminalPainter(
        environment: ["TERM": "xterm-256color"], columns: 40, cell: nil, hasColor: false,
        isUnicode: false))
    var request = request
    request.tellsRecords = false
    let outcome = try await ThumbnailRun(request, front: front, store: store, painter: painter)
      .run([document("a\u{1B}", pages: 1), document("b", pages: 2)])
    #expect(outcome == .complete)
    #expect(store.names.isEmpty)
    #expect(front.messages == [.result("a\u{1B}"), .result("b")])
    #expect(front.output.hasSuffix("\n1                   2\n"))
  }

  @Test func `stops when the front end asks for it`() async throws {
    let front = MemoryFrontEnd(name: "window") { _, cancellation in cancellation.cancel() }
    let store = MemoryStore()
    let run = ThumbnailRun(request, front: front, store: store)
    let documents = [document("a", pages: 50)]
    await #expect(throws: CancellationError.self) { try await run.run(documents) }
    #expect(front.records.count == 1)
    #expect(store.names == ["a-1.png"])
  }

  @Test func `documents that do not open decide where nothing else went right`() async throws {
    let bad = RunDocument("bad", source: .bytes([], name: "bad"))
    let run = ThumbnailRun(request, front: MemoryFrontEnd(name: "window"), store: MemoryStore())
    #expect(try await run.run([bad]) == .unreadable)
    #expect(try await run.run([bad, bad]) == .unreadable)
    #expect(try await run.run([bad, document("none", pages: 0)]) == .nothing)
    #expect(try await run.run([document("none", pages: 0)]) == .nothing)
    #expect(try await run.run([bad, document("a", pages: 1)]) == .incomplete)
    #expect(try await run.run([]) == .complete)
  }
}
