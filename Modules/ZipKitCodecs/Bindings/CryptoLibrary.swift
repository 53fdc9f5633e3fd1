internal import CLateCrypto
internal import ZipKitCore

/// libcrypto, opened by the first encrypted entry that a process reads.
@safe
struct CryptoLibrary: @unchecked Sendable {
  // Safety: written once, before anybody sees it, and never freed, as the library is never closed; only read after.
  let calls: UnsafePointer<clate_crypto>

  private init?() {
    let calls = UnsafeMutablePointer<clate_crypto>.allocate(capacity: 1)
    unsafe calls.initialize(to: clate_crypto())
    guard unsafe clate_crypto_open(calls) else {
      unsafe calls.deallocate()
      return nil
    }
    unsafe self.calls = unsafe UnsafePointer(calls)
  }

  private static let opened = CryptoLibrary()

  /// The library, the same for all threads.
  ///
  /// - Throws: ``DecodeError`` when the system has none that fits.
  static func shared() throws(DecodeError) -> CryptoLibrary {
    guard let opened else { throw .cryptoLibrary() }
    return opened
  }
}
