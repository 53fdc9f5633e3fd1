import NetworkCore
import Testing

@Suite struct ChecksumTests {
  private static let emptySHA256 =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let emptyMD5 = "d41d8cd98f00b204e9800998ecf8427e"

  @Test(arguments: [
    ("sha256", DigestAlgorithm.sha256), ("SHA-256", .sha256), ("sha2-256", .sha256), ("SHA", .sha1),
    ("sha-1", .sha1), ("MD5", .md5), ("SHA512", .sha512), ("sha_384", .sha384),
  ])
  func `an algorithm is known by the names people write`(name: String, algorithm: DigestAlgorithm) {
    #expect(DigestAlgorithm(named: name) == algorithm)
  }

  @Test(arguments: ["", "sha3-256", "crc32", "sha", "blake2b"].filter { $0 != "sha" })
  func `other algorithms are not known`(name: String) {
    #expect(DigestAlgorithm(named: name) == nil)
  }

  @Test func `a checksum reads what it writes`() throws {
    let checksum = try Checksum("SHA-256:" + Self.emptySHA256.uppercased())
    #expect(checksum.description == "sha256:" + Self.emptySHA256)
    #expect(try Checksum(checksum.description) == checksum)
  }

  @Test(arguments: [
    ("", InputExpectation.checksumSpec), ("sha256", .checksumSpec), ("crc:00", .algorithm),
    ("md5:", .hexDigits), ("md5:0", .hexDigits), ("md5:zz", .hexDigits), ("md5:00", .digestLength),
    ("sha256:d41d8cd98f00b204e9800998ecf8427e", .digestLength),
  ])
  func `a malformed checksum says what was expected`(spec: String, expected: InputExpectation) {
    let error = #expect(throws: InputError.self) { try Checksum(spec) }
    #expect(error?.expected == expected)
  }

  private static let emptyBase64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  @Test(arguments: [
    "sha-256=:\(emptyBase64):", "SHA-256 = :\(emptyBase64): ",
    "crc32c=:AAAA:, sha-256=:\(emptyBase64):;a=1",
    "x=\"a,b\", sha-256=:\(emptyBase64):",
    "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:,sha-256=:\(emptyBase64):",
  ])
  func `Repr-Digest gives the strongest digest first`(value: String) throws {
    #expect(try DigestFields.parseStructured(value).first?.hex == Self.emptySHA256)
  }

  @Test(arguments: [
    "sha-256=\(emptyBase64)", "sha-256=:\(emptyBase64)", "sha-256=:AAAA:", "sha-256=:****:",
    "sha-256=",
    "sha-256=?1",
  ])
  func `a malformed Repr-Digest is refused`(value: String) {
    #expect(throws: InputError.self) { try DigestFields.parseStructured(value) }
  }

  @Test func `fields with nothing known give nothing`() throws {
    #expect(try DigestFields.parseStructured("").isEmpty)
    #expect(try DigestFields.parseStructured("unixsum=:AAAA:, flag").isEmpty)
    #expect(try DigestFields.parseLegacy("UNIXsum=30637").isEmpty)
  }

  @Test func `the older Digest and Content-MD5 are read`() throws {
    let both = try DigestFields.parseLegacy(
      "MD5=1B2M2Y8AsgTpgAmY7PhCfg==,SHA-256=\(Self.emptyBase64)")
    #expect(both.map(\.hex) == [Self.emptySHA256, Self.emptyMD5])
    #expect(try DigestFields.parseContentMD5(" 1B2M2Y8AsgTpgAmY7PhCfg== ").hex == Self.emptyMD5)
    #expect(throws: InputError.self) { try DigestFields.parseLegacy("MD5=1B2M2Y8AsgTpgAmY7PhCf") }
    #expect(throws: InputError.self) { try DigestFields.parseContentMD5("AAAA") }
    #expect(throws: InputError.self) {
      try DigestFields.parseContentMD5("1B2M2Y8AsgTpgAmY7PhCfh==")
    }
  }

  private func file(_ text: String) throws -> ChecksumFile { try ChecksumFile(Array(text.utf8)) }

  @Test(arguments: [
    "\(emptySHA256)  a.zip\n", "\(emptySHA256) *a.zip", "\(emptySHA256)\ta.zip\r\n",
    "SHA256 (a.zip) = \(emptySHA256)\n", "SHA2-256 (a.zip) = \(emptySHA256)", "\(emptySHA256)\n",
    "# made today\n\n\(emptySHA256)  ./a.zip\n", "\(emptySHA256)  dist/a.zip\n",
    "\u{FEFF}\(emptySHA256)  a.zip\n", "BLAKE2b (a.zip) = 00\n\(emptySHA256)  a.zip\n",
    """
    -----BEGIN PGP SIGNED MESSAGE-----
    Hash: SHA256

    \(emptySHA256)  a.zip
    -----BEGIN PGP SIGNATURE-----

    iQIzBAEBCAAdFiEE
    -----END PGP SIGNATURE-----
    """,
  ])
  func `the forms of GNU, BSD and PGP are read`(text: String) throws {
    #expect(try file(text).checksums(for: "a.zip").map(\.hex) == [Self.emptySHA256])
  }

  @Test func `an equal path wins over an equal name`() throws {
    let other = String(repeating: "0", count: 64)
    let file = try file("\(other)  x/a.zip\n\(Self.emptySHA256)  a.zip\n")
    #expect(file.checksums(for: "a.zip").map(\.hex) == [Self.emptySHA256])
    #expect(file.checksums(for: "x/a.zip").map(\.hex) == [other])
    #expect(file.checksums(for: "b.zip").isEmpty)
  }

  @Test func `lines that contradict each other prove nothing`() throws {
    let other = String(repeating: "0", count: 64)
    let file = try file("\(other)  x/a.zip\n\(Self.emptySHA256)  y/a.zip\n")
    #expect(file.checksums(for: "a.zip").isEmpty)
  }

  @Test func `escapes in names are resolved`() throws {
    let file = try file("\\\(Self.emptyMD5)  a\\nb\\\\c\n")
    #expect(file.entries.map(\.name) == ["a\nb\\c"])
    #expect(try self.file("MD5 (a) b) = \(Self.emptyMD5)").entries.map(\.name) == ["a) b"])
  }

  @Test(arguments: [
    ("", 1, InputExpectation.sumsLine), ("hello world\n", 1, .sumsLine),
    ("\(emptyMD5)  a\nxyz  b\n", 2, .sumsLine),
    ("00ff  a\n", 1, .digestLength), ("MD5 (a) = 00\n", 1, .digestLength),
    ("MD5 (a) = zz\n", 1, .hexDigits),
    ("MD5 () = \(emptyMD5)\n", 1, .name), ("\\\(emptyMD5)  a\\x\n", 1, .name),
    ("<html>\n", 1, .sumsLine),
    ("#only\n", 1, .sumsLine),
  ])
  func `a line of no form is named`(text: String, line: Int, expected: InputExpectation) {
    let error = #expect(throws: InputError.self) { try file(text) }
    #expect(error?.line == line)
    #expect(error?.expected == expected)
  }

  @Test func `a line that is no UTF-8 is named`() {
    let error = #expect(throws: InputError.self) { try ChecksumFile([0x23, 0x0A, 0xFF, 0x0A]) }
    #expect(error?.line == 2)
    #expect(error?.expected == .utf8)
  }
}
