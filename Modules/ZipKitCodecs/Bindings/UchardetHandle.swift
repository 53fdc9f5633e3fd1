internal import CUchardet

/// Owns one `uchardet_t`.
@safe
struct UchardetHandle: ~Copyable {
  // Safety: made by uchardet_new, deleted in deinit, used by one thread at a time.
  private let detector: uchardet_t

  init?() {
    guard let detector = unsafe uchardet_new() else { return nil }
    unsafe self.detector = unsafe detector
  }

  deinit { unsafe uchardet_delete(detector) }

  /// What the library takes bytes for, by iconv's name; nil for no opinion.
  func guess(_ bytes: [UInt8]) -> String? {
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe uchardet_handle_data(
        detector, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    guard status == 0 else { return nil }
    unsafe uchardet_data_end(detector)
    guard let name = unsafe uchardet_get_charset(detector) else { return nil }
    let charset = unsafe String(cString: name)
    return charset.isEmpty ? nil : charset
  }
}
