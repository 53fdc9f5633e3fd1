internal import CLateUchardet

/// Owns one `uchardet_t`.
@safe
struct UchardetHandle: ~Copyable {
  // Safety: made by uchardet_new, deleted in deinit, used by one thread at a time.
  private let detector: uchardet_t
  private let library: UchardetLibrary

  /// Nil also where the system has no uchardet, which then has no opinion.
  init?() {
    guard let library = UchardetLibrary.shared,
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

/// uchardet, opened by the first archive of a process with names to guess about.
@safe
private struct UchardetLibrary: @unchecked Sendable {
  // Safety: written once, before anybody sees it, and never freed, as the library is never closed; only read after.
  let calls: UnsafePointer<clate_uchardet>

  static let shared = UchardetLibrary()

  private init?() {
    let calls = UnsafeMutablePointer<clate_uchardet>.allocate(capacity: 1)
    unsafe calls.initialize(to: clate_uchardet())
    guard unsafe clate_uchardet_open(calls) else {
      unsafe calls.deallocate()
      return nil
    }
    unsafe self.calls = unsafe UnsafePointer(calls)
  }
}
