internal import CLateLibraries
internal import ZipKitCore

/// The calls of a library that the first use in a process opens.
@safe
struct LateLibrary<Calls>: @unchecked Sendable {
  // Safety: written once, before anybody sees it, and never freed, as the library is never closed; only read after.
  let calls: UnsafePointer<Calls>

  private init?(_ empty: Calls, open: (UnsafeMutablePointer<Calls>) -> Bool) {
    let calls = UnsafeMutablePointer<Calls>.allocate(capacity: 1)
    unsafe calls.initialize(to: empty)
    guard unsafe open(calls) else {
      unsafe calls.deallocate()
      return nil
    }
    unsafe self.calls = unsafe UnsafePointer(calls)
  }
}

extension LateLibrary<clate_crypto> {
  private static let opened = unsafe LateLibrary(clate_crypto()) { unsafe clate_crypto_open($0) }

  /// libcrypto, opened by the first encrypted entry.
  ///
  /// - Throws: ``DecodeError`` when the system has none that fits.
  static func crypto() throws(DecodeError) -> LateLibrary {
    guard let opened else { throw .cryptoLibrary() }
    return opened
  }
}

extension LateLibrary<clate_uchardet> {
  /// uchardet, opened by the first archive with names to guess about; nil where the system has none.
  static let uchardet = unsafe LateLibrary(clate_uchardet()) { unsafe clate_uchardet_open($0) }
}
