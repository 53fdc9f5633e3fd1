internal import COpenSSL
internal import ZipKitCore

/// Owns one `EVP_CIPHER_CTX` that encrypts single blocks with AES.
@safe
struct AesHandle: ~Copyable {
  // Safety: created by EVP_CIPHER_CTX_new, freed in deinit, used by one thread at a time.
  private let context: OpaquePointer

  // The key has 16, 24 or 32 bytes.
  init(key: [UInt8]) throws(DecodeError) {
    let cipher =
      switch key.count {
      case 16: unsafe EVP_aes_128_ecb()
      case 24: unsafe EVP_aes_192_ecb()
      default: unsafe EVP_aes_256_ecb()
      }
    precondition([16, 24, 32].contains(key.count), "an AES key has 16, 24 or 32 bytes")
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .noMemory(for: "AES") }
    guard unsafe EVP_EncryptInit_ex(context, cipher, nil, key, nil) == 1,
      unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1
    else {
      unsafe EVP_CIPHER_CTX_free(context)
      throw .crypto("AES")
    }
    unsafe self.context = unsafe context
  }

  deinit { unsafe EVP_CIPHER_CTX_free(context) }

  /// Encrypts whole blocks where they are, in one call of the library.
  func encrypt(_ blocks: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    var written: Int32 = 0
    guard let length = Int32(exactly: count) else { return false }
    return unsafe EVP_EncryptUpdate(context, blocks, &written, blocks, length) == 1
      && written == length
  }
}

/// Owns one `EVP_MAC_CTX` of HMAC-SHA1.
@safe
struct HmacSha1Handle: ~Copyable {
  // Safety: created by EVP_MAC_CTX_new, freed in deinit, used by one thread at a time.
  private let context: OpaquePointer

  init(key: [UInt8]) throws(DecodeError) {
    guard let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil) else { throw .crypto("HMAC") }
    defer { unsafe EVP_MAC_free(algorithm) }
    guard let context = unsafe EVP_MAC_CTX_new(algorithm) else { throw .noMemory(for: "HMAC") }
    guard unsafe cssl_hmac_start(context, "SHA1", key, key.count) == 1 else {
      unsafe EVP_MAC_CTX_free(context)
      throw .crypto("HMAC-SHA1")
    }
    unsafe self.context = unsafe context
  }

  deinit { unsafe EVP_MAC_CTX_free(context) }

  /// Continues over more bytes.
  func update(_ bytes: UnsafePointer<UInt8>, count: Int) {
    unsafe _ = EVP_MAC_update(context, bytes, count)
  }

  /// Ends, and returns the 20 bytes, or nothing when the library could not.
  func finish() -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 20)
    var count = 0
    guard unsafe EVP_MAC_final(context, &code, &count, code.count) == 1, count == code.count else {
      return []
    }
    return code
  }
}
