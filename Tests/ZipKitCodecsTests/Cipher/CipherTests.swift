import Testing
import ZipKitCodecs
import ZipKitCore

/// One encrypted entry: deflated ``Sample`` under the password "ferry".
struct CipherCase: Sendable, CustomTestStringConvertible {
  var name: String
  var data: [UInt8]
  var coding: EntryCoding

  static func aes(_ strength: UInt8, _ data: [UInt8], version: UInt8 = 2) -> CipherCase {
    CipherCase(
      name: "AES of strength \(strength)", data: data,
      coding: EntryCoding(
        method: .winZipAES, flags: .encrypted, size: UInt64(Sample.bytes.count),
        extraFields: [
          0x0A, 0, 2, 0, 9, 9, 0x01, 0x99, 7, 0, version, 0, 0x41, 0x45, strength, 8, 0,
        ]
      ))
  }

  static let zipCrypto = CipherCase(
    name: "ZipCrypto", data: Recorded.zipCrypto,
    coding: EntryCoding(
      method: .deflated, flags: .encrypted, size: UInt64(Sample.bytes.count),
      crc32: Sample.crc32))

  static let all = [
    zipCrypto, aes(1, Recorded.aes128), aes(2, Recorded.aes192), aes(3, Recorded.aes256),
  ]

  var testDescription: String { name }

  func cipher() throws -> any EntryCipher {
    guard let cipher = try DecoderRegistry.complete.cipher(for: coding) else {
      throw DecodeError(.unsupported, "no cipher")
    }
    return cipher
  }
}

/// Unlocks and decrypts in pieces; returns nil when the password is refused.
private func decrypt(
  _ cipher: any EntryCipher, _ data: [UInt8], password: String, piece: Int = .max
) throws -> [UInt8]? {
  let header = unsafe data.span.bytes.extracting(first: cipher.headerSize)
  guard try cipher.unlock(header: header, password: Array(password.utf8)) else { return nil }
  var body = Array(data[cipher.headerSize..<(data.count - cipher.trailerSize)])
  var position = 0
  while position < body.count {
    let count = min(piece, body.count - position)
    var part = Array(body[position..<(position + count)])
    var span = part.mutableSpan
    var bytes = unsafe span.mutableBytes
    cipher.decrypt(&bytes)
    body.replaceSubrange(position..<(position + count), with: part)
    position += count
  }
  try cipher.finish(trailer: unsafe data.span.bytes.extracting(last: cipher.trailerSize))
  return body
}

