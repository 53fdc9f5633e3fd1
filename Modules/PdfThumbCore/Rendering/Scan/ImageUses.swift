/// Which images a page draws, and how large at most.
///
/// Images in soft masks of states and in annotations are not found; they are drawn as they are.
struct ImageUses {
  /// An image and the points that its unit square is wide and high on the page.
  struct Use {
    let image: QPDFObject
    var width: Double
    var height: Double
  }

  /// By the number of the image's object.
  private(set) var uses: [Int: Use] = [:]
  private var operators = 0
  private var forms = 0

  private static let greatestCount = 256
  private static let greatestDepth = 4

  /// Whether resources, or those of the forms and patterns among them, name a large image.
  static func hasLargeImage(_ resources: QPDFObject?, depth: Int = 0) -> Bool {
    guard depth < greatestDepth, let resources else { return false }
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

  /// Walks the content of a page or a form; what is not understood is passed over.
  mutating func walk(
    _ content: [UInt8], _ resources: QPDFObject?, _ outer: AffineTransform, depth: Int = 0
  ) {
    let objects = resources?["/XObject"]
    let patterns = resources?["/Pattern"]
    guard objects != nil || patterns != nil else { return }
    var tokens = ContentTokens(content)
    var matrix = outer
    var stack: [AffineTransform] = []
    var numbers: [Double] = []
    var name: Range<Int>?
    while let token = tokens.next(), operators < 1_000_000 {
      switch token {
      case .number(let number): numbers.append(number)
      case .name(let range): name = range
      case .other, .bad: break
      case .word(let word):
        operators += 1
        switch word {
        case 0x71 where stack.count < 1000: stack.append(matrix)  // q
        case 0x51: matrix = stack.popLast() ?? matrix  // Q
        case 0x636D:  // cm
          if let change = AffineTransform(numbers) { matrix = change.followed(by: matrix) }
        case 0x446F:  // Do
          if let object = name.flatMap({ objects?["/" + tokens.text($0)] }) {
            note(object, matrix, resources, depth)
          }
        case 0x73636E, 0x53434E:  // scn, SCN
          // Patterns lie on the content they are used in, whatever it does to its matrix (8.7.3.1).
          if let object = name.flatMap({ patterns?["/" + tokens.text($0)] }) {
            walk(within: object, outer, resources, depth)
          }
        case 0x4944: tokens.skipInlineImage()  // ID
        default: break
        }
        numbers.removeAll(keepingCapacity: true)
        name = nil
      }
    }
  }

  private mutating func note(
    _ object: QPDFObject, _ matrix: AffineTransform, _ resources: QPDFObject?, _ depth: Int
  ) {
    guard let dictionary = object.streamDictionary else { return }
    switch dictionary["/Subtype"]?.name {
    case "/Image"?:
      let width = (matrix.a * matrix.a + matrix.b * matrix.b).squareRoot()
      let height = (matrix.c * matrix.c + matrix.d * matrix.d).squareRoot()
      guard width.isFinite, height.isFinite else { return }
      add(object, width, height)
      if let mask = dictionary["/SMask"] { add(mask, width, height) }
    case "/Form"?: walk(within: object, matrix, resources, depth)
    default: break
    }
  }

  /// Walks a form or a pattern; those of shadings have no content.
  private mutating func walk(
    within object: QPDFObject, _ matrix: AffineTransform, _ resources: QPDFObject?, _ depth: Int
  ) {
    forms += 1
    guard depth < Self.greatestDepth, forms < 1000, let dictionary = object.streamDictionary,
      let inner = dictionary["/Resources"] ?? resources,
      inner["/XObject"] != nil || inner["/Pattern"] != nil,
      let content = object.streamBytes(limit: 4 << 20)
    else { return }
    let own = dictionary["/Matrix"].flatMap {
      AffineTransform($0.elements(limit: 6).compactMap(\.number))
    }
    walk(content, inner, own?.followed(by: matrix) ?? matrix, depth: depth + 1)
  }

  private mutating func add(_ image: QPDFObject, _ width: Double, _ height: Double) {
    let number = image.objectNumber
    guard number > 0, uses.count < Self.greatestCount || uses[number] != nil else { return }
    var use = uses[number] ?? Use(image: image, width: 0, height: 0)
    use.width = max(use.width, width)
    use.height = max(use.height, height)
    uses[number] = use
  }
}
