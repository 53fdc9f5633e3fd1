internal import CQpdf

/// What a page's resources say beyond its images.
struct ResourceFindings: Sendable, Equatable {
  /// Whether a font is neither in the document nor on this machine.
  var lackFonts = false
  /// Whether something may be blended with what lies below it.
  var blend = false
  /// Whether glyphs or patterns draw with glyphs, patterns or forms themselves.
  var nest = false
  /// The longest side of an image in pixels.
  var longestImageSide = 0.0

  fileprivate mutating func add(_ other: ResourceFindings) {
    lackFonts = lackFonts || other.lackFonts
    blend = blend || other.blend
    nest = nest || other.nest
    longestImageSide = max(longestImageSide, other.longestImageSide)
  }
}

/// What is known of a document's resources, as far as they were looked at.
struct ResourceSurvey: Sendable {
  /// By the number of a resource dictionary's object, or of a font's.
  fileprivate var known: [Int: ResourceFindings] = [:]
  /// The names of missing fonts, in the order found.
  fileprivate(set) var missingFonts: [String] = []

  static let greatestNameCount = 64
  fileprivate static let greatestKnownCount = 1 << 16

  fileprivate mutating func note(_ findings: ResourceFindings, of object: QPDFObject) {
    guard object.objectNumber > 0, known.count < Self.greatestKnownCount else { return }
    known[object.objectNumber] = findings
  }

  fileprivate mutating func add(_ name: String) {
    if missingFonts.count < Self.greatestNameCount, !missingFonts.contains(name) {
      missingFonts.append(name)
    }
  }
}

extension QPDFHandle {
  /// Looks at the resources of a page and of the forms among them, at most 4 levels deep.
  ///
  /// Fonts with Latin letters are always replaced by some font; for those of the CJK collections
  /// only one that has the letters will do, and poppler draws nothing where there is none.
  mutating func survey(_ page: Int, _ survey: inout ResourceSurvey) -> ResourceFindings? {
    withPage(page) { object in
      object.inherited("/Resources").map { Self.survey($0, depth: 0, &survey) }
    }
  }

  private static func survey(
    _ resources: QPDFObject, depth: Int, _ survey: inout ResourceSurvey
  ) -> ResourceFindings {
    if let known = survey.known[resources.objectNumber] { return known }
    var findings = ResourceFindings()
    // Forms may contain each other.
    survey.note(findings, of: resources)
    if let states = resources["/ExtGState"] {
      findings.blend = states.keys.prefix(1024).contains { states[$0].map(blends) ?? false }
    }
    if let fonts = resources["/Font"] {
      for key in fonts.keys.prefix(1024) {
        guard let font = fonts[key] else { continue }
        if isMissing(font, &survey) { findings.lackFonts = true }
        if font["/Subtype"]?.name == "/Type3", nests(font) { findings.nest = true }
      }
    }
    if let patterns = resources["/Pattern"] {
      for key in patterns.keys.prefix(1024) where !findings.nest {
        findings.nest = patterns[key]?.streamDictionary.map(nests) ?? false
      }
    }
    if depth < 4, let objects = resources["/XObject"] {
      for key in objects.keys.prefix(1024) {
        guard let object = objects[key]?.streamDictionary else { continue }
        switch object["/Subtype"]?.name {
        case "/Image"?:
          findings.longestImageSide = max(
            findings.longestImageSide, object["/Width"]?.number ?? 0, object["/Height"]?.number ?? 0
          )
        case "/Form"?:
          if let inner = object["/Resources"] {
            findings.add(Self.survey(inner, depth: depth + 1, &survey))
          }
        default: break
        }
      }
    }
    survey.note(findings, of: resources)
    return findings
  }

  private static func blends(_ state: QPDFObject) -> Bool {
    guard let mode = state["/BM"] else { return false }
    let name = mode.isArray ? mode.element(0)?.name : mode.name
    return !["/Normal", "/Compatible", nil].contains(name)
  }

  /// Whether a glyph or pattern has resources of kinds that have resources themselves.
  private static func nests(_ dictionary: QPDFObject) -> Bool {
    guard let inner = dictionary["/Resources"] else { return false }
    return ["/Font", "/Pattern", "/XObject"].contains { inner[$0] != nil }
  }

  private static func isMissing(_ font: QPDFObject, _ survey: inout ResourceSurvey) -> Bool {
    if let known = survey.known[font.objectNumber] { return known.lackFonts }
    let isMissing = !isEmbedded(font) && !FontPlaces.hasFont(language: language(of: font))
    if isMissing { survey.add(String((font["/BaseFont"]?.name ?? "/?").dropFirst().prefix(100))) }
    survey.note(ResourceFindings(lackFonts: isMissing), of: font)
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
