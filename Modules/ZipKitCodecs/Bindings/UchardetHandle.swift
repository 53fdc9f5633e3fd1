internal import CLateLibraries

/// Owns one `uchardet_t`.
@safe
struct UchardetHandle: ~Copyable {
  // Safety: made by uchardet_new, deleted in deinit, used by one thread at a time.
  private let detector: uchardet_t
  private let library: LateLibrary<clate_uchardet>

  /// Nil also where the system has no uchardet, which then has no opinion.
  init?() {
    guard let library = LateLibrary.uchardet,
      let detector = unsafe clate_uchardet_new(library.calls)
    else { return nil }
    self.library = library
    unsafe self.detector = unsafe detector
  }

  deinit { unsafe clate_uchardet_delete(library.calls, detector) }

  /// What the library takes bytes for, by iconv's name; nil for no opinion.
  func guess(_ bytes: [UInt8]) -> String? {
    let name = unsafe bytes.withUnsafeBytes { buffer in
      unsafe clate_uchardet_guess(
        library.calls, detector, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        buffer.count)
    }
    guard let name = unsafe name else { return nil }
    let charset = unsafe String(cString: name)
    return charset.isEmpty ? nil : charset
  }
}
