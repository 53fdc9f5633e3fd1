public import ZipKitCore

extension DecoderRegistry {
  /// Every method and cipher that Courier decodes.
  ///
  /// Stored; deflate and CRC-32 over ISA-L; Deflate64, shrink, reduce, implode and PPMd of our own; bzip2
  /// over libbz2; LZMA and XZ over liblzma; Zstandard over libzstd; ZipCrypto; WinZip AES over libcrypto.
  /// Decoders and ciphers may be used on any number of threads, each by one at a time.
  public static var complete: DecoderRegistry {
    var registry = DecoderRegistry.standard
    registry.checksum = { crc, bytes in IsalChecksum.crc32(crc, bytes) }
    registry.registerLibraryDecoders()
    registry.registerCiphers()
    return registry
  }

  private mutating func registerLibraryDecoders() {
    register(.deflated) { coding throws(DecodeError) in try IsalInflateDecoder(coding) }
    register(.bzip2) { _ throws(DecodeError) in try Bzip2Decoder() }
    register(.lzma) { coding throws(DecodeError) in LzmaDecoder(coding) }
    register(.xz) { coding throws(DecodeError) in try XzDecoder(coding) }
    for method in [CompressionMethod.zstandard, .zstandardOld] {
      register(method) { coding throws(DecodeError) in try ZstdDecoder(coding) }
    }
  }

  private mutating func registerCiphers() {
    register(cipher: { coding throws(DecodeError) in
      guard coding.flags.contains(.encrypted), !coding.flags.contains(.strongEncryption),
        let field = try WinZipAesField(extraFields: coding.extraFields)
      else { return nil }
      return WinZipAesCipher(field)
    })
    register(cipher: { coding throws(DecodeError) in
      guard coding.flags.contains(.encrypted), !coding.flags.contains(.strongEncryption) else {
        return nil
      }
      return ZipCryptoCipher(coding)
    })
  }
}
