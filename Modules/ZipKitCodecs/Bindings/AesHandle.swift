internal import CLateLibraries
internal import ZipKitCore

/// Owns one `EVP_CIPHER_CTX` that encrypts single blocks with AES.
@safe
struct AesHandle: ~Copyable {
  // Safety: created by EVP_CIPHER_CTX_new, freed in deinit, used by one thread at a time.
  private let context: OpaquePointer
  private let library: LateLibrary<clate_crypto>

  // The key has 16, 24 or 32 bytes.
  init(key: [UInt8]) throws(DecodeError) {
    precondition([16, 24, 32].contains(key.count), "an AES key has 16, 24 or 32 bytes")
    let library = try LateLibrary.crypto()
    guard let context = unsafe clate_aes_new(library.calls, key, key.count) else {
      throw .crypto("AES")
    }
    self.library = library
    unsafe self.context = unsafe context
  }

  deinit {
    unsafe clate_aes_free(library.calls, context)
  }

  /// Encrypts whole blocks where they are, in one call of the library.
  func encrypt(_ blocks: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    guard let length = Int32(exactly: count) else { return false }
    return unsafe clate_aes_encrypt(library.calls, context, blocks, length)
  }
}

/// Owns one `EVP_MAC_CTX` of HMAC-SHA1.
@safe
struct HmacSha1Handle: ~Copyable {
  // Safety: created by EVP_MAC_CTX_new, freed in deinit, used by one thread at a time.
  private let context: OpaquePointer
  private let library: LateLibrary<clate_crypto>

  init(key: [UInt8]) throws(DecodeError) {
    let library = try LateLibrary.crypto()
    guard let context = unsafe clate_hmac_sha1_new(library.calls, key, key.count) else {
      throw .crypto("HMAC-SHA1")
    }
    self.library = library
    unsafe self.context = unsafe context
  }

  deinit {
    unsafe clate_hmac_free(library.calls, context)
  }

  /// Continues over more bytes.
  func update(_ bytes: UnsafePointer<UInt8>, count: Int) {
    unsafe _ = clate_hmac_update(library.calls, context, bytes, count)
  }

  /// Ends, and returns the 20 bytes, or nothing when the library could not.
  func finish() -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 20)
    let isWhole = unsafe clate_hmac_finish(library.calls, context, &code)
    return isWhole ? code : []
  }
}
