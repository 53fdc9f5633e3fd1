/// An image of a page as the document describes it, decoded straight to the size it is needed in.
///
/// Kinds that are rare in scans (CMYK, colour keys, 16-bit samples and the like) are left to the renderer.
struct ScanImage {
  /// The samples of an image, averaged down.
  enum Plane {
    /// One bit each: the share of ones from 0 to 255.
    case shares([UInt8])
    /// Eight bits each, 1 or 3 parts a pixel.
    case samples([UInt8], parts: Int)
  }

  let object: QPDFObject
  let dictionary: QPDFObject
  let size: PixelSize
  let horizontal: ScanAxis
  let vertical: ScanAxis
  let isInverted: Bool
  /// The bits of a part.
  let bits: Int

  /// The greatest side of an image in pixels.
  private static let greatestSide = 60_000

  /// Reads what the image's dictionary says.
  ///
  /// An image that has fewer pixels than are wanted is the renderer's, but for one of a single colour.
  ///
  /// - Parameters:
  ///   - object: The image.
  ///   - horizontal: What of its rows is wanted.
  ///   - vertical: Which rows are wanted.
  init?(_ object: QPDFObject, _ horizontal: ScanAxis, _ vertical: ScanAxis) {
    guard let dictionary = object.streamDictionary,
      let width = dictionary["/Width"]?.integer, let height = dictionary["/Height"]?.integer,
      (1...Self.greatestSide).contains(width), (1...Self.greatestSide).contains(height),
      width * height == 1 || (width >= horizontal.wholeCount && height >= vertical.wholeCount)
    else { return nil }
    self.object = object
    self.dictionary = dictionary
    self.horizontal = horizontal
    self.vertical = vertical
    size = PixelSize(width: width, height: height)
    bits =
      dictionary["/ImageMask"]?.bool == true ? 1 : dictionary["/BitsPerComponent"]?.integer ?? 0
    switch dictionary["/Decode"]?.elements(limit: 8).compactMap(\.integer) {
    case nil: isInverted = false
    case [0, 1], [0, 1, 0, 1, 0, 1]: isInverted = false
    case [1, 0], [1, 0, 1, 0, 1, 0]: isInverted = true
    default: return nil
    }
  }

  /// Decodes an image.
  ///
  /// - Parameters:
  ///   - object: The image.
  ///   - place: Where it goes.
  ///   - color: What a stencil is painted in.
  ///   - masks: The masks decoded for the page so far.
  /// - Returns: What is seen of the image; `nil` when it is the renderer's.
  static func raster(
    of object: QPDFObject, at place: ScanPlace, color: RGBColor?, _ masks: inout ScanMasks
  ) -> ScanRaster? {
    guard let image = ScanImage(object, place.horizontal, place.vertical) else { return nil }
    if image.dictionary["/ImageMask"]?.bool == true {
      guard let color, case .shares(let ones)? = image.plane() else { return nil }
      // A stencil paints where its samples are 0, unless Decode says otherwise (8.9.6.2).
      let opacities = image.isInverted ? ones : ones.map { 255 - $0 }
      return ScanRaster(width: image.horizontal.count, color: color, opacities: opacities)
    }
    var mask: [UInt8]?
    if let object = image.dictionary["/SMask"] ?? image.dictionary["/Mask"] {
      let isSoft = image.dictionary["/SMask"] != nil
      mask = masks.opacities(of: object, at: place) { isSoft ? $0.softMask() : $0.hardMask() }
      if mask == nil { return nil }
    }
    guard var raster = image.colored() else { return nil }
    raster.opacities = mask
    return raster
  }

  private func softMask() -> [UInt8]? {
    guard dictionary["/Matte"] == nil, dictionary["/ColorSpace"]?.name == "/DeviceGray" else {
      return nil
    }
    switch plane() {
    case .shares(let ones): return isInverted ? ones.map { 255 - $0 } : ones
    case .samples(let values, parts: 1):
      return isInverted ? values.map { 255 - $0 } : values
    default: return nil
    }
  }

  private func hardMask() -> [UInt8]? {
    guard dictionary["/ImageMask"]?.bool == true, case .shares(let ones)? = plane() else {
      return nil
    }
    // Ones are masked out, unless Decode says otherwise (8.9.6.3).
    return isInverted ? ones : ones.map { 255 - $0 }
  }

  // MARK: - Colours

  /// The colour space, or `nil` for one that is the renderer's.
  private var space: ScanColorSpace? {
    guard dictionary["/SMaskInData"]?.integer ?? 0 == 0 else { return nil }
    if let named = dictionary["/ColorSpace"] { return ScanColorSpace(named) }
    // Only JPEG 2000 may leave it to the image, and of those only three parts are beyond doubt.
    return object.filters?.last?.name == "/JPXDecode" ? .rgb : nil
  }

  private func colored() -> ScanRaster? {
    guard let space else { return nil }
    switch plane(space) {
    case .shares(let ones):
      guard let pair = space.pair(isInverted: isInverted) else { return nil }
      return ScanRaster(width: horizontal.count, shares: ones, zero: pair.zero, one: pair.one)
    case .samples(let samples, let parts):
      let straight = isInverted ? samples.map { 255 - $0 } : samples
      switch space {
      case .gray where parts == 1, .rgb where parts == 3, .indexed where parts == 3:
        return ScanRaster(width: horizontal.count, samples: straight, parts: parts)
      case .profile(let profile, parts):
        guard let colors = ScanColorSpace.convert(straight, parts, profile) else { return nil }
        return ScanRaster(width: horizontal.count, samples: colors, parts: 3)
      default: return nil
      }
    case nil: return nil
    }
  }

  /// The image averaged in its own colour space, or in RGB where that is a table.
  func reduced() -> (samples: [UInt8], parts: Int, isTable: Bool)? {
    guard dictionary["/ImageMask"]?.bool != true, dictionary["/Matte"] == nil,
      dictionary["/Mask"]?.isArray != true, let space
    else { return nil }
    let isTable = if case .indexed = space { true } else { false }
    switch plane(space) {
    case .shares(let ones):
      guard isTable else {
        guard space.parts == 1 else { return nil }
        return (isInverted ? ones.map { 255 - $0 } : ones, 1, false)
      }
      guard let pair = space.pair(isInverted: isInverted) else { return nil }
      let raster = ScanRaster(
        width: horizontal.count, shares: ones, zero: pair.zero, one: pair.one)
      return (raster.samples, 3, true)
    case .samples(let samples, let parts):
      guard parts == (isTable ? 3 : space.parts) else { return nil }
      return (isInverted ? samples.map { 255 - $0 } : samples, parts, isTable)
    case nil: return nil
    }
  }
}

/// The masks of a page's images, for layers of a page often share one.
struct ScanMasks {
  private var known: [(number: Int, place: ScanPlace, opacities: [UInt8])] = []
  private static let greatestCount = 4

  /// The opacities of a mask, decoded if they are not known yet.
  mutating func opacities(
    of object: QPDFObject, at place: ScanPlace, _ decode: (ScanImage) -> [UInt8]?
  ) -> [UInt8]? {
    let number = object.objectNumber
    if number > 0, let found = known.first(where: { $0.number == number && $0.place == place }) {
      return found.opacities
    }
    guard let image = ScanImage(object, place.horizontal, place.vertical),
      let opacities = decode(image)
    else { return nil }
    if known.count == Self.greatestCount { known.removeFirst() }
    known.append((number, place, opacities))
    return opacities
  }
}
