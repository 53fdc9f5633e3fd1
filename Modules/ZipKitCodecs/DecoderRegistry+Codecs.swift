public import ZipKitCore

extension DecoderRegistry {
  /// Every method and cipher that Courier decodes.
  ///
  /// Stored; deflate and CRC-32 over ISA-L; Deflate64, bzip2, shrink, reduce, implode, DCL implode and PPMd of our
  /// own; LZMA and XZ over liblzma; Zstandard over libzstd; ZipCrypto; WinZip AES over libcrypto.
  /// Decoders and ciphers may be used on any number of threads, each by one at a time.
  public static var complete: DecoderRegistry {
    var registry = DecoderRegistry.standard
    registry.checksum = { crc, bytes in IsalChecksum.crc32(crc, bytes) }
    registry.registerLibraryDecoders()
    registry.registerOwnDecoders()
    registry.registerCiphers()
    return registry
  }

  private mutating func registerLibraryDecoders() {
    register(.deflated) { coding throws(DecodeError) in try IsalInflateDecoder(coding) }
    register(.bzip2) { coding throws(DecodeError) in Bzip2Decoder(coding) }
    register(.lzma) { coding throws(DecodeError) in LzmaDecoder(coding) }
    register(.xz) { coding throws(DecodeError) in try XzDecoder(coding) }
    for method in [CompressionMethod.zstandard, .zstandardOld] {
      register(method) { coding throws(DecodeError) in try ZstdDecoder(coding) }
    }
  }

  private mutating func registerOwnDecoders() {
    register(.deflate64) { coding throws(DecodeError) in WindowDecoder<Deflate64>(coding) }
    register(.shrunk) { coding throws(DecodeError) in WindowDecoder<Shrink>(coding) }
    register(.imploded) { coding throws(DecodeError) in ImplodeDecoder(coding) }
    register(.dclImploded) { coding throws(DecodeError) in WindowDecoder<DclImplode>(coding) }
    for method in [CompressionMethod.reduced1, .reduced2, .reduced3, .reduced4] {
      register(method) { coding throws(DecodeError) in WindowDecoder<Reduce>(coding) }
    }
    register(.ppmd) { coding throws(DecodeError) in PpmdDecoder(coding) }
  }

  private mutating func registerCiphers() {
    register(cipher: { coding throws(DecodeError) in
      guard coding.flags.contains(.encrypted), !coding.flags.contains(.strongEncryption),
        coding.method == .winZipAES,
        let field = unsafe WinZipAESField(extraFields: coding.extraFields.span.bytes)
      else { return nil }
      return try WinZipAESCipher(field)
    })
    register(cipher: { coding throws(DecodeError) in
      guard coding.flags.contains(.encrypted), !coding.flags.contains(.strongEncryption),
        coding.method != .winZipAES
      else { return nil }
      return ZipCryptoCipher(coding)
    })
  }
}
