import NetworkCore
import Testing

@Suite struct RunningDigestTests {
  private static let vectors: [(DigestAlgorithm, String, String)] = [
    (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
    (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
    (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha384, "abc",
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      .sha512, "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ]

  @Test(arguments: vectors)
  func `the published vectors come out`(algorithm: DigestAlgorithm, text: String, hex: String)
    throws
  {
    var digest = try RunningDigest(algorithm)
    digest.update(Array(text.utf8))
    #expect(try digest.finish().hex == hex)
  }

  @Test func `how the bytes are divided does not matter`() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    for step in [1_000_000, 65_536, 999] {
      var digest = try RunningDigest(.sha256)
      for start in stride(from: 0, to: bytes.count, by: step) {
        digest.update(Array(bytes[start..<min(start + step, bytes.count)]))
      }
      #expect(
        try digest.finish().hex
          == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }
  }

  @Test func `a copy goes on apart from its original`() throws {
    var original = try RunningDigest(.sha256)
    original.update(Array("ab".utf8))
    var copy = try original.copy()
    copy.update(Array("c".utf8))
    original.update(Array("x".utf8))
    #expect(copy.algorithm == .sha256)
    #expect(
      try copy.finish().hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    var other = try RunningDigest(.sha256)
    other.update(Array("abx".utf8))
    #expect(try original.finish() == other.finish())
  }

  @Test func `every algorithm is there and gives its length`() throws {
    for algorithm in DigestAlgorithm.allCases {
      #expect(try RunningDigest(algorithm).finish().bytes.count == algorithm.byteCount)
    }
  }
}
