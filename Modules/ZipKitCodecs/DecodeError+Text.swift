internal import ZipKitCore

// The wording of everything the decoders and ciphers of this module throw.

extension DecodeError {
  static func noMemory(for method: String) -> DecodeError {
    DecodeError(.memory, "expected memory for a \(method) decoder, found none left")
  }

  static func memory(_ method: String, need: UInt64, limit: UInt64) -> DecodeError {
    DecodeError(
      .memory,
      "expected a \(method) stream that takes at most \(limit) bytes of memory, found one that takes "
        + "\(need)")
  }

  // MARK: Library decoders

  static func deflateData(_ number: Int32) -> DecodeError {
    let found =
      switch number {
      case -1: "a block header that is not possible"
      case -2: "a code that is not in use"
      case -3: "a distance to before the beginning"
      default: "what ISA-L calls error \(number)"
      }
    return DecodeError(.damaged, "expected deflate data, found \(found)", libraryCode: number)
  }

  static func bzip2Magic() -> DecodeError {
    DecodeError(.damaged, "expected a bzip2 stream, found no 'BZh' at its beginning")
  }

  static func bzip2Mark() -> DecodeError {
    DecodeError(.damaged, "expected a bzip2 block or the stream's end, found neither's mark")
  }

  static func bzip2Tables() -> DecodeError {
    DecodeError(.damaged, "expected the codes of a bzip2 block, found some that cannot be")
  }

  static func bzip2Codes() -> DecodeError {
    DecodeError(.damaged, "expected bzip2 data, found codes or runs that are wrong")
  }

  static func bzip2Origin(_ origin: Int, count: Int) -> DecodeError {
    DecodeError(
      .damaged, "expected a bzip2 block to begin within its \(count) bytes, found \(origin)")
  }

  static func bzip2Checksum(_ expected: UInt32, found: UInt32) -> DecodeError {
    DecodeError(
      .damaged, "expected a bzip2 checksum of \(expected), found \(found)")
  }

  static func bzip2Randomised() -> DecodeError {
    DecodeError(
      .unsupported, "expected a bzip2 block as written since version 0.9.5, found a randomised one")
  }

  static func lzmaHeader(found count: Int) -> DecodeError {
    DecodeError(.damaged, "expected an LZMA header of 9 bytes, found \(count)")
  }

  static func lzmaPropertyLength(_ length: Int) -> DecodeError {
    DecodeError(.damaged, "expected LZMA properties of 5 bytes, found a length of \(length)")
  }

  static func lzmaProperties(_ packed: UInt32) -> DecodeError {
    DecodeError(
      .damaged,
      "expected LZMA properties with lc + lp of at most 4 and pb of at most 4, found \(packed)")
  }

  static func lzmaOptions(_ method: String, _ number: Int32) -> DecodeError {
    DecodeError(
      .unsupported, "expected \(method) options that liblzma knows, found others",
      libraryCode: number)
  }

  static func lzmaData(_ method: String, _ number: Int32) -> DecodeError {
    DecodeError(
      .damaged, "expected \(method) data, found what liblzma calls error \(number)",
      libraryCode: number)
  }

  static func xzMagic(_ number: Int32) -> DecodeError {
    DecodeError(
      .damaged, "expected an XZ stream, found other bytes at its beginning", libraryCode: number)
  }

  static func zstdWindow(_ number: Int32) -> DecodeError {
    DecodeError(
      .memory, "expected a Zstandard window within the memory allowed, found a larger one",
      libraryCode: number)
  }

  static func zstdData(_ reason: String, _ number: Int32) -> DecodeError {
    DecodeError(
      .damaged, "expected Zstandard data, found what libzstd calls '\(reason)'",
      libraryCode: number)
  }

  static func zstdSize(_ declared: UInt64, _ found: UInt64) -> DecodeError {
    DecodeError(
      .damaged, "expected \(declared) bytes in a Zstandard frame, as it declares, found \(found)")
  }

  static func zstdMagic(_ bytes: [UInt8]) -> DecodeError {
    let found = bytes.map { String($0, radix: 16) }.joined(separator: " ")
    return DecodeError(
      .damaged, "expected a Zstandard frame, which begins with 28 b5 2f fd, found \(found)")
  }

  // MARK: Our own decoders

  static func endsEarly(_ method: String, at offset: UInt64) -> DecodeError {
    DecodeError(
      .damaged, "expected more \(method) data, found the end at byte \(offset) of the stream")
  }

  static func codeLengths(
    _ what: String, _ fault: PrefixCode.Fault, at offset: UInt64
  ) -> DecodeError {
    let found =
      switch fault {
      case .tooMany: "more codes than their lengths allow"
      case .tooFew: "codes that leave gaps"
      case .none: "no code at all"
      }
    return DecodeError(
      .damaged, "expected \(what) codes, found \(found) at byte \(offset) of the stream")
  }

  static func unusedCode(_ what: String, at offset: UInt64) -> DecodeError {
    DecodeError(
      .damaged, "expected a \(what) code in use, found another at byte \(offset) of the stream")
  }

  static func distance(_ distance: Int, produced: UInt64, at offset: UInt64) -> DecodeError {
    DecodeError(
      .damaged,
      "expected a distance of at most \(produced), found \(distance) at byte \(offset) of the stream"
    )
  }

  static func value(
    _ what: String, expected: String, found: Int, at offset: UInt64
  ) -> DecodeError {
    DecodeError(
      .damaged,
      "expected \(what) \(expected), found \(found) at byte \(offset) of the stream")
  }

  static func ppmdRestoration(_ method: Int) -> DecodeError {
    DecodeError(
      .unsupported,
      "expected a PPMd restoration method of 0 (restart) or 1 (cut off), found \(method)")
  }

  static func ppmdData(at offset: UInt64) -> DecodeError {
    DecodeError(
      .damaged,
      "expected PPMd data, found a symbol outside the model at byte \(offset) of the stream")
  }

  // MARK: Ciphers

  static func aesField(_ found: String) -> DecodeError {
    DecodeError(
      .unsupported,
      "expected a WinZip AES field of version 1 or 2 with strength 1 to 3, found \(found)")
  }

  static func cipherHeader(_ name: String, expected: Int, found: Int) -> DecodeError {
    DecodeError(
      .damaged, "expected \(expected) bytes of \(name) header, found \(found)")
  }

  static var notAuthentic: DecodeError {
    DecodeError(
      .notAuthentic,
      "expected an authentication code that matches the data, found another: they were changed")
  }

  static func cryptoLibrary() -> DecodeError {
    DecodeError(
      .unsupported,
      "expected libcrypto 3 on the system, which decrypts AES, found none that can be opened")
  }

  static func crypto(_ operation: String) -> DecodeError {
    DecodeError(.unsupported, "expected libcrypto to offer \(operation), found that it does not")
  }
}
