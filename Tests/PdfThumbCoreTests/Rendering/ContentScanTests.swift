import PdfThumbCore
import Testing

@Suite struct ContentScanTests {
  @Test(
    arguments: [
      ("", 0), ("0 0 m 1 1 l S", 0), ("(Tj \\) Tj) Tj [(a) 3 (TJ)] TJ", 2), ("/Tj gs /B Do", 0),
      ("<53> Tj", 1), ("% Tj Tj\n1 w", 0), ("/P << /Tj 1 >> BDC (a) Tj EMC", 1),
      ("(a) ' 1 2 (b) \"", 2), ("BI /W 1 ID x Tj EIx Tj EI (a) Tj", 1), ("((Tj) Tj", 0),
      ("<Tj", 0), ("BI ID   ", 0), ("TjTj xTj", 0),
    ])
  func `operators that show text are counted, and nothing else`(content: String, texts: Int) {
    let bytes = Array(content.utf8)
    #expect(ContentScan.showsTexts(bytes, atLeast: texts))
    #expect(!ContentScan.showsTexts(bytes, atLeast: texts + 1))
  }
}
