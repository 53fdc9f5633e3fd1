/// The decoders, ciphers and checksum an archive may use.
///
/// A value: take ``standard`` and add to it. ``standard`` holds what zlib alone gives (stored, deflate);
/// `ZipKitCodecs` adds the rest.
public struct DecoderRegistry: Sendable {
  /// Makes a decoder for one entry, on the thread that will use it.
  public typealias DecoderFactory =
    @Sendable (_ coding: EntryCoding) throws(DecodeError) -> any EntryDecoder
  /// Makes a cipher for one entry, or nil when the flags and extra fields are not its own.
  public typealias CipherFactory =
    @Sendable (_ coding: EntryCoding) throws(DecodeError) -> (any EntryCipher)?
  /// Continues a CRC-32 (the polynomial of APPNOTE 4.4.7) over more bytes; begins with 0.
  public typealias Checksum = @Sendable (_ crc: UInt32, _ bytes: RawSpan) -> UInt32

  private var factories: [CompressionMethod: DecoderFactory] = [:]

  /// Ciphers in the order they are asked.
  public private(set) var ciphers: [CipherFactory] = []

  /// The CRC-32 in use; zlib's unless replaced by a faster one.
  public var checksum: Checksum

  /// Creates a registry without decoders.
  /// - Parameter checksum: The CRC-32 to use.
  public init(checksum: @escaping Checksum = { crc, bytes in ZlibChecksum.crc32(crc, bytes) }) {
    self.checksum = checksum
  }

  /// Stored and deflate over zlib.
  public static var standard: DecoderRegistry {
    var registry = DecoderRegistry()
    registry.register(.stored) { coding throws(DecodeError) in StoredDecoder(coding) }
    registry.register(.deflated) { _ throws(DecodeError) in try InflateDecoder() }
    return registry
  }

  /// The methods that can be decoded.
  public var methods: Set<CompressionMethod> { Set(factories.keys) }

  /// Sets the decoder of a method, in place of an earlier one.
  public mutating func register(
    _ method: CompressionMethod, _ factory: @escaping DecoderFactory
  ) {
    factories[method] = factory
  }

  /// Adds a cipher, asked after those already there.
  public mutating func register(cipher: @escaping CipherFactory) {
    ciphers.append(cipher)
  }

  /// Whether entries of a method can be decoded.
  public func supports(_ method: CompressionMethod) -> Bool { factories[method] != nil }

  /// Makes a decoder.
  /// - Returns: nil when no decoder of the method is registered.
  /// - Throws: ``DecodeError`` when the method's own header asks for too much.
  public func decoder(for coding: EntryCoding) throws(DecodeError) -> (any EntryDecoder)? {
    guard let factory = factories[coding.method] else { return nil }
    return try factory(coding)
  }

  /// Makes a cipher for an encrypted entry.
  /// - Returns: nil when no registered cipher knows the entry's encryption.
  public func cipher(for coding: EntryCoding) throws(DecodeError) -> (any EntryCipher)? {
    for factory in ciphers {
      if let cipher = try factory(coding) { return cipher }
    }
    return nil
  }
}
