/// An image of a page as the document describes it, decoded straight to the size it is needed in.
///
/// Kinds that are rare in scans (CMYK, colour keys, 16-bit samples and the like) are left to the renderer.
struct ScanImage {
  /// The samples of an image, averaged down.
  private enum Plane {
    /// One bit each: the share of ones from 0 to 255.
    case shares([UInt8])
    /// Eight bits each, 1 or 3 parts a pixel.
    case samples([UInt8], parts: Int)
  }

  private let object: QPDFObject
  private let dictionary: QPDFObject
  private let size: PixelSize
  private let place: ScanPlace
  private let isInverted: Bool

  /// The greatest side of an image in pixels.
  private static let greatestSide = 60_000
  /// The greatest number of pixels that are unpacked at their full size.
  private static let greatestUnpacked = 40_000_000

  /// Reads what the image's dictionary says.
  ///
  /// - Parameters:
  ///   - object: The image.
  ///   - place: Where it goes; an image that has fewer pixels than the canvas there is the renderer's.
  private init?(_ object: QPDFObject, place: ScanPlace) {
    guard let dictionary = object.streamDictionary,
      let width = dictionary["/Width"]?.integer, let height = dictionary["/Height"]?.integer,
      (1...Self.greatestSide).contains(width), (1...Self.greatestSide).contains(height),
      width >= place.horizontal.wholeCount, height >= place.vertical.wholeCount
    else { return nil }
    self.object = object
    self.dictionary = dictionary
    self.place = place
    size = PixelSize(width: width, height: height)
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
  /// - Returns: What is seen of the image; `nil` when it is the renderer's.
  static func raster(
    of object: QPDFObject, at place: ScanPlace, color: RGBColor?
  ) -> ScanRaster? {
    guard let image = ScanImage(object, place: place) else { return nil }
    if image.dictionary["/ImageMask"]?.bool == true {
      guard let color, case .shares(let ones)? = image.plane() else { return nil }
      // A stencil paints where its samples are 0, unless Decode says otherwise (8.9.6.2).
      let opacities = image.isInverted ? ones : ones.map { 255 - $0 }
      return ScanRaster(width: place.horizontal.count, color: color, opacities: opacities)
    }
    let mask: [UInt8]?
    if let soft = image.dictionary["/SMask"] {
      mask = softMask(soft, at: place)
      if mask == nil { return nil }
    } else if let hard = image.dictionary["/Mask"] {
      mask = hardMask(hard, at: place)
      if mask == nil { return nil }
    } else {
      mask = nil
    }
    guard var raster = image.colored() else { return nil }
    raster.opacities = mask
    return raster
  }

  private static func softMask(_ object: QPDFObject, at place: ScanPlace) -> [UInt8]? {
    guard let mask = ScanImage(object, place: place), mask.dictionary["/Matte"] == nil,
      mask.dictionary["/ColorSpace"]?.name == "/DeviceGray"
    else { return nil }
    switch mask.plane() {
    case .shares(let ones): return mask.isInverted ? ones.map { 255 - $0 } : ones
    case .samples(let values, parts: 1):
      return mask.isInverted ? values.map { 255 - $0 } : values
    default: return nil
    }
  }

  private static func hardMask(_ object: QPDFObject, at place: ScanPlace) -> [UInt8]? {
    guard object.isStream, let mask = ScanImage(object, place: place),
      mask.dictionary["/ImageMask"]?.bool == true, case .shares(let ones)? = mask.plane()
    else { return nil }
    // Ones are masked out, unless Decode says otherwise (8.9.6.3).
    return mask.isInverted ? ones : ones.map { 255 - $0 }
  }

  // MARK: - Colours

  private func colored() -> ScanRaster? {
    let isJPX = object.filters?.last?.name == "/JPXDecode"
    guard dictionary["/SMaskInData"]?.integer ?? 0 == 0 else { return nil }
    let space: ScanColorSpace
    if let named = dictionary["/ColorSpace"] {
      guard let found = ScanColorSpace(named) else { return nil }
      space = found
    } else {
      // Only JPEG 2000 may leave it to the image, and of those only three parts are beyond doubt.
      guard isJPX else { return nil }
      space = .rgb
    }
    switch (plane(space), space) {
    case (.shares(let ones)?, _):
      guard let pair = space.pair(isInverted: isInverted) else { return nil }
      return ScanRaster(width: place.horizontal.count, shares: ones, zero: pair.zero, one: pair.one)
    case (.samples(let samples, let parts)?, _):
      let straight = isInverted ? samples.map { 255 - $0 } : samples
      switch space {
      case .gray where parts == 1, .rgb where parts == 3, .indexed where parts == 3:
        return ScanRaster(width: place.horizontal.count, samples: straight, parts: parts)
      case .profile(let profile, parts):
        guard let colors = ScanColorSpace.convert(straight, parts, profile) else { return nil }
        return ScanRaster(width: place.horizontal.count, samples: colors, parts: 3)
      default: return nil
      }
    default: return nil
    }
  }

  // MARK: - Samples

  private func plane(_ space: ScanColorSpace? = nil) -> Plane? {
    guard let filters = object.filters else { return nil }
    let coders: Set = [
      "/DCTDecode", "/DCT", "/JPXDecode", "/CCITTFaxDecode", "/CCF", "/JBIG2Decode",
    ]
    guard let last = filters.last, coders.contains(last.name) else { return unpacked(space) }
    guard filters.count == 1 else { return nil }
    switch last.name {
    case "/DCTDecode", "/DCT":
      if let transform = last.parameters?["/ColorTransform"]?.integer, transform != 1 { return nil }
      guard bits == 8 else { return nil }
      return unsafe object.withStream(.none) { bytes in
        reduced(unsafe TurboJPEG.decode(bytes, size: size, least: least))
      }
    case "/JPXDecode":
      return unsafe object.withStream(.none) { bytes in
        reduced(unsafe OpenJPEG.decode(bytes, size: size, least: least))
      }
    case "/JBIG2Decode": return jbig2(last.parameters)
    default: return fax(last.parameters)
    }
  }

  private var bits: Int {
    dictionary["/ImageMask"]?.bool == true ? 1 : dictionary["/BitsPerComponent"]?.integer ?? 0
  }

  /// The least size an image may be decoded in.
  private var least: PixelSize {
    PixelSize(width: place.horizontal.wholeCount, height: place.vertical.wholeCount)
  }

  private var suitsBits: Bool { BilevelReducer.suits(size, place.horizontal, place.vertical) }

  private func reduced(_ decoded: (samples: [UInt8], size: PixelSize, parts: Int)?) -> Plane? {
    guard let decoded else { return nil }
    let samples = unsafe decoded.samples.withUnsafeBytes { bytes in
      unsafe SampleReducer.reduce(
        bytes, bytesPerRow: decoded.size.width * decoded.parts, size: decoded.size,
        parts: decoded.parts, place.horizontal,
        place.vertical)
    }
    return .samples(samples, parts: decoded.parts)
  }

  private func fax(_ parameters: QPDFObject?) -> Plane? {
    var coding = FaxParameters()
    coding.k = parameters?["/K"]?.integer ?? 0
    coding.columns = parameters?["/Columns"]?.integer ?? 1728
    coding.isByteAligned = parameters?["/EncodedByteAlign"]?.bool ?? false
    guard bits == 1, suitsBits, coding.columns == size.width else { return nil }
    let blackIsOne = parameters?["/BlackIs1"]?.bool ?? false
    return unsafe object.withStream(.none) { bytes in
      var decoder = unsafe FaxDecoder(bytes, coding)
      var reducer = BilevelReducer(size, place.horizontal, place.vertical)
      guard decoder.decode(rows: size.height, { reducer.add($0) }) else { return nil }
      let black = reducer.shares
      return .shares(blackIsOne ? black : black.map { 255 - $0 })
    }
  }

  private func jbig2(_ parameters: QPDFObject?) -> Plane? {
    guard bits == 1, suitsBits else { return nil }
    return unsafe object.withStream(.none) { bytes in
      guard let globals = parameters?["/JBIG2Globals"] else { return unsafe jbig2(bytes, nil) }
      return unsafe globals.withStream(.lossless) { unsafe jbig2(bytes, $0) }
    }
  }

  private func jbig2(
    _ bytes: UnsafeRawBufferPointer, _ globals: UnsafeRawBufferPointer?
  ) -> Plane? {
    var reducer = BilevelReducer(size, place.horizontal, place.vertical)
    var changes = BitChanges()
    let isSound = unsafe JBIG2.decode(bytes, globals: globals, size: size) { row in
      unsafe changes.find(in: row, width: size.width)
      reducer.add(changes.places.span)
    }
    // Black is 1 in JBIG2 and 0 in PDF (7.4.7).
    return isSound ? .shares(reducer.shares.map { 255 - $0 }) : nil
  }

  private func unpacked(_ space: ScanColorSpace?) -> Plane? {
    let isIndexed = if case .indexed? = space { true } else { false }
    let parts = isIndexed || space == nil ? 1 : space?.parts ?? 1
    let rowCount = (size.width * parts * bits + 7) / 8
    guard [1, 2, 4, 8].contains(bits) else { return nil }
    return unsafe object.withStream(.lossless) { bytes in
      guard bytes.count >= rowCount * size.height else { return nil }
      if bits == 1, parts == 1, suitsBits {
        var reducer = BilevelReducer(size, place.horizontal, place.vertical)
        var changes = BitChanges()
        for y in 0..<size.height {
          let row = unsafe UnsafeRawBufferPointer(
            rebasing: bytes[y * rowCount..<(y + 1) * rowCount])
          unsafe changes.find(in: row, width: size.width)
          reducer.add(changes.places.span)
        }
        return .shares(reducer.shares)
      }
      if bits == 8, !isIndexed {
        let samples = unsafe SampleReducer.reduce(
          bytes, bytesPerRow: rowCount, size: size, parts: parts, place.horizontal,
          place.vertical)
        return .samples(samples, parts: parts)
      }
      return unsafe expanded(bytes, rowCount: rowCount, parts: parts, space: space)
    }
  }

  /// Averages samples of fewer bits, or indices, by way of whole bytes.
  private func expanded(
    _ bytes: UnsafeRawBufferPointer, rowCount: Int, parts: Int, space: ScanColorSpace?
  ) -> Plane? {
    guard size.width * size.height <= Self.greatestUnpacked else { return nil }
    var palette: [RGBColor] = []
    if case .indexed(let colors)? = space {
      guard !isInverted else { return nil }
      palette = colors
    }
    let outParts = palette.isEmpty ? parts : 3
    let greatest = (1 << bits) - 1
    var whole: [UInt8] = []
    whole.reserveCapacity(size.width * size.height * outParts)
    for y in 0..<size.height {
      for index in 0..<size.width * parts {
        let bit = index * bits
        let byte = unsafe Int(bytes[y * rowCount + bit / 8])
        let value = byte >> (8 - bits - bit % 8) & greatest
        if palette.isEmpty {
          whole.append(UInt8(value * 255 / greatest))
        } else {
          // Beyond the last colour that stands (8.6.6.3).
          let color = palette[min(value, palette.count - 1)]
          whole.append(color.red)
          whole.append(color.green)
          whole.append(color.blue)
        }
      }
    }
    return reduced((whole, size, outParts))
  }
}
