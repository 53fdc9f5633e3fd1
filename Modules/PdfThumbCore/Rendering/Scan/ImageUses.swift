/// Which images a page draws, and how large at most.
///
/// A smaller image shows wherever its object is used, so every use has to be known: a page of which something was not
/// understood is none to make images smaller for.
struct ImageUses {
  /// An image and the points that its unit square is wide and high on the page.
  struct Use {
    let image: QPDFObject
    var width: Double
    var height: Double
  }

  /// By the number of the image's object.
  private(set) var uses: [Int: Use] = [:]
  /// The numbers of images that are drawn in a size which is not known as well: by annotations and by glyphs, and as
  /// stencils.
  private(set) var unsized: Set<Int> = []
  /// Whether everything the page draws was understood.
  private(set) var isWhole = true
  private var operators = 0
  private var forms = 0
  /// How often something was found that says more than that a form has no images.
  private var remarks = 0
  /// The numbers of forms that draw no image, wherever they are drawn.
  private var plain: Set<Int> = []
  private var isUnsized = false
  /// What glyphs that are drawn (Type 3) may draw.
  private var glyphs = ImageReach()

  private static let greatestCount = 256
  private static let greatestDepth = 16
  private static let greatestOperatorCount = 1_000_000
  private static let greatestFormCount = 1000
  /// How deep an image is looked for where no image is small yet.
  private static let greatestNamedDepth = 4

