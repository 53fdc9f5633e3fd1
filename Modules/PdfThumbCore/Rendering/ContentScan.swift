/// What a page's content does, counted without interpreting it.
package struct ContentScan: Sendable, Equatable {
  /// The number of operators that stroke a path.
  package var strokes = 0
  /// The number of operators that show text.
  package var texts = 0
  /// The number of operators that draw an image or a form.
  package var objects = 0

  /// Counts operators; strings, comments and the data of inline images are passed over.
  package init(_ content: [UInt8]) {
    var tokens = ContentTokens(content)
    while let token = tokens.next() {
      guard case .word(let word) = token else { continue }
      switch word {
      case 0x53, 0x73, 0x42, 0x62, 0x422A, 0x622A: strokes += 1  // S s B b B* b*
      case 0x546A, 0x544A, 0x27, 0x22: texts += 1  // Tj TJ ' "
      case 0x446F: objects += 1  // Do
      case 0x4944: tokens.skipInlineImage()  // ID
      default: break
      }
    }
  }
}
