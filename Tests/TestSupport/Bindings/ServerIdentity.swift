internal import CTLSServer
import SystemIO

/// A key and a certificate made for a test; an authority can sign others.
///
/// Any thread may use it: OpenSSL only counts references to what it holds once it is made.
@safe package final class ServerIdentity: @unchecked Sendable {
  /// What a certificate says.
  package struct Claims: Sendable {
    package var name = "courier test"
    /// In OpenSSL's form for subjectAltName; `nil` makes an authority.
    package var names: String? = "IP:127.0.0.1,DNS:localhost"
    /// From when until when it holds, seen from now.
    package var begins: Duration = .seconds(-3600)
    package var ends: Duration = .seconds(86400)

    package init() {}
  }

  // Safety: both are owned by this object, set once and freed with it.
  private let key: OpaquePointer
  private let certificate: OpaquePointer

  /// Makes a key and a certificate, signed by an authority or by its own key.
  package init(_ claims: Claims = Claims(), signedBy authority: ServerIdentity? = nil) throws {
    guard let key = unsafe ctls_new_key() else { throw Self.failure("EVP_EC_gen") }
    let seconds: (Duration) -> Int = { Int($0 / .seconds(1)) }
    let made = unsafe ctls_make_certificate(
      key, Int.random(in: 1...Int(Int32.max)), claims.name, claims.names, seconds(claims.begins),
      seconds(claims.ends), authority?.certificate, authority?.key)
    guard let certificate = unsafe made else {
      unsafe EVP_PKEY_free(key)
      throw Self.failure("X509_sign")
    }
    unsafe (self.key, self.certificate) = (key, certificate)
  }

  deinit {
    unsafe X509_free(certificate)
    unsafe EVP_PKEY_free(key)
  }

  /// An authority of its own.
  package static func authority(_ name: String = "courier test authority") throws -> ServerIdentity
  {
    var claims = Claims()
    (claims.name, claims.names) = (name, nil)
    return try ServerIdentity(claims)
  }

  /// The certificate as PEM.
  package func pem() throws -> [UInt8] {
    try unsafe Self.text(ctls_write_certificate(certificate), "PEM_write_bio_X509")
  }

  /// The private key as PEM.
  package func keyPEM() throws -> [UInt8] {
    try unsafe Self.text(ctls_write_key(key), "PEM_write_bio_PrivateKey")
  }

  private static func text(_ memory: OpaquePointer?, _ call: String) throws -> [UInt8] {
    guard let memory = unsafe memory else { throw failure(call) }
    defer { unsafe BIO_free(memory) }
    var bytes: UnsafeMutablePointer<CChar>?
    let count = unsafe ctls_bytes(memory, &bytes)
    return unsafe UnsafeBufferPointer(start: bytes, count: count).map { UInt8(bitPattern: $0) }
  }

  /// The SHA-256 of the public key.
  package func publicKeyDigest() throws -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    guard unsafe ctls_public_key_digest(certificate, &digest) == 1 else {
      throw Self.failure("EVP_Digest")
    }
    return digest
  }

  /// A server's settings with this identity; the caller frees them.
  fileprivate func context(_ security: ServerSecurity) -> OpaquePointer? {
    unsafe ctls_new_context(
      certificate, key, security.demandsCertificate ? 1 : 0, security.isOld ? 1 : 0,
      security.speaksHTTP2 ? 1 : 0)
  }

  private static func failure(_ call: String) -> SystemError { SystemError(errno: 22, call: call) }
}

/// Digests of what tests send.
package enum TestDigest {
  /// The SHA-256 of some bytes.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    unsafe EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha256(), nil)
    return digest
  }
}

/// How a server secures its connections.
package struct ServerSecurity: Sendable {
  package var identity: ServerIdentity
  /// Whether clients without a certificate are refused.
  package var demandsCertificate = false
  /// Whether TLS 1.1 is the newest version spoken.
  package var isOld = false
  /// Whether HTTP/2 is spoken with clients that offer it.
  package var speaksHTTP2 = false

  package init(_ identity: ServerIdentity) { self.identity = identity }
}

/// The server's side of TLS on a connected socket; for the one thread that serves it.
@safe struct TLSWire: ~Copyable {
  // Safety: owned by this value.
  private let context: OpaquePointer
  private let connection: OpaquePointer

  /// Prepares a connection; `nil` when OpenSSL has no memory for it.
  init?(socket: Int32, _ security: ServerSecurity) {
    guard let context = unsafe security.identity.context(security) else { return nil }
    guard let connection = unsafe SSL_new(context) else {
      unsafe SSL_CTX_free(context)
      return nil
    }
    unsafe SSL_set_fd(connection, socket)
    unsafe (self.context, self.connection) = (context, connection)
  }

  deinit {
    unsafe SSL_free(connection)
    unsafe SSL_CTX_free(context)
  }

  /// Shakes hands; returns whether that succeeded.
  func accept() -> Bool { unsafe SSL_accept(connection) == 1 }

  /// The next byte, or `nil` at the end.
  func readByte() -> UInt8? {
    var byte: UInt8 = 0
    return unsafe SSL_read(connection, &byte, 1) == 1 ? byte : nil
  }

  /// Sends all bytes; returns whether that was possible.
  func send(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return true }
    return unsafe SSL_write(connection, bytes, Int32(bytes.count)) == Int32(bytes.count)
  }

  /// Says that nothing follows (`close_notify`).
  func sayEnd() { unsafe SSL_shutdown(connection) }
}
