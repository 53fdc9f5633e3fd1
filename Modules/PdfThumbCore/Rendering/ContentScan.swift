/// What a page's content does, seen without interpreting it.
package enum ContentScan {
  /// Whether a content has at least so many operators that show text.
  ///
  /// Strings, comments and the data of inline images are passed over.
  package static func showsTexts(_ content: [UInt8], atLeast count: Int) -> Bool {
    // An operand, the operator and what parts them.
    guard content.count >= count * 4 else { return count <= 0 }
    var texts = 0
    var tokens = ContentTokens(content)
    while texts < count, let token = tokens.next() {
      guard case .word(let word) = token else { continue }
      switch word {
      case 0x546A, 0x544A, 0x27, 0x22: texts += 1  // Tj TJ ' "
      case 0x4944: tokens.skipInlineImage()  // ID
      default: break
      }
    }
    return texts >= count
  }
}