@Suite struct CipherTests {
  @Test(arguments: CipherCase.all, [Int.max, 1, 17, 1000])
  func `The right password opens, in pieces of any size`(_ test: CipherCase, _ piece: Int) throws {
    let stream = try #require(
      try decrypt(test.cipher(), test.data, password: "ferry", piece: piece))
    var underneath = test.coding
    underneath.method = .deflated
    let result = run(try decoder(for: underneath), stream)
    #expect(result.isWhole(Sample.bytes[...], consumed: stream.count))
  }

  @Test(arguments: CipherCase.all)
  func `A wrong password is refused, and the right one may follow`(_ test: CipherCase) throws {
    let cipher = try test.cipher()
    #expect(try decrypt(cipher, test.data, password: "tram") == nil)
    #expect(try decrypt(cipher, test.data, password: "") == nil)
    #expect(try decrypt(cipher, test.data, password: "ferry") != nil)
  }

  @Test(arguments: CipherCase.all.dropFirst(), [0, 1, 600, -1])
  func `One changed bit is not authentic`(_ test: CipherCase, _ place: Int) throws {
    let cipher = try test.cipher()
    var data = test.data
    data[place < 0 ? data.count + place : cipher.headerSize + place] ^= 4
    let error = #expect(throws: DecodeError.self) {
      try decrypt(cipher, data, password: "ferry")
    }
    #expect(error?.kind == .notAuthentic)
  }

  @Test func `AES refuses what its field does not allow`() throws {
    for (version, strength) in [(UInt8(3), UInt8(3)), (0, 1), (2, 0), (2, 4)] {
      let error = #expect(throws: DecodeError.self) {
        try CipherCase.aes(strength, [], version: version).cipher()
      }
      #expect(error?.kind == .unsupported)
    }
    var short = CipherCase.aes(1, []).coding
    short.extraFields = [0x01, 0x99, 3, 0, 2, 0, 0x41]
    // Without the field there is no AES, and what method 99 hides is not for ZipCrypto either.
    short.method = .winZipAES
    #expect(try DecoderRegistry.complete.cipher(for: short) == nil)
  }

  @Test func `Only AE-2 stands in for the checksum`() throws {
    #expect(try CipherCase.aes(1, [], version: 2).cipher().replacesChecksum)
    #expect(try !CipherCase.aes(1, [], version: 1).cipher().replacesChecksum)
    #expect(try !CipherCase.zipCrypto.cipher().replacesChecksum)
  }

  @Test func `ZipCrypto takes the time for its check byte where the CRC was not known`() throws {
    var test = CipherCase.zipCrypto
    let cipher = try test.cipher()
    #expect(try decrypt(cipher, test.data, password: "ferry") != nil)
    test.coding.crc32 = 0
    test.coding.dosTime = UInt16(Sample.crc32 >> 16)
    #expect(try decrypt(test.cipher(), test.data, password: "ferry") != nil)
    test.coding.dosTime = 0
    #expect(try decrypt(test.cipher(), test.data, password: "ferry") == nil)
  }

  @Test(arguments: CipherCase.all)
  func `A header cut short is damage`(_ test: CipherCase) throws {
    let cipher = try test.cipher()
    let header = unsafe test.data.span.bytes.extracting(first: cipher.headerSize - 1)
    var kind: DecodeError.Kind?
    do throws(DecodeError) {
      _ = try cipher.unlock(header: header, password: [])
    } catch {
      kind = error.kind
    }
    #expect(kind == .damaged)
  }

  @Test func `A field for AES says nothing of an entry of another method`() throws {
    var test = CipherCase.zipCrypto
    test.coding.extraFields = [0x01, 0x99, 7, 0, 2, 0, 0x41, 0x45, 0, 0, 0]
    #expect(try decrypt(test.cipher(), test.data, password: "ferry") != nil)
  }

  @Test func `Strong encryption and plain entries have no cipher`() throws {
    let plain = EntryCoding(method: .deflated)
    let strong = EntryCoding(method: .deflated, flags: [.encrypted, .strongEncryption])
    #expect(try DecoderRegistry.complete.cipher(for: plain) == nil)
    #expect(try DecoderRegistry.complete.cipher(for: strong) == nil)
  }
}

/// The test vectors of RFC 6070, and passwords about as long as a block of the hash.
@Suite struct KeyDerivationTests {
  static let vectors: [(String, String, Int, String)] = [
    ("password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
    ("password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
    ("password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
    ("pass\0word", "sa\0lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"),
    (
      String(repeating: "a", count: 64), "salt", 3,
      "4059241ba7b24202cf96c30b59da690ed99c922ff53dc679dc9ec8b9fddcfb485d4506717e1f569debd9ff50dff1f737b005e28214f4a47fd5517f330b30d27ab654"
    ),
    (
      String(repeating: "a", count: 65), "salt", 3,
      "cfc589029dc949cd575f6f8b0bab91a77dd3dc82c4680060824e98c0d589de955d096ade6f4db8e3297f73817e1a3f1a6f242061966335b91c05c87b38128e812f68"
    ),
  ]

  @Test(arguments: vectors)
  func `Keys are those of the specification`(
    password: String, salt: String, iterations: Int, expected: String
  ) throws {
    let key = try KeyDerivation.pbkdf2Sha1(
      password: Array(password.utf8), salt: Array(salt.utf8), iterations: iterations,
      count: expected.utf8.count / 2)
    let digits = Array("0123456789abcdef")
    let hex = String(key.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    #expect(hex == expected)
  }
}
