import PdfThumbCore
import TestSupport
import Testing

@Suite struct `The copy that workers share` {
  private func judgement(
    bytes: UInt64 = 1 << 20, objects: Int = 1000, expected: Int = 0, drawn: Int = 0,
    rendered: Int? = nil, milliseconds: Int64 = 0, least: Int64? = nil
  ) -> PreparationJudgement {
    var judgement = PreparationJudgement(bytes: bytes, objects: objects)
    judgement.expected = expected
    judgement.drawn = drawn
    judgement.rendered = rendered ?? drawn
    judgement.spent = .milliseconds(milliseconds)
    judgement.least = .milliseconds(least ?? milliseconds / Int64(max(1, drawn)))
    return judgement
  }

  @Test func `it is made for many pages, or dear ones`() {
    #expect(judgement(expected: 1000, drawn: 12, milliseconds: 36).isWorthwhile)
    #expect(judgement(expected: 10, drawn: 2, milliseconds: 80).isWorthwhile)
    // Nobody said how many pages will come, but many have.
    #expect(judgement(drawn: 100, milliseconds: 500).isWorthwhile)
  }

  @Test func `it is not made for few pages, scans, large files, or before the first pages`() {
    #expect(!judgement(expected: 1).isWorthwhile)
    #expect(!judgement(expected: 12, drawn: 2, milliseconds: 8).isWorthwhile)
    #expect(!judgement().isWorthwhile)
    #expect(!judgement(expected: 1000, drawn: 20, rendered: 0).isWorthwhile)
    #expect(
      !judgement(bytes: 30 << 20, expected: 100_000, drawn: 20, milliseconds: 99).isWorthwhile)
    // The first page is often like no other, and one page alone cannot tell.
    #expect(!judgement(expected: 12, drawn: 1, milliseconds: 50).isWorthwhile)
    #expect(!judgement(expected: 12, drawn: 2, milliseconds: 50, least: 3).isWorthwhile)
    // Somebody waits for the first dozen.
    #expect(!judgement(expected: 1000).isWorthwhile)
    #expect(!judgement(expected: 1000, drawn: 11, milliseconds: 40).isWorthwhile)
    #expect(judgement(expected: 1000, drawn: 12, milliseconds: 60).isWorthwhile)
    #expect(
      !judgement(objects: 10_000_000, expected: 1000, drawn: 12, milliseconds: 60).isWorthwhile)
    #expect(!judgement(objects: .max, expected: 1 << 30, drawn: 12, milliseconds: 60).isWorthwhile)
    #expect(judgement(objects: 1, expected: .max, drawn: 12, milliseconds: 60).isWorthwhile)
  }

  @Test func `it is made before the first of many pages, where it is made quickly`() {
    #expect(judgement(expected: 24).isUrgent)
    #expect(!judgement(expected: 23).isUrgent)
    #expect(!judgement(expected: 24, drawn: 1).isUrgent)
    #expect(!judgement(bytes: 3 << 20, expected: 1000).isUrgent)
    #expect(!judgement(objects: 20_000, expected: 1000).isUrgent)
    var refused = judgement(expected: 24)
    refused.refusesHaste = true
    #expect(!refused.isUrgent)
  }

  @Test(arguments: [
    ([0], 4, 0..<1), ([0], 3, nil), (Array(0..<12), 1158, 0..<12), (Array(0..<24), 1158, 0..<24),
    (Array(0..<25), 1158, nil), ([7, 3, 5], 30, 3..<8), ([7, 3, 5], 19, nil),
    ([0, 1157], 1158, nil),
    ([], 9, nil), ([-1], 9, nil), ([9], 9, nil), ([.max], 9, nil), ([.min, .max], 9, nil),
  ])
  func `few pages that are close together are known as such`(
    pages: [Int], count: Int, expected: Range<Int>?
  ) {
    #expect(PreparationJudgement.few(pages, of: count) == expected)
  }

  private static func manual(pages: Int) -> [UInt8] {
    let text = (0..<60).map { "BT /F1 8 Tf 20 \(280 - $0 * 4) Td (line \($0) of words) Tj ET" }
    return PDFBuilder(
      pages: (0..<pages).map { page in
        PDFBuilder.Page(
          content: """
            \(Double(page) / 40) g 0 0 50 50 re f 0 w 10 20 m 280 290 l S
            q 40 0 0 40 200 200 cm BI /W 2 /H 2 /CS /G /BPC 8 ID a!b# EI Q \(text.joined(separator: " "))
            """)
      }
    ).build()
  }

  @Test func `it draws the same pixels and says the same of the document`() throws {
    let bytes = Self.manual(pages: 8)
    var plain = try PDFDocument(.bytes(bytes))
    var copied = try PDFDocument(.bytes(bytes))
    var copy: [UInt8] = []
    let count = unsafe copied.expand { found in
      unsafe copy = Array(found)
      return true
    }
    #expect(count == copy.count)
    try unsafe copied.adopt(immortal: ExpandedCopy.immortal(copy))
    let before = plain.information()
    let after = copied.information()
    #expect(after == before)
    for page in 0..<8 {
      let size = PixelSize(width: 53, height: 80)
      let expected = try PageRenderer().picture(of: page, in: &plain, size: size).picture
      #expect(try PageRenderer().picture(of: page, in: &copied, size: size).picture == expected)
    }
  }

  @Test func `a copy of another document is refused`() throws {
    var document = try PDFDocument(.bytes(Self.manual(pages: 2)))
    for other in [Self.manual(pages: 3), Array("no document at all".utf8)] {
      #expect(throws: PDFError.self) {
        try unsafe document.adopt(immortal: ExpandedCopy.immortal(other))
      }
    }
    #expect(throws: Never.self) { try document.geometry(of: 1) }
  }

  @Test(arguments: [1, 2])
  func `all pages of a long document come, whichever they are drawn from`(workers: Int) async throws
  {
    let source = PDFSource.bytes(Self.manual(pages: 300))
    let document = try await ThumbnailDocument.open(
      source, settings: Probe.settings(workers: workers))
    var plain = try PDFDocument(source)
    var pages = 0
    for try await outcome in document.thumbnails(size: .height(40)) {
      let drawn = try outcome.result.get()
      #expect(outcome.page == pages)
      pages += 1
      guard outcome.page.isMultiple(of: 25) else { continue }
      let expected = try PageRenderer().picture(
        of: outcome.page, in: &plain, size: drawn.picture.size)
      #expect(drawn.picture == expected.picture)
    }
    #expect(pages == 300)
  }

  @Test(arguments: ["prepare-crash", "prepare-lie", "prepare-junk", "adopt-crash", "nothing"])
  func `a worker that fails at it costs no page`(deed: String) async throws {
    let document = try await Probe.open(deed, Probe.settings(workers: 2))
    var drawn = 0
    for try await outcome in document.thumbnails(size: .height(20)) {
      #expect(throws: Never.self) { try outcome.result.get() }
      drawn += 1
    }
    #expect(drawn == 1000)
  }
}
