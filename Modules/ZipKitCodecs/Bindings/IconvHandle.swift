internal import CIconv

/// Owns one conversion descriptor from a charset to UTF-8.
@safe
struct IconvHandle: ~Copyable {
  // Safety: made by iconv_open, closed in deinit, used by one thread at a time.
  private let descriptor: iconv_t

  /// Opens a conversion; nil when the C library does not know the charset.
  init?(from charset: String) {
    // Suffixes such as //IGNORE would let bytes vanish.
    guard !charset.isEmpty, charset.utf8.count < 64, !charset.utf8.contains(UInt8(ascii: "/")),
      let descriptor = unsafe ciconv_open("UTF-8", charset)
    else { return nil }
    unsafe self.descriptor = unsafe descriptor
  }

  deinit { unsafe _ = iconv_close(descriptor) }

  /// The text of bytes; nil where they are not valid in the charset.
  func convert(_ bytes: [UInt8]) -> String? {
    // No charset makes more than four bytes of UTF-8 out of one byte.
    var text = [UInt8](repeating: 0, count: bytes.count * 4 + 16)
    let count = unsafe ciconv_convert(descriptor, bytes, bytes.count, &text, text.count)
    guard count >= 0, count <= text.count else { return nil }
    return String(validating: text[..<count], as: UTF8.self)
  }
}
