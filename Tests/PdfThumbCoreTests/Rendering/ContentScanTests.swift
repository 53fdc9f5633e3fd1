import PdfThumbCore
import Testing

@Suite struct ContentScanTests {
  @Test(
    arguments: [
      ("", 0, 0, 0), ("0 0 m 1 1 l S", 1, 0, 0), ("b* B s b B*\nS", 6, 0, 0),
      ("(S \\) S) Tj [(a) 3 (S)] TJ", 0, 2, 0), ("/S gs /B Do", 0, 0, 1), ("<53> Tj", 0, 1, 0),
      ("% S\n1 w", 0, 0, 0), ("/P << /S 1 >> BDC S EMC", 1, 0, 0), ("(a) ' 1 2 (b) \"", 0, 2, 0),
      ("BI /W 1 ID x S EIx S EI S", 1, 0, 0), ("((S) S", 0, 0, 0), ("<S", 0, 0, 0),
      ("BI ID", 0, 0, 0), ("SCN Sx", 0, 0, 0),
    ])
  func `operators are counted, and nothing else`(
    content: String, strokes: Int, texts: Int, objects: Int
  ) {
    let scan = ContentScan(Array(content.utf8))
    #expect(scan.strokes == strokes)
    #expect(scan.texts == texts)
    #expect(scan.objects == objects)
  }
}
