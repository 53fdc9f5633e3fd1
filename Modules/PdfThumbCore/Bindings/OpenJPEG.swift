internal import COpenJpeg

/// JPEG 2000 by OpenJPEG, decoded at a reduced size.
enum OpenJPEG {
  /// Decodes an image of 8-bit gray or RGB at the smallest of its resolutions that is no smaller than wanted.
  ///
  /// - Parameters:
  ///   - bytes: The file or code stream.
  ///   - size: The size the whole image must have.
  ///   - least: The least size of the result.
  /// - Returns: The samples without gaps and their size; `nil` for other kinds of image and damaged ones.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, size: PixelSize, least: PixelSize
  ) -> (samples: [UInt8], size: PixelSize, parts: Int)? {
    let isCodeStream = unsafe bytes.count > 2 && bytes[0] == 0xFF && bytes[1] == 0x4F
    guard let codec = unsafe opj_create_decompress(isCodeStream ? OPJ_CODEC_J2K : OPJ_CODEC_JP2)
    else { return nil }
    defer { unsafe opj_destroy_codec(codec) }
    let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let stream = unsafe copenjpeg_open(start, bytes.count) else { return nil }
    defer { unsafe opj_stream_destroy(stream) }
    var parameters = opj_dparameters_t()
    unsafe opj_set_default_decoder_parameters(&parameters)
    var image: UnsafeMutablePointer<opj_image_t>?
    defer { unsafe opj_image_destroy(image) }
    guard unsafe opj_setup_decoder(codec, &parameters) != 0,
      unsafe opj_read_header(stream, codec, &image) != 0, let image = unsafe image,
      unsafe accepts(image.pointee, size: size)
    else { return nil }
    let reduction = unsafe reduction(codec, size: size, least: least)
    guard unsafe opj_set_decoded_resolution_factor(codec, reduction) != 0,
      unsafe opj_decode(codec, stream, image) != 0,
      unsafe opj_end_decompress(codec, stream) != 0
    else { return nil }
    return unsafe samples(of: image.pointee, least: least)
  }

  @unsafe
  private static func accepts(_ image: opj_image_t, size: PixelSize) -> Bool {
    guard unsafe [1, 3].contains(image.numcomps), let parts = unsafe image.comps,
      unsafe image.x0 == 0 && image.y0 == 0 && Int(image.x1) == size.width
        && Int(image.y1) == size.height,
      unsafe image.color_space != OPJ_CLRSPC_SYCC && image.color_space != OPJ_CLRSPC_EYCC
        && image.color_space != OPJ_CLRSPC_CMYK
    else { return false }
    return (0..<Int(unsafe image.numcomps)).allSatisfy { index in
      let part = unsafe parts[index]
      return unsafe part.dx == 1 && part.dy == 1 && part.prec == 8 && part.sgnd == 0
    }
  }

  @unsafe
  private static func reduction(
    _ codec: UnsafeMutablePointer<opj_codec_t?>, size: PixelSize, least: PixelSize
  ) -> UInt32 {
    let resolutions = unsafe copenjpeg_resolutions(codec)
    var reduction: UInt32 = 0
    while reduction + 1 < resolutions, reduction < 16, size.width >> (reduction + 1) >= least.width,
      size.height >> (reduction + 1) >= least.height
    {
      reduction += 1
    }
    return reduction
  }

  @unsafe
  private static func samples(
    of image: opj_image_t, least: PixelSize
  ) -> (samples: [UInt8], size: PixelSize, parts: Int)? {
    let count = Int(unsafe image.numcomps)
    guard let parts = unsafe image.comps, [1, 3].contains(count) else { return nil }
    let first = unsafe parts[0]
    let size = unsafe PixelSize(width: Int(first.w), height: Int(first.h))
    guard size.width >= least.width, size.height >= least.height else { return nil }
    let pixels = size.width * size.height
    var samples = [UInt8](repeating: 0, count: pixels * count)
    for index in 0..<count {
      let part = unsafe parts[index]
      guard unsafe part.w == first.w, unsafe part.h == first.h, let data = unsafe part.data else {
        return nil
      }
      for place in 0..<pixels {
        samples[place * count + index] = UInt8(clamping: unsafe data[place])
      }
    }
    return (samples, size, count)
  }
}
