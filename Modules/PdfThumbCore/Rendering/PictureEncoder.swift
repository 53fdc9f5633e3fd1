/// The file formats a picture is written in.
public enum PictureFormat: String, Sendable, Hashable, CaseIterable {
  /// Portable Network Graphics: exact, with an alpha channel where the picture has one.
  case png
  /// JPEG: smaller at larger sizes, opaque.
  case jpeg
  /// WebP: smaller still, with an alpha channel where the picture has one.
  case webp

  /// The ending of file names, without a dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// The media type (RFC 6838).
  public var mediaType: String { "image/\(rawValue)" }
}

/// Turns pictures into files; the same pixels give the same bytes.
public struct PictureEncoder: Sendable {
  /// The file format.
  public var format: PictureFormat
  /// The quality from 1 to 100: JPEG's and WebP's usual scale; for PNG, over 90 means small in place of quick.
  public var quality: Int

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - format: The file format.
  ///   - quality: From 1 to 100, 85 by default; brought within.
  public init(format: PictureFormat = .png, quality: Int = 85) {
    self.format = format
    self.quality = min(max(quality, 1), 100)
  }

  /// The bytes of a file.
  ///
  /// - Parameter picture: The picture; transparent pixels over white where the format has no transparency.
  /// - Returns: The whole file.
  /// - Throws: ``PDFError/Code/encodeFailed``, also when the format does not know pictures of that size
  ///   (WebP: 16,383 pixels a side).
  public func encode(_ picture: Picture) throws(PDFError) -> [UInt8] {
    switch format {
    case .png:
      return try PNGEncoder(level: quality > 90 ? 9 : 1).encode(picture)
    case .jpeg:
      let opaque = picture.opaque()
      return try TurboJPEG.encode(
        opaque.pixels, size: opaque.size, isGray: opaque.format == .gray, quality: quality)
    case .webp:
      let colored = picture.colored()
      guard
        let file = WebP.encode(
          colored.pixels, size: colored.size, hasAlpha: colored.format == .rgba, quality: quality)
      else {
        throw .encodeFailed("WebP", cause: "libwebp refuses a picture of \(picture.size) pixels")
      }
      return file
    }
  }
}

extension Picture {
  /// The picture over white, without an alpha channel.
  func opaque() -> Picture {
    guard format == .rgba else { return self }
    return converted(to: .rgb) { pixel in
      let alpha = UInt32(pixel[pixel.startIndex + 3])
      return pixel.prefix(3).map { UInt8((UInt32($0) * alpha + 255 * (255 - alpha) + 127) / 255) }
    }
  }

  /// The picture with three or four bytes a pixel.
  func colored() -> Picture {
    guard format == .gray else { return self }
    return converted(to: .rgb) { Array(repeating: $0[$0.startIndex], count: 3) }
  }

  private func converted(
    to format: PixelFormat, _ convert: (ArraySlice<UInt8>) -> [UInt8]
  ) -> Picture {
    let step = self.format.bytesPerPixel
    var converted: [UInt8] = []
    converted.reserveCapacity(format.byteCount(size))
    for start in stride(from: 0, to: pixels.count, by: step) {
      converted += convert(pixels[start..<start + step])
    }
    return Picture(size: size, format: format, pixels: converted) ?? self
  }
}
