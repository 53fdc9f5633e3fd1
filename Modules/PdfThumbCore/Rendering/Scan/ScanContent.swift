/// An image of a page, and where it goes.
struct ScanPlacement {
  let image: QPDFObject
  /// From the image's unit square to the page.
  let matrix: AffineTransform
  /// The part of the page outside which nothing is painted, or `nil` for all of it.
  let clip: PDFRectangle?
  /// The colour a stencil is painted in, or `nil` when that is no plain gray or RGB.
  let color: RGBColor?
}

/// Walks a page's content to see whether images are all that it shows.
///
/// Invisible text, as recognition leaves it, does not count, nor does what a later opaque image covers. Anything
/// that is not understood to the last operator makes the page one for the renderer.
struct ScanContent {
  /// The images in the order they are painted.
  private(set) var placements: [ScanPlacement] = []
  /// Whether something is shown that is no image.
  private(set) var showsOther = false
  /// The colour painted over the whole page before the images.
  private(set) var paper: RGBColor?

  private struct State {
    var matrix = AffineTransform()
    var clip: PDFRectangle?
    /// Whether the clip is some other shape than ``clip``.
    var isOddlyClipped = false
    var fill: RGBColor? = RGBColor(red: 0, green: 0, blue: 0)
    var textMode = 0.0
    var hasDrawnFont = false
    /// Whether what is painted goes over what is there, opaque and as it is.
    var isPlain = true
  }

  private let page: PDFRectangle
  private let layers: LayerStates
  private var state = State()
  private var stack: [State] = []
  private var path = ScanPath()
  private var clipsNext = false
  private var depth = 0
  private var operators = 0
  /// By their names among the resources at hand, whether fonts have glyphs that are drawn by content.
  private var drawnFonts: [String: Bool] = [:]

  private static let greatestDepth = 8
  private static let greatestCount = 256

  /// - Parameters:
  ///   - page: What is shown of the page.
  ///   - layers: Which layers are shown.
  init(page: PDFRectangle, layers: LayerStates) {
    self.page = page
    self.layers = layers
  }

  /// Whether the page is images and nothing else.
  var isScan: Bool { !showsOther && !placements.isEmpty }

  /// Walks the content of a page or a form.
  ///
  /// - Returns: Whether all of it was understood.
  mutating func walk(_ content: [UInt8], resources: QPDFObject?) -> Bool {
    var tokens = ContentTokens(content)
    var numbers: [Double] = []
    var names: [String] = []
    let bottom = stack.count
    let outerFonts = drawnFonts
    drawnFonts = [:]
    defer { drawnFonts = outerFonts }
    while let token = tokens.next() {
      switch token {
      case .number(let number): numbers.append(number)
      case .name(let range): names.append(tokens.text(range))
      case .other: break
      case .bad: return false
      case .word(0x4944):  // ID
        tokens.skipInlineImage()
        showsOther = true
      case .word(let word):
        guard perform(word, numbers, names, resources, bottom) else { return false }
        numbers.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
      }
      // What shows something else at such length is no scan.
      if showsOther, operators > 20_000 { return false }
    }
    while stack.count > bottom { state = stack.removeLast() }
    return true
  }

  private mutating func perform(
    _ word: UInt32, _ numbers: [Double], _ names: [String], _ resources: QPDFObject?,
    _ bottom: Int
  ) -> Bool {
    operators += 1
    switch word {
    case 0x71:  // q
      guard stack.count < 1000 else { return false }
      stack.append(state)
    case 0x51:  // Q
      if stack.count > bottom { state = stack.removeLast() }
    case 0x636D:  // cm
      guard let matrix = AffineTransform(numbers) else { return false }
      state.matrix = matrix.followed(by: state.matrix)
    case 0x446F:  // Do
      guard let name = names.last, let object = resources?["/XObject"]?["/" + name] else {
        return false
      }
      return paint(object, resources)
    case 0x6773:  // gs
      guard let name = names.last, let object = resources?["/ExtGState"]?["/" + name] else {
        return false
      }
      apply(object)
    case 0x424443:  // BDC
      // What a layer holds is looked at if the layer is shown, and is the renderer's if it is not.
      guard names.first == "OC" else { return true }
      let layer = names.last.flatMap { resources?["/Properties"]?["/" + $0] }
      return layer.flatMap { layers.shows($0) } ?? false
    default:
      return performPath(word, numbers) || performText(word, numbers, names, resources)
        || performColor(word, numbers) || Self.harmless.contains(word)
    }
    return true
  }

  /// Operators that show nothing and change nothing that matters to images: i j J w d M ri BMC EMC MP DP BX EX BI.
  private static let harmless: Set<UInt32> = [
    0x69, 0x6A, 0x4A, 0x77, 0x64, 0x4D, 0x7269, 0x424D43, 0x454D43, 0x4D50, 0x4450, 0x4258, 0x4558,
    0x4249,
  ]

