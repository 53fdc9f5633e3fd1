internal import CJbig2

/// JBIG2 by jbig2dec.
enum JBIG2 {
  /// Decodes an image in the form PDF embeds it.
  ///
  /// - Parameters:
  ///   - bytes: The image's segments.
  ///   - globals: Segments it shares with others.
  ///   - size: The size it must have.
  ///   - row: Gets each row from the top; a bit of 1 is black.
  /// - Returns: Whether the image is sound and of that size.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, globals: UnsafeRawBufferPointer?, size: PixelSize,
    row: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    var errors: Int32 = 0
    // Safety: the pointer to the count is used while the contexts live, which end in this call.
    return unsafe withUnsafeMutablePointer(to: &errors) { errors in
      var shared: OpaquePointer?
      if let globals = unsafe globals {
        guard let context = unsafe cjbig2_open(nil, errors) else { return false }
        unsafe feed(globals, to: context)
        // Consumes the context.
        unsafe shared = jbig2_make_global_ctx(context)
      }
      defer { _ = unsafe shared.map { unsafe jbig2_global_ctx_free($0) } }
      guard let context = unsafe cjbig2_open(shared, errors) else { return false }
      defer { _ = unsafe jbig2_ctx_free(context) }
      unsafe feed(bytes, to: context)
      guard unsafe jbig2_complete_page(context) >= 0,
        let image = unsafe jbig2_page_out(context)
      else { return false }
      defer { unsafe jbig2_release_page(context, image) }
      let found = unsafe image.pointee
      guard unsafe errors.pointee == 0, unsafe Int(found.width) == size.width,
        unsafe Int(found.height) == size.height, let data = unsafe found.data,
        unsafe Int(found.stride) * 8 >= size.width
      else { return false }
      for y in 0..<size.height {
        unsafe row(
          UnsafeRawBufferPointer(start: data + y * Int(found.stride), count: Int(found.stride)))
      }
      return true
    }
  }

  @unsafe
  private static func feed(_ bytes: UnsafeRawBufferPointer, to context: OpaquePointer) {
    let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    _ = unsafe jbig2_data_in(context, start, bytes.count)
  }
}
