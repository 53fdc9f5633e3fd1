import PdfThumbCore
import TestSupport
import Testing

@Suite struct ThumbnailDocumentTests {
  private func open(_ builder: PDFBuilder, threads: Int = 2) async throws -> ThumbnailDocument {
    try await ThumbnailDocument.openInProcess(.bytes(builder.build()), threads: threads)
  }

  @Test func `pictures come in the order asked, and a missing page ends nothing`() async throws {
    var builder = PDFBuilder(
      pages: (0..<20).map { .filled("\(Double($0) / 20) 0 0", width: 20, height: 30) })
    builder.flaw = .missingPage(19)
    let document = try await open(builder)
    let asked = [5, 19, 3, 25, 0, 18]
    var found: [(Int, String)] = []
    for try await outcome in document.thumbnails(of: asked, encoder: nil) {
      switch outcome.result {
      case .success(let thumbnail):
        found.append((outcome.page, "\(thumbnail.picture.pixels[0])"))
      case .failure(let error): found.append((outcome.page, error.code.description))
      }
    }
    #expect(found.map(\.0) == asked)
    #expect(
      found.map(\.1) == ["64", "pageMissing", "38", "pageOutOfRange", "0", "230"])
  }

  @Test func `a document that does not open says why`() async {
    await #expect(throws: PDFError.self) {
      try await ThumbnailDocument.openInProcess(.bytes([1, 2, 3]))
    }
  }

  @Test func `a cancelled task hears of it`() async throws {
    let document = try await open(PDFBuilder(pages: [.init()]))
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await document.draw(0)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await document.draw(0).report.isBlank)
  }

  @Test func `many tasks draw at once`() async throws {
    let document = try await open(
      PDFBuilder(pages: (0..<50).map { _ in .filled("0 0 1", width: 20, height: 20) }), threads: 4)
    let sums = try await withThrowingTaskGroup(of: Int.self) { group in
      for page in 0..<50 {
        group.addTask { Int(try await document.draw(page).picture.pixels[2]) }
      }
      return try await group.reduce(0, +)
    }
    #expect(sums == 50 * 255)
  }
}