  // MARK: - Paths

  private mutating func performPath(_ word: UInt32, _ numbers: [Double]) -> Bool {
    switch word {
    case 0x7265: path.add(rectangle: numbers, state.matrix)  // re
    case 0x6D: path.move(numbers, state.matrix)  // m
    case 0x6C: path.line(numbers, state.matrix)  // l
    case 0x63, 0x76, 0x79: path.isOdd = true  // c v y
    case 0x68: break  // h
    case 0x57, 0x572A: clipsNext = true  // W W*
    case 0x6E: endPath()  // n
    case 0x66, 0x46, 0x662A: fillPath()  // f F f*
    case 0x53, 0x73, 0x42, 0x62, 0x422A, 0x622A, 0x7368:  // S s B b B* b* sh
      if word == 0x7368 || !path.isEmpty { showsOther = true }
      endPath()
    default: return false
    }
    return true
  }

  private mutating func fillPath() {
    defer { endPath() }
    guard !path.isEmpty else { return }
    if let rectangle = path.rectangle, rectangle.intersection(page) == nil { return }
    showsOther = true
    if let rectangle = path.rectangle, let color = state.fill, covers(rectangle), isSimple {
      placements = []
      paper = color
      showsOther = false
    }
  }

  private mutating func endPath() {
    if clipsNext {
      if let rectangle = path.rectangle {
        let clip = state.clip.map { $0.intersection(rectangle) ?? PDFRectangle(0, 0, 0, 0) }
        state.clip = clip ?? rectangle
      } else {
        state.isOddlyClipped = true
      }
    }
    clipsNext = false
    path = ScanPath()
  }

  /// Whether painting is plain, within the clip's rectangle.
  private var isSimple: Bool { state.isPlain && !state.isOddlyClipped }

  /// Whether a rectangle covers the page, but for a hundredth along its sides.
  private func covers(_ rectangle: PDFRectangle) -> Bool {
    guard let shown = state.clip.map({ $0.intersection(rectangle) }) ?? rectangle else {
      return false
    }
    let across = page.width / 100
    let down = page.height / 100
    return shown.left <= page.left + across && shown.right >= page.right - across
      && shown.bottom <= page.bottom + down && shown.top >= page.top - down
  }

  // MARK: - Text

  private mutating func performText(
    _ word: UInt32, _ numbers: [Double], _ names: [String], _ resources: QPDFObject?
  ) -> Bool {
    switch word {
    case 0x546A, 0x544A, 0x27, 0x22:  // Tj TJ ' "
      if state.textMode != 3 || state.hasDrawnFont { showsOther = true }
    case 0x5472:  // Tr
      guard let mode = numbers.last else { return false }
      state.textMode = mode
      if mode > 3 { state.isOddlyClipped = true }
    case 0x5466:  // Tf
      // Glyphs that are drawn by content (Type 3) know no invisible mode.
      guard let name = names.last else {
        state.hasDrawnFont = false
        return true
      }
      // Text that a scan was recognized as names its font with each word.
      let isDrawn =
        drawnFonts[name] ?? (resources?["/Font"]?["/" + name]?["/Subtype"]?.name == "/Type3")
      drawnFonts[name] = isDrawn
      state.hasDrawnFont = isDrawn
    case 0x4254, 0x4554, 0x5464, 0x5444, 0x546D, 0x542A, 0x5463, 0x5477, 0x547A, 0x544C, 0x5473:
      break  // BT ET Td TD Tm T* Tc Tw Tz TL Ts
    default: return false
    }
    return true
  }

  // MARK: - Colours and states

  private mutating func performColor(_ word: UInt32, _ numbers: [Double]) -> Bool {
    switch word {
    case 0x67 where numbers.count == 1:  // g
      state.fill = RGBColor(numbers[0], numbers[0], numbers[0])
    case 0x7267 where numbers.count == 3:  // rg
      state.fill = RGBColor(numbers[0], numbers[1], numbers[2])
    case 0x67, 0x7267, 0x6B, 0x6373, 0x7363, 0x73636E: state.fill = nil  // k cs sc scn
    case 0x47, 0x5247, 0x4B, 0x4353, 0x5343, 0x53434E: break  // G RG K CS SC SCN
    default: return false
    }
    return true
  }

  /// Notes whether a state of an ``ExtGState`` leaves painting plain.
  private mutating func apply(_ object: QPDFObject) {
    for key in object.keys {
      guard let value = object[key] else { continue }
      switch key {
      case "/Type", "/LW", "/LC", "/LJ", "/ML", "/D", "/RI", "/OP", "/op", "/OPM", "/FL", "/SM",
        "/SA", "/AIS", "/TK", "/CA", "/BG", "/BG2", "/UCR", "/UCR2", "/HT":
        continue
      case "/ca": state.isPlain = state.isPlain && value.number == 1
      case "/BM":
        state.isPlain = state.isPlain && ["/Normal", "/Compatible"].contains(value.name)
      case "/SMask": state.isPlain = state.isPlain && value.name == "/None"
      case "/TR", "/TR2":
        state.isPlain = state.isPlain && ["/Identity", "/Default"].contains(value.name)
      case "/Font": state.hasDrawnFont = true
      default: state.isPlain = false
      }
    }
  }

