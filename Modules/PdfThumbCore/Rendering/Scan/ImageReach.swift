/// Which images a page could draw at all, by what its resources name: in its content, its forms and patterns, the soft
/// masks of its states, glyphs that are drawn (Type 3) and the appearances of its annotations.
///
/// It says too much rather than too little, for nothing is asked of what content does with its resources.
struct ImageReach {
  /// The numbers of the images' objects.
  private(set) var images: Set<Int> = []
  /// Whether nothing was left out for its count.
  private(set) var isWhole = true
  private var seen: Set<Int> = []
  private var count = 0

  private static let greatestCount = 20_000
  private static let greatestDepth = 32

  /// Adds what a page could draw.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - form: The document's form, whose fonts poppler writes fields in.
  mutating func add(page: QPDFObject, form: QPDFObject?) {
    add(page.inherited("/Resources"))
    guard let annotations = page["/Annots"] else { return }
    add(form?["/DR"])
    for annotation in annotations.elements(limit: Self.greatestCount + 1) {
      for appearance in appearances(of: annotation) { add(stream: appearance, 0) }
    }
  }

  /// Adds what content with these resources could draw.
  mutating func add(_ resources: QPDFObject?, depth: Int = 0) {
    guard let resources, enter(resources, depth) else { return }
    for kind in ["/XObject", "/Pattern"] {
      guard let objects = resources[kind] else { continue }
      for key in objects.keys {
        if let object = objects[key] { add(stream: object, depth) }
      }
    }
    if let states = resources["/ExtGState"] {
      for key in states.keys {
        guard let state = states[key], enter(state, depth) else { continue }
        if let group = state["/SMask"]?["/G"] { add(stream: group, depth) }
        if let font = state["/Font"]?.element(0) { add(font: font, depth) }
      }
    }
    addFonts(of: resources, depth)
  }

  /// Adds what the glyphs of fonts could draw.
  mutating func addFonts(of resources: QPDFObject, _ depth: Int = 0) {
    guard let fonts = resources["/Font"] else { return }
    for key in fonts.keys {
      if let font = fonts[key] { add(font: font, depth) }
    }
  }

  /// Adds what the glyphs of a font could draw.
  mutating func add(font: QPDFObject, _ depth: Int = 0) {
    guard enter(font, depth), font["/Subtype"]?.name == "/Type3" else { return }
    add(font["/Resources"], depth: depth + 1)
  }

  /// The streams that show an annotation, in all of its states.
  mutating func appearances(of annotation: QPDFObject) -> [QPDFObject] {
    guard annotation["/Subtype"]?.name != "/Popup" else { return [] }
    var found: [QPDFObject] = []
    for key in ["/AP", "/MK"] {
      if let part = annotation[key] { find(in: part, 0, &found) }
    }
    return found
  }

  private mutating func find(in object: QPDFObject, _ depth: Int, _ found: inout [QPDFObject]) {
    if object.isStream { return found.append(object) }
    guard object.isDictionary else { return }
    guard depth < 3, count < Self.greatestCount else {
      isWhole = false
      return
    }
    for key in object.keys {
      count += 1
      if let part = object[key] { find(in: part, depth + 1, &found) }
    }
  }

  private mutating func add(stream object: QPDFObject, _ depth: Int) {
    guard let dictionary = object.streamDictionary, enter(object, depth) else { return }
    guard dictionary["/Subtype"]?.name == "/Image" else {
      return add(dictionary["/Resources"], depth: depth + 1)
    }
    images.insert(object.objectNumber)
    for key in ["/SMask", "/Mask"] {
      if let mask = dictionary[key], mask.isStream { images.insert(mask.objectNumber) }
    }
  }

  /// Whether an object was not looked at before, and may be.
  private mutating func enter(_ object: QPDFObject, _ depth: Int) -> Bool {
    let number = object.objectNumber
    if number > 0, !seen.insert(number).inserted { return false }
    count += 1
    guard count <= Self.greatestCount, depth <= Self.greatestDepth else {
      isWhole = false
      return false
    }
    return true
  }
}
