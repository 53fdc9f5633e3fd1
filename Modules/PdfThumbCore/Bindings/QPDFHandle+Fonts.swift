internal import CQpdf

/// Which fonts of a document are neither in it nor on this machine, as far as they were looked at.
struct FontSurvey: Sendable {
  /// By the number of a font's or a resource dictionary's object: whether one is missing there.
  fileprivate var known: [Int: Bool] = [:]
  /// The names of missing fonts, in the order found.
  fileprivate(set) var missing: [String] = []

  static let greatestNameCount = 64
  fileprivate static let greatestKnownCount = 1 << 16

  fileprivate mutating func note(_ lacks: Bool, of object: QPDFObject) {
    guard object.objectNumber > 0, known.count < Self.greatestKnownCount else { return }
    known[object.objectNumber] = lacks
  }

  fileprivate mutating func add(_ name: String) {
    if missing.count < Self.greatestNameCount, !missing.contains(name) { missing.append(name) }
  }
}

extension QPDFHandle {
  /// Whether a font among the page's resources is missing.
  ///
  /// Fonts with Latin letters are always replaced by some font; for those of the CJK collections
  /// only one that has the letters will do, and poppler draws nothing where there is none.
  mutating func lacksFonts(on page: Int, _ survey: inout FontSurvey) -> Bool? {
    withPage(page) { object in
      object.inherited("/Resources").map { Self.lacksFonts($0, depth: 0, &survey) } ?? false
    }
  }

  private static func lacksFonts(
    _ resources: QPDFObject, depth: Int, _ survey: inout FontSurvey
  ) -> Bool {
    if let known = survey.known[resources.objectNumber] { return known }
    // Forms may contain each other.
    survey.note(false, of: resources)
    var lacks = false
    if let fonts = resources["/Font"] {
      for key in fonts.keys.prefix(1024) {
        if let font = fonts[key], isMissing(font, &survey) { lacks = true }
      }
    }
    if depth < 4, let objects = resources["/XObject"] {
      for key in objects.keys.prefix(1024) {
        if let form = objects[key]?.streamDictionary, form["/Subtype"]?.name == "/Form",
          let inner = form["/Resources"], lacksFonts(inner, depth: depth + 1, &survey)
        {
          lacks = true
        }
      }
    }
    survey.note(lacks, of: resources)
    return lacks
  }

  private static func isMissing(_ font: QPDFObject, _ survey: inout FontSurvey) -> Bool {
    if let known = survey.known[font.objectNumber] { return known }
    let isMissing = !isEmbedded(font) && !FontPlaces.hasFont(language: language(of: font))
    if isMissing { survey.add(String((font["/BaseFont"]?.name ?? "/?").dropFirst().prefix(100))) }
    survey.note(isMissing, of: font)
    return isMissing
  }

  private static func isEmbedded(_ font: QPDFObject) -> Bool {
    if font["/Subtype"]?.name == "/Type3" { return true }
    let inner = font["/DescendantFonts"]?.element(0) ?? font
    guard let descriptor = inner["/FontDescriptor"] else { return false }
    return ["/FontFile", "/FontFile2", "/FontFile3"].contains { descriptor[$0] != nil }
  }

  /// The language of a collection of characters (ISO 32000-1, 9.7.5.2), or `nil` where any font will do.
  private static func language(of font: QPDFObject) -> String? {
    let inner = font["/DescendantFonts"]?.element(0)
    switch inner?["/CIDSystemInfo"]?["/Ordering"]?.text {
    case "Japan1": return "ja"
    case "GB1": return "zh-cn"
    case "CNS1": return "zh-tw"
    case "Korea1", "KR": return "ko"
    default: return nil
    }
  }
}

extension QPDFObject {
  /// The text of a string.
  fileprivate var text: String? {
    guard unsafe qpdf_oh_is_string(document, handle) != 0,
      let text = unsafe qpdf_oh_get_utf8_value(document, handle)
    else { return nil }
    return unsafe String(cString: text)
  }
}
