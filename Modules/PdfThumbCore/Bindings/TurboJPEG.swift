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

  @unsafe
  private static func message(of handle: tjhandle) -> String {
    guard let text = unsafe tjGetErrorStr2(handle) else { return "no reason given" }
    return unsafe String(cString: text)
  }
}
