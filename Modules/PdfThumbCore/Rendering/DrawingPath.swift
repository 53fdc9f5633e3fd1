/// The two ways poppler draws a page.
enum DrawingPath: Sendable {
  /// As on a screen: every annotation, images filtered, hairlines as wide as a pixel; lays out the page's text as
  /// well, unless that is hidden from it.
  case screen
  /// As on paper: images sampled, and those larger than cairo's 32,767 pixels drawn in place of being left out;
  /// annotations meant for print, or none; hairlines vanish.
  case print
}

extension PDFDocument {
  /// The way that gives the right picture; the page may be another's when it returns.
  ///
  /// The choice is the same for a document and for copies of it, so that pictures are.
  mutating func path(
    for handle: inout PopplerPageHandle, page: Int, _ resources: ResourceFindings,
    settings: RenderSettings
  ) throws(PDFError) -> DrawingPath {
    guard settings.drawsAnnotations, resources.longestImageSide <= 32_767 else { return .print }
    guard !copy.hidesText, structure.isRichInText(page) else { return .screen }
    guard !copy.cannotHideText, hideText() else { return .print }
    handle = try openPage(page)
    return .screen
  }

  /// Makes poppler read a document whose text is hidden from its layout of text.
  private mutating func hideText() -> Bool {
    if adoptOwnCopy() { return true }
    var changes = copy.changes
    changes.hidesText = true
    let isHidden = reopen(with: changes)
    copy.cannotHideText = !isHidden
    return isHidden
  }
}
