/// The two ways poppler draws a page.
enum DrawingPath: Sendable {
  /// As on a screen: every annotation, images filtered; lays out the page's text as well, which costs a third of
  /// a page of text and nearly all of a dense map.
  case screen
  /// As on paper: no text layout, images sampled, annotations meant for print; images larger than cairo's
  /// 32,767 pixels are drawn in place of being left out; thin lines keep their width, so hairlines vanish.
  case print
}

extension PDFDocument {
  /// The quicker way that gives the right picture.
  mutating func path(
    for handle: borrowing PopplerPageHandle, page: Int, settings: RenderSettings
  ) -> DrawingPath {
    guard settings.drawsAnnotations else { return .print }
    guard let traits = structure.traits(of: page) else { return .screen }
    if traits.longestImageSide > 32_767 { return .print }
    if traits.hasAnnotations, handle.annotationsDifferInPrint() { return .screen }
    if let content = traits.content {
      // Beyond some thousand words the layout of text costs more than hairlines are worth.
      let mayStroke = content.strokes > 0 || (traits.hasForms && content.objects > 0)
      if mayStroke, content.texts < 2000 { return .screen }
    }
    // Sampling does not show in small images; averaging over 16 samples a pixel hides the rest.
    guard traits.imagePixels > 20_000 else { return .print }
    let size = handle.size()
    let covered = handle.imageAreas().reduce(0) { $0 + $1.width * $1.height }
    return covered > 0.2 * size.width * size.height ? .screen : .print
  }
}