  /// The operators of content streams (ISO 32000-1, annex A).
  private static let known: Set<UInt32> = Set(
    """
    b B b* B* BDC BI BMC BT BX c cm cs CS d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re RG \
    rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "
    """.split(separator: " ").map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } })

  /// Whether resources, or those of the forms and patterns among them, name a large image; it may miss some.
  static func hasLargeImage(_ resources: QPDFObject?, depth: Int = 0) -> Bool {
    guard depth < greatestNamedDepth, let resources else { return false }
    let isInPattern = resources["/Pattern"].map { patterns in
      patterns.keys.prefix(greatestCount).contains { key in
        hasLargeImage(patterns[key]?.streamDictionary?["/Resources"], depth: depth + 1)
      }
    }
    if isInPattern == true { return true }
    guard let objects = resources["/XObject"] else { return false }
    return objects.keys.prefix(greatestCount).contains { key in
      guard let object = objects[key] else { return false }
      if let dictionary = object.streamDictionary, dictionary["/Subtype"]?.name == "/Form" {
        return hasLargeImage(dictionary["/Resources"], depth: depth + 1)
      }
      return object.isLargeImage
    }
  }

  /// Walks all that a page draws.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - form: The document's form, whose fonts poppler writes fields in.
  init(page: QPDFObject, form: QPDFObject?) {
    let resources = page.inherited("/Resources").map { [$0] } ?? []
    guard let content = page.content(limit: 1_000_000) else {
      isWhole = false
      return
    }
    if let resources = resources.first { glyphs.addFonts(of: resources) }
    walk(content, resources, AffineTransform(), 0)
    if let annotations = page["/Annots"] {
      isUnsized = true
      if let fonts = form?["/DR"] { glyphs.addFonts(of: fonts) }
      isWhole = isWhole && annotations.elementCount <= 10_000
      for annotation in annotations.elements(limit: 10_000) where isWhole {
        for appearance in glyphs.appearances(of: annotation) {
          walk(within: appearance, AffineTransform(), resources, 0)
        }
      }
    }
    unsized.formUnion(glyphs.images)
    isWhole = isWhole && glyphs.isWhole
  }

  /// Walks the content of a page, a form or a pattern.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - resources: Its own resources, and behind them those of the content that draws it, in which poppler looks for
  ///     what its own do not name.
  ///   - outer: From its space to the page.
  ///   - depth: How many forms it is in.
  private mutating func walk(
    _ content: [UInt8], _ resources: [QPDFObject], _ outer: AffineTransform, _ depth: Int
  ) {
    var tokens = ContentTokens(content)
    var matrix = outer
    var stack: [AffineTransform] = []
    var numbers: [Double] = []
    var name: Range<Int>?
    var inlineImages = 0
    while isWhole, let token = tokens.next() {
      switch token {
      case .number(let number): numbers.append(number)
      case .name(let range): name = range
      case .other: break
      case .bad: isWhole = false
      case .word(let word):
        operators += 1
        switch word {
        case 0x71:  // q
          isWhole = stack.count < 1000
          stack.append(matrix)
        case 0x51: matrix = stack.popLast() ?? matrix  // Q
        case 0x636D:  // cm
          let change = AffineTransform(numbers)
          isWhole = change != nil
          matrix = (change ?? AffineTransform()).followed(by: matrix)
        case 0x446F:  // Do
          let object = find("/XObject", name.map(tokens.text), resources)
          if let object { note(object, matrix, resources, depth) }
        case 0x6773:  // gs
          let state = find("/ExtGState", name.map(tokens.text), resources)
          if let state { note(state: state, matrix, resources, depth) }
        case 0x73636E, 0x53434E:  // scn, SCN
          // Patterns lie on the content they are used in, whatever it does to its matrix (8.7.3.1).
          guard let name else { break }
          let pattern = find("/Pattern", tokens.text(name), resources)
          if let pattern { walk(within: pattern, outer, resources, depth) }
        case 0x4944:  // ID
          inlineImages += 1
          tokens.skipInlineImage()
        default: isWhole = Self.known.contains(word)
        }
        if operators > Self.greatestOperatorCount { isWhole = false }
        numbers.removeAll(keepingCapacity: true)
        name = nil
      }
    }
    // Only the decoder of an inline image knows where that ends, unless there is but one place for each.
    if inlineImages > 0, Self.count(ofEndsIn: content) != inlineImages { isWhole = false }
  }

  /// How often `EI` stands in a content, as what it may be.
  private static func count(ofEndsIn content: [UInt8]) -> Int {
    zip(content, content.dropFirst()).count { $0 == UInt8(ascii: "E") && $1 == UInt8(ascii: "I") }
  }

  /// What a name stands for; with nothing of that name, something is not understood.
  private mutating func find(
    _ kind: String, _ name: String?, _ resources: [QPDFObject]
  ) -> QPDFObject? {
    if let name {
      for (index, one) in resources.enumerated() {
        guard let found = one[kind]?["/" + name] else { continue }
        if index > 0 { remarks += 1 }
        return found
      }
    }
    isWhole = false
    return nil
  }

  private mutating func note(
    _ object: QPDFObject, _ matrix: AffineTransform, _ resources: [QPDFObject], _ depth: Int
  ) {
    guard let dictionary = object.streamDictionary else { return }
    switch dictionary["/Subtype"]?.name {
    case "/Image"?:
      let width = (matrix.a * matrix.a + matrix.b * matrix.b).squareRoot()
      let height = (matrix.c * matrix.c + matrix.d * matrix.d).squareRoot()
      add(object, width, height)
      if let mask = dictionary["/SMask"] { add(mask, width, height) }
      if let stencil = dictionary["/Mask"], stencil.isStream {
        unsized.insert(stencil.objectNumber)
      }
    case "/Form"?: walk(within: object, matrix, resources, depth)
    default: break
    }
  }

  /// Notes what a state of an `ExtGState` draws: the group of its soft mask, where it is set.
  private mutating func note(
    state: QPDFObject, _ matrix: AffineTransform, _ resources: [QPDFObject], _ depth: Int
  ) {
    if let font = state["/Font"]?.element(0) { glyphs.add(font: font) }
    if let group = state["/SMask"]?["/G"] {
      walk(within: group, matrix, resources, depth)
    }
  }

  /// Walks a form or a pattern; those of shadings have no content.
  private mutating func walk(
    within object: QPDFObject, _ matrix: AffineTransform, _ resources: [QPDFObject], _ depth: Int
  ) {
    guard let dictionary = object.streamDictionary, !plain.contains(object.objectNumber) else {
      return
    }
    forms += 1
    guard depth < Self.greatestDepth, forms <= Self.greatestFormCount,
      let content = object.streamBytes(limit: 4 << 20)
    else {
      isWhole = false
      return
    }
    let own = dictionary["/Matrix"].flatMap {
      AffineTransform($0.elements(limit: 6).compactMap(\.number))
    }
    let inner = dictionary["/Resources"]
    if let inner { glyphs.addFonts(of: inner) }
    let before = remarks
    walk(
      content, (inner.map { [$0] } ?? []) + resources, own?.followed(by: matrix) ?? matrix,
      depth + 1)
    if remarks == before, object.objectNumber > 0 { plain.insert(object.objectNumber) }
  }

  private mutating func add(_ image: QPDFObject, _ width: Double, _ height: Double) {
    remarks += 1
    let number = image.objectNumber
    guard number > 0 else { return }
    guard !isUnsized, width.isFinite, height.isFinite,
      uses.count < Self.greatestCount || uses[number] != nil
    else {
      unsized.insert(number)
      return
    }
    var use = uses[number] ?? Use(image: image, width: 0, height: 0)
    use.width = max(use.width, width)
    use.height = max(use.height, height)
    uses[number] = use
  }
}
