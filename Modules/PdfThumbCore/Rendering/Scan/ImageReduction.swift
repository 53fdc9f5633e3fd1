/// An image of a document, made smaller by a whole number for pictures that are smaller still, or only unpacked.
///
/// Renderers decode and scale a large image whole, and anew for each page that shows it; poppler takes ten times as long
/// as zlib to unpack one.
struct ImageReduction {
  /// The new size in pixels.
  let size: PixelSize
  /// Samples of 8 bits, without gaps.
  let samples: [UInt8]
  /// The bytes of a pixel, 1 or 3.
  let parts: Int
  /// Whether the samples are RGB in place of the image's own table of colours.
  let isTable: Bool

  /// The most pixels of an image that is unpacked for it.
  private static let greatestCount = 64_000_000
  /// The most pixels of an image that is kept at its size.
  private static let greatestUnpacked: UInt64 = 1_500_000

  /// Averages an image, or unpacks one that is not much larger than needed; `nil` when that does not pay, or the image
  /// is of a kind that averaging would spoil.
  ///
  /// - Parameters:
  ///   - object: The image.
  ///   - least: What it is needed in at least.
  init?(_ object: QPDFObject, least: PixelSize) {
    guard let dictionary = object.streamDictionary, dictionary["/Subtype"]?.name == "/Image",
      dictionary["/SMask"]?.streamDictionary?["/Matte"] == nil,
      let size = Self.size(of: object, dictionary, least: least)
    else { return nil }
    let image = ScanImage(object, Self.whole(size.width), Self.whole(size.height))
    guard let found = image?.reduced() else { return nil }
    self.size = size
    (samples, parts, isTable) = found
  }

  /// The size an image is made smaller to or unpacked at, or `nil` when neither pays.
  static func size(
    of object: QPDFObject, _ dictionary: QPDFObject, least: PixelSize
  ) -> PixelSize? {
    guard let full = fullSize(dictionary) else { return nil }
    let isFlate = object.filters?.last?.name == "/FlateDecode"
    return size(for: full, least: least, isFlate: isFlate)
  }

  /// The pixels that are needed of an image's side for so many of a canvas: a quarter more.
  static func side(for canvas: Int) -> Int { canvas + canvas / 4 }

  private static func fullSize(_ dictionary: QPDFObject) -> PixelSize? {
    guard let width = dictionary["/Width"]?.integer, let height = dictionary["/Height"]?.integer,
      (1...60_000).contains(width), (1...60_000).contains(height),
      width * height <= greatestCount
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// A whole part of its size, or all of it where it is not twice as large as needed.
  private static func size(for full: PixelSize, least: PixelSize, isFlate: Bool) -> PixelSize? {
    let factor = min(full.width / max(1, least.width), full.height / max(1, least.height))
    guard factor < 2 else {
      return PixelSize(width: full.width / factor, height: full.height / factor)
    }
    return isFlate && full.pixelCount <= greatestUnpacked ? full : nil
  }

  private static func whole(_ count: Int) -> ScanAxis {
    ScanAxis(start: 0, step: 1 / Double(count), count: count)
  }
}
