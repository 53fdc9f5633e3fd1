internal import COpenSSL

/// A digest being computed over bytes as they come, by libcrypto's EVP.
@safe
package struct RunningDigest: ~Copyable, @unchecked Sendable {
  // Safety: an EVP_MD_CTX that nobody else has; made here, freed in deinit. It may move between threads,
  // as libcrypto ties it to none, and being ~Copyable it is used by one at a time.
  private let context: OpaquePointer

  /// How it is computed.
  package let algorithm: DigestAlgorithm

  /// Starts a digest of no bytes.
  ///
  /// - Throws: ``NetworkErrorCode/unknown`` when libcrypto has no memory or does not offer the algorithm.
  package init(_ algorithm: DigestAlgorithm) throws(NetworkError) {
    try unsafe self.init(owning: algorithm) {
      unsafe cssl_digest_start($0, algorithm.rawValue) == 1
    }
  }

  private init(
    owning algorithm: DigestAlgorithm, _ start: (OpaquePointer) -> Bool
  ) throws(NetworkError) {
    guard let context = unsafe cssl_digest_new() else {
      throw NetworkError(.digestUnavailable(algorithm))
    }
    guard unsafe start(context) else {
      unsafe cssl_digest_free(context)
      throw NetworkError(.digestUnavailable(algorithm))
    }
    unsafe self.context = context
    self.algorithm = algorithm
  }

  deinit { unsafe cssl_digest_free(context) }

  /// Takes the next bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // Cannot go wrong once the context has started: it only mixes bytes into its state.
    unsafe _ = cssl_digest_update(context, bytes.baseAddress, bytes.count)
  }

  /// Takes the next bytes.
  package mutating func update(_ bytes: borrowing RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  /// Takes the next bytes.
  package mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  /// A second digest in the same state, to go on apart from this one.
  ///
  /// - Returns: The copy.
  /// - Throws: As ``init(_:)``.
  package borrowing func copy() throws(NetworkError) -> RunningDigest {
    let source = unsafe context
    return try unsafe RunningDigest(owning: algorithm) { unsafe cssl_digest_copy($0, source) == 1 }
  }

  /// The digest of all bytes taken.
  ///
  /// - Returns: A checksum of the algorithm's length.
  /// - Throws: As ``init(_:)``; in practice never.
  package consuming func finish() throws(NetworkError) -> Checksum {
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let done = unsafe cssl_digest_finish(context, &bytes, &count) == 1
    guard done,
      let checksum = Checksum(algorithm: algorithm, bytes: Array(bytes.prefix(Int(count))))
    else { throw NetworkError(.digestUnavailable(algorithm)) }
    return checksum
  }
}