  // MARK: - Objects

  private mutating func paint(_ object: QPDFObject, _ resources: QPDFObject?) -> Bool {
    guard let dictionary = object.streamDictionary else { return false }
    if let layer = dictionary["/OC"] {
      guard let isShown = layers.shows(layer) else { return false }
      if !isShown { return true }
    }
    switch dictionary["/Subtype"]?.name {
    case "/Image"?: return place(object, dictionary)
    case "/Form"?: return enter(object, dictionary, resources)
    default: return false
    }
  }

  private mutating func place(_ image: QPDFObject, _ dictionary: QPDFObject) -> Bool {
    let square = PDFRectangle(0, 0, 1, 1)
    let box = state.matrix.bounds(of: square)
    guard let seen = box.intersection(page),
      state.clip.map({ seen.intersection($0) != nil }) ?? true
    else { return true }
    guard isSimple else {
      showsOther = true
      return true
    }
    let hidesBelow =
      dictionary["/SMask"] == nil && dictionary["/Mask"] == nil
      && dictionary["/ImageMask"]?.bool != true && state.matrix.isParallel && covers(box)
    if hidesBelow {
      placements = []
      showsOther = false
    }
    placements.append(
      ScanPlacement(image: image, matrix: state.matrix, clip: state.clip, color: state.fill))
    return placements.count <= Self.greatestCount
  }

  private mutating func enter(
    _ form: QPDFObject, _ dictionary: QPDFObject, _ resources: QPDFObject?
  ) -> Bool {
    guard depth < Self.greatestDepth, operators < 200_000,
      let content = form.streamBytes(limit: 4 << 20)
    else { return false }
    let outer = state
    defer { state = outer }
    if let matrix = dictionary["/Matrix"] {
      guard let matrix = AffineTransform(matrix.elements(limit: 6).compactMap(\.number)) else {
        return false
      }
      state.matrix = matrix.followed(by: state.matrix)
    }
    guard let box = dictionary["/BBox"]?.rectangle else { return false }
    if state.matrix.isParallel {
      let clip = state.matrix.bounds(of: box)
      state.clip = state.clip.map { $0.intersection(clip) ?? PDFRectangle(0, 0, 0, 0) } ?? clip
    } else {
      state.isOddlyClipped = true
    }
    depth += 1
    defer { depth -= 1 }
    return walk(content, resources: dictionary["/Resources"] ?? resources)
  }
}

/// The path being built: only whether it is one rectangle matters.
private struct ScanPath {
  /// Whether it has curves or is more than one polygon.
  var isOdd = false
  private var corners: [(x: Double, y: Double)] = []
  private var box: PDFRectangle?

  var isEmpty: Bool { !isOdd && corners.isEmpty && box == nil }

  /// The path, when it is one rectangle parallel to the page.
  var rectangle: PDFRectangle? {
    guard !isOdd else { return nil }
    guard !corners.isEmpty else { return box }
    guard box == nil, corners.count == 4 || corners.count == 5,
      corners.count == 4 || corners[0] == corners[4]
    else { return nil }
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    let isRectangle =
      (xs[0] == xs[1] && ys[1] == ys[2] && xs[2] == xs[3] && ys[3] == ys[0])
      || (ys[0] == ys[1] && xs[1] == xs[2] && ys[2] == ys[3] && xs[3] == xs[0])
    return isRectangle ? PDFRectangle(xs[0], ys[0], xs[2], ys[2]) : nil
  }

  mutating func add(rectangle numbers: [Double], _ matrix: AffineTransform) {
    guard numbers.count == 4, isEmpty, matrix.isParallel else {
      isOdd = true
      return
    }
    let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    box = matrix.bounds(of: PDFRectangle(x, y, x + width, y + height))
  }

  mutating func move(_ numbers: [Double], _ matrix: AffineTransform) {
    guard isEmpty else {
      isOdd = true
      return
    }
    line(numbers, matrix)
  }

  mutating func line(_ numbers: [Double], _ matrix: AffineTransform) {
    guard numbers.count == 2, corners.count < 6 else {
      isOdd = true
      return
    }
    corners.append(matrix.apply(numbers[0], numbers[1]))
  }
}

extension RGBColor {
  /// A colour of three parts from 0 to 1.
  fileprivate init(_ red: Double, _ green: Double, _ blue: Double) {
    func part(_ value: Double) -> UInt8 { UInt8(min(max(0, value), 1) * 255 + 0.5) }
    self.init(red: part(red), green: part(green), blue: part(blue))
  }
}
