/// An image of a document, made smaller by a whole number, for pictures that are smaller still.
///
/// Renderers decode and scale a large image anew for each page that shows it; slides that share a background do so on
/// every page.
struct ImageReduction {
  /// The new size in pixels.
  let size: PixelSize
  /// Gray or RGB samples of 8 bits, without gaps.
  let samples: [UInt8]
  /// The bytes of a pixel.
  let parts: Int

  /// The most samples that are unpacked for it.
  private static let greatestCount = 200_000_000

  /// Averages an image, or returns `nil` when it is no larger than needed or of a kind that averaging would spoil.
  ///
  /// - Parameters:
  ///   - object: The image.
  ///   - side: What its shorter side shall have at least, in pixels.
  init?(_ object: QPDFObject, side: Int) {
    guard let dictionary = object.streamDictionary, dictionary["/Subtype"]?.name == "/Image",
      let width = dictionary["/Width"]?.integer, let height = dictionary["/Height"]?.integer,
      (1...60_000).contains(width), (1...60_000).contains(height), side > 0,
      dictionary["/BitsPerComponent"]?.integer == 8, dictionary["/ImageMask"]?.bool != true,
      dictionary["/Mask"]?.isArray != true, dictionary["/Matte"] == nil,
      dictionary["/SMask"]?.streamDictionary?["/Matte"] == nil, dictionary["/Decode"] == nil,
      let space = dictionary["/ColorSpace"].flatMap({ ScanColorSpace($0) }),
      let filters = object.filters
    else { return nil }
    if case .indexed = space { return nil }
    let factor = min(width, height) / side
    let full = PixelSize(width: width, height: height)
    guard factor >= 2, width * height * space.parts <= Self.greatestCount else { return nil }
    size = PixelSize(width: width / factor, height: height / factor)
    parts = space.parts
    let horizontal = ScanAxis(start: 0, step: 1 / Double(size.width), count: size.width)
    let vertical = ScanAxis(start: 0, step: 1 / Double(size.height), count: size.height)
    let found: [UInt8]?
    if filters.map(\.name) == ["/DCTDecode"], filters[0].parameters == nil {
      let (least, parts) = (size, parts)
      found = unsafe object.withStream(.none) { bytes -> [UInt8]? in
        guard let decoded = unsafe TurboJPEG.decode(bytes, size: full, least: least),
          decoded.parts == parts
        else { return nil }
        return unsafe decoded.samples.withUnsafeBytes {
          unsafe SampleReducer.reduce(
            $0, bytesPerRow: decoded.size.width * parts, size: decoded.size, parts: parts,
            horizontal, vertical)
        }
      }
    } else {
      let parts = parts
      found = unsafe object.withStream(.lossless) { bytes -> [UInt8]? in
        guard bytes.count >= width * height * parts else { return nil }
        return unsafe SampleReducer.reduce(
          bytes, bytesPerRow: width * parts, size: full, parts: parts, horizontal, vertical)
      }
    }
    guard let found else { return nil }
    samples = found
  }

  /// The pixels that the shorter side of an image keeps for a canvas: half as many again.
  static func side(for canvas: Int) -> Int { canvas + canvas / 2 }
}
