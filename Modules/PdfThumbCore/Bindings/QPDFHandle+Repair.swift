internal import CQpdf

/// Putting right what poppler does not get over.
extension QPDFHandle {
  /// What a page and its text need, and may be written as a stream of no use.
  private static let dictionaries: Set<String> = ["/Page", "/Pages", "/Font", "/FontDescriptor"]

  /// Makes dictionaries of objects that have to be ones but are streams, of which nothing but the dictionary matters.
  mutating func unwrapDictionaries() {
    for number in 1..<max(1, min(objectCount(), 1 << 20)) {
      defer { unsafe qpdf_oh_release_all(raw) }
      let object = unsafe QPDFObject(
        document: raw, handle: qpdf_get_object_by_id(raw, Int32(number), 0))
      guard let dictionary = object.streamDictionary,
        let type = dictionary["/Type"]?.name, Self.dictionaries.contains(type)
      else { continue }
      unsafe qpdf_replace_object(raw, Int32(number), 0, dictionary.handle)
    }
  }

  /// Cuts circles among what content draws with: a glyph (Type 3) that is drawn with a pattern that shows the glyph.
  ///
  /// Poppler follows them until no memory is left. What is cut draws nothing, as there is no end to what it would draw.
  ///
  /// - Returns: Whether there were any.
  mutating func cutCircles() -> Bool {
    var count = 0
    for page in 0..<max(0, Int(unsafe qpdf_get_num_pages(raw))) {
      defer { unsafe qpdf_oh_release_all(raw) }
      var circles = DrawingCircles(cuts: true)
      circles.find(from: unsafe QPDFObject(document: raw, handle: qpdf_get_page_n(raw, page)))
      count += circles.count
    }
    return count > 0
  }

  /// Whether a page draws with circles.
  mutating func hasCircles(_ page: Int) -> Bool {
    withPage(page) { object in
      var circles = DrawingCircles(cuts: false)
      circles.find(from: object)
      return circles.count > 0
    } ?? false
  }
}

/// Looks for circles among what content draws with.
private struct DrawingCircles {
  /// Whether they are cut where they close.
  let cuts: Bool
  /// How many were found.
  private(set) var count = 0
  /// The numbers of the objects on the way to where it looks.
  private var way: [Int] = []
  /// The numbers of those it has left.
  private var done: Set<Int> = []

  private static let greatestDepth = 64
  private static let greatestGlyphCount = 256
  private static let greatestContent = 1 << 20

  init(cuts: Bool) { self.cuts = cuts }

  /// Looks from a page on.
  mutating func find(from page: QPDFObject) {
    guard let resources = page.inherited("/Resources"),
      let content = page.content(limit: Double(Self.greatestContent))
    else { return }
    find(in: resources, of: page, names: Self.names(in: content))
  }

  /// Looks at what content draws with; what its resources merely name, as those that all share do, is none of it.
  private mutating func find(in resources: QPDFObject, of owner: QPDFObject, names: Set<String>) {
    for kind in ["/Font", "/Pattern", "/XObject"] {
      guard let objects = resources[kind] else { continue }
      for key in objects.keys where names.contains(key) {
        guard let object = objects[key] else { continue }
        let dictionary = object.streamDictionary ?? object
        guard let inner = dictionary["/Resources"] else { continue }
        let number = object.objectNumber
        if number > 0, way.contains(number) {
          count += 1
          if cuts { owner.useOwnResources(resources, without: key, of: kind) }
        } else if way.count < Self.greatestDepth, number == 0 || !done.contains(number) {
          way.append(number)
          find(in: inner, of: dictionary, names: Self.names(usedBy: object))
          way.removeLast()
          done.insert(number)
        }
      }
    }
  }

  /// The names in the content of a form, a pattern or a font's glyphs, whatever is done with them.
  private static func names(usedBy object: QPDFObject) -> Set<String> {
    if let content = object.streamBytes(limit: greatestContent) { return names(in: content) }
    guard let glyphs = object["/CharProcs"] else { return [] }
    return glyphs.keys.prefix(greatestGlyphCount).reduce(into: []) { found, key in
      if let content = glyphs[key]?.streamBytes(limit: 1 << 16) {
        found.formUnion(names(in: content))
      }
    }
  }

  private static func names(in content: [UInt8]) -> Set<String> {
    var tokens = ContentTokens(content)
    var found: Set<String> = []
    while let token = tokens.next() {
      switch token {
      case .name(let range): found.insert("/" + tokens.text(range))
      case .word(0x4944): tokens.skipInlineImage()  // ID
      default: break
      }
    }
    return found
  }
}

extension QPDFObject {
  /// Gives a dictionary resources of its own that lack a key: others may share those it has.
  fileprivate func useOwnResources(
    _ resources: QPDFObject, without key: String, of kind: String
  ) {
    guard let objects = resources[kind] else { return }
    let own = unsafe qpdf_oh_new_dictionary(document)
    for other in resources.keys where other != kind {
      if let value = resources[other] {
        unsafe qpdf_oh_replace_key(document, own, other, value.handle)
      }
    }
    let rest = unsafe qpdf_oh_new_dictionary(document)
    for other in objects.keys where other != key {
      if let value = objects[other] {
        unsafe qpdf_oh_replace_key(document, rest, other, value.handle)
      }
    }
    unsafe qpdf_oh_replace_key(document, own, kind, rest)
    unsafe qpdf_oh_replace_key(document, handle, "/Resources", own)
  }
}
