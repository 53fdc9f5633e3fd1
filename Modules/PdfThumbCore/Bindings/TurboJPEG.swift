internal import CTurboJpeg

/// JPEG by libjpeg-turbo: encoding, and decoding at a reduced size.
enum TurboJPEG {
  /// The bytes of a JPEG file.
  ///
  /// - Throws: ``PDFError/Code/encodeFailed`` with libjpeg-turbo's words.
  static func encode(
    _ pixels: [UInt8], size: PixelSize, isGray: Bool, quality: Int
  ) throws(PDFError) -> [UInt8] {
    guard let compressor = unsafe tjInitCompress() else {
      throw .encodeFailed("JPEG", cause: "libjpeg-turbo has no memory")
    }
    defer { unsafe tjDestroy(compressor) }
    var file: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { unsafe tjFree(file) }
    let status = unsafe tjCompress2(
      compressor, pixels, Int32(size.width), 0, Int32(size.height),
      (isGray ? TJPF_GRAY : TJPF_RGB).rawValue, &file, &count,
      Int32((isGray ? TJSAMP_GRAY : TJSAMP_420).rawValue), Int32(quality), TJFLAG_ACCURATEDCT)
    guard status == 0, let file = unsafe file else {
      throw .encodeFailed("JPEG", cause: unsafe message(of: compressor))
    }
    return unsafe Array(UnsafeBufferPointer(start: file, count: Int(count)))
  }

  /// Decodes an image at the smallest of libjpeg-turbo's scales that is no smaller than wanted.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - size: The size the whole image must have.
  ///   - least: The least size of the result.
  /// - Returns: The gray or RGB samples without gaps and their size; `nil` for other kinds of image and damaged ones.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, size: PixelSize, least: PixelSize
  ) -> (samples: [UInt8], size: PixelSize, parts: Int)? {
    guard let decompressor = unsafe tjInitDecompress() else { return nil }
    defer { unsafe tjDestroy(decompressor) }
    let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    guard
      unsafe tjDecompressHeader3(
        decompressor, start, UInt(bytes.count), &width, &height, &sampling, &space) == 0,
      Int(width) == size.width, Int(height) == size.height,
      let format = format(TJCS(UInt32(bitPattern: space)))
    else { return nil }
    let eighths = [1, 2, 4, 8].first { eighths in
      scaled(size.width, eighths) >= least.width && scaled(size.height, eighths) >= least.height
    }
    guard let eighths else { return nil }
    let found = PixelSize(
      width: scaled(size.width, eighths), height: scaled(size.height, eighths))
    let parts = format == TJPF_GRAY ? 1 : 3
    var samples = [UInt8](repeating: 0, count: found.width * found.height * parts)
    let status = unsafe tjDecompress2(
      decompressor, start, UInt(bytes.count), &samples, Int32(found.width), 0, Int32(found.height),
      format.rawValue, TJFLAG_LIMITSCANS)
    // What libjpeg only warns of, such as bytes too many, it gets over the same way for the renderer.
    guard unsafe status == 0 || tjGetErrorCode(decompressor) == TJERR_WARNING.rawValue else {
      return nil
    }
    return (samples, found, parts)
  }

  private static func scaled(_ length: Int, _ eighths: Int) -> Int { (length * eighths + 7) / 8 }

  private static func format(_ space: TJCS) -> TJPF? {
    switch space {
    case TJCS_GRAY: TJPF_GRAY
    case TJCS_YCbCr, TJCS_RGB: TJPF_RGB
    default: nil
    }
  }

  @unsafe
  private static func message(of handle: tjhandle) -> String {
    guard let text = unsafe tjGetErrorStr2(handle) else { return "no reason given" }
    return unsafe String(cString: text)
  }
}
