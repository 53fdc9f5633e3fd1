internal import CWebP

/// WebP by libwebp.
enum WebP {
  /// The bytes of a WebP file, or `nil` when libwebp has no memory or knows no such size.
  static func encode(
    _ pixels: [UInt8], size: PixelSize, hasAlpha: Bool, quality: Int
  ) -> [UInt8]? {
    var file: UnsafeMutablePointer<UInt8>?
    let (width, height) = (Int32(size.width), Int32(size.height))
    defer { unsafe WebPFree(file) }
    let count =
      hasAlpha
      ? unsafe WebPEncodeRGBA(pixels, width, height, width * 4, Float(quality), &file)
      : unsafe WebPEncodeRGB(pixels, width, height, width * 3, Float(quality), &file)
    guard count > 0, let file = unsafe file else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: file, count: Int(count)))
  }
}
