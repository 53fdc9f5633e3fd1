/// The two streams between which the content of pages stands in a copy, by the numbers of their objects.
///
/// Drawing for a screen, poppler 22.12 also lays out the text, for searching and selecting: a third of the time of a
/// page of text, and more than ten seconds on a dense map. Within a span that has a replacement text (ISO 32000-1,
/// 14.9.4) it collects that in place of the letters (`TextOutputDev.cc:ActualText`), and draws them as ever.
struct HidingSpan {
  static let beginning: StaticString = "/Span <</ActualText ()>> BDC\n"
  static let ending: StaticString = "\nEMC\n"

  let before: Int
  let after: Int

  var streams: [(Int, StaticString)] { [(before, Self.beginning), (after, Self.ending)] }
}
