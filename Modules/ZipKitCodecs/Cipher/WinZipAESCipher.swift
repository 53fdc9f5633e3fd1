internal import ZipKitCore

/// WinZip's AES encryption, AE-1 and AE-2: counter mode with a counter that runs from its first byte,
/// authenticated by HMAC-SHA1 over the encrypted bytes.
final class WinZipAESCipher: EntryCipher {
  private static let blockSize = 16
  /// Bytes of key stream made in one call of the library.
  private static let batch = 32 << 10
  private static let iterations = 1000
  private static let codeSize = 10
  private static let checkSize = 2

  private let field: WinZipAESField
  private var keys: Keys?
  private var stream = [UInt8](repeating: 0, count: WinZipAESCipher.batch)
  private var streamPosition = WinZipAESCipher.batch
  private var counter: UInt64 = 0
  private var hasFailed = false

  /// The two library objects of a password, once it is known.
  private final class Keys {
    let cipher: AesHandle
    let code: HmacSha1Handle

    init(cipherKey: [UInt8], codeKey: [UInt8]) throws(DecodeError) {
      cipher = try AesHandle(key: cipherKey)
      code = try HmacSha1Handle(key: codeKey)
    }
  }

  init(_ field: WinZipAESField) throws(DecodeError) {
    guard (1...2).contains(field.version) else { throw .aesField("version \(field.version)") }
    guard (1...3).contains(field.strength) else { throw .aesField("strength \(field.strength)") }
    self.field = field
  }

  /// Bytes of a key of 128, 192 or 256 bits.
  private var keySize: Int { 8 + 8 * Int(field.strength) }
  private var saltSize: Int { keySize / 2 }

  var headerSize: Int { saltSize + Self.checkSize }
  var trailerSize: Int { Self.codeSize }
  var replacesChecksum: Bool { field.version == 2 }

  func unlock(header: RawSpan, password: [UInt8]) throws(DecodeError) -> Bool {
    guard header.byteCount == headerSize else {
      throw .cipherHeader("WinZip AES", expected: headerSize, found: header.byteCount)
    }
    let bytes = (0..<headerSize).map { header.byte(at: $0) }
    let size = keySize
    let derived = try KeyDerivation.pbkdf2Sha1(
      password: password, salt: Array(bytes[..<saltSize]), iterations: Self.iterations,
      count: 2 * size + Self.checkSize)
    guard derived[(2 * size)...].elementsEqual(bytes[saltSize...]) else { return false }
    keys = try Keys(
      cipherKey: Array(derived[..<size]), codeKey: Array(derived[size..<(2 * size)]))
    counter = 0
    streamPosition = Self.batch
    hasFailed = false
    return true
  }

  func decrypt(_ bytes: inout MutableRawSpan) {
    guard let keys else { preconditionFailure("decrypt comes after a successful unlock") }
    unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        return
      }
      var position = 0
      while position < buffer.count {
        if streamPosition == Self.batch { refill(keys.cipher) }
        let count = min(Self.batch - streamPosition, buffer.count - position)
        // A batch is authenticated while it is still in the cache for the XOR that follows.
        unsafe keys.code.update(base + position, count: count)
        unsafe mix(base + position, count: count)
        streamPosition += count
        position += count
      }
    }
  }

  func finish(trailer: RawSpan) throws(DecodeError) {
    guard let keys, trailer.byteCount == Self.codeSize, !hasFailed else { throw .notAuthentic }
    let code = keys.code.finish()
    guard code.count >= Self.codeSize else { throw .notAuthentic }
    var difference: UInt8 = 0
    for index in 0..<Self.codeSize { difference |= code[index] ^ trailer.byte(at: index) }
    guard difference == 0 else { throw .notAuthentic }
  }

  /// Makes the next stretch of key stream: encrypted counters, each little-endian, beginning with 1.
  private func refill(_ cipher: borrowing AesHandle) {
    let isDone = unsafe stream.withUnsafeMutableBytes { buffer in
      guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        return false
      }
      for block in 0..<(Self.batch / Self.blockSize) {
        counter &+= 1
        unsafe buffer.storeBytes(
          of: counter.littleEndian, toByteOffset: block * Self.blockSize, as: UInt64.self)
        unsafe buffer.storeBytes(
          of: 0, toByteOffset: block * Self.blockSize + 8, as: UInt64.self)
      }
      return unsafe cipher.encrypt(base, count: Self.batch)
    }
    if !isDone { hasFailed = true }
    streamPosition = 0
  }

  /// XORs bytes with the key stream at its position, which holds at least `count` bytes.
  private func mix(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) {
    unsafe stream.withUnsafeBytes { buffer in
      precondition(streamPosition + count <= buffer.count)
      guard let key = unsafe buffer.baseAddress?.advanced(by: streamPosition) else { return }
      let target = UnsafeMutableRawPointer(bytes)
      var index = 0
      while index + 8 <= count {
        let mixed =
          unsafe target.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          ^ key.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        unsafe target.storeBytes(of: mixed, toByteOffset: index, as: UInt64.self)
        index += 8
      }
      while index < count {
        unsafe bytes[index] ^= key.load(fromByteOffset: index, as: UInt8.self)
        index += 1
      }
    }
  }
}
