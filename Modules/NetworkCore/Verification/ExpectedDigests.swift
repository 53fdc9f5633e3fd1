/// What a finished file has to match, and who said so.
struct ExpectedDigests: Equatable, Sendable {
  /// One expectation.
  struct Item: Hashable, Sendable {
    var checksum: Checksum
    /// Who stated it, for the error.
    var source: String
  }

  private(set) var items: [Item] = []

  /// The algorithms needed.
  var algorithms: Set<DigestAlgorithm> { Set(items.map(\.checksum.algorithm)) }

  /// What is compared, for people: `sha256 from the caller`.
  var summary: String {
    items.map { "\($0.checksum.algorithm.rawValue) from \($0.source)" }.joined(separator: ", ")
  }

  /// Adds the caller's.
  mutating func add(_ checksums: [Checksum], from source: String) {
    for checksum in checksums where !items.contains(where: { $0.checksum == checksum }) {
      items.append(Item(checksum: checksum, source: source))
    }
  }

  /// Adds what a response states about the whole file.
  ///
  /// Sources: RFC 9530, RFC 3230, RFC 1864. A field that cannot be read counts as absent, as its
  /// sender promised nothing.
  mutating func add(_ head: ResponseHead) {
    // The file, whatever range of it comes with this response.
    for value in head.values(of: "repr-digest") {
      add((try? DigestFields.parseStructured(value)) ?? [], from: "Repr-Digest")
    }
    for value in head.values(of: "digest") {
      add((try? DigestFields.parseLegacy(value)) ?? [], from: "Digest")
    }
    // The body of this response, which is the file only when it comes whole.
    guard head.status == 200 else { return }
    for value in head.values(of: "content-digest") {
      add((try? DigestFields.parseStructured(value)) ?? [], from: "Content-Digest")
    }
    if let value = head["content-md5"], let checksum = try? DigestFields.parseContentMD5(value) {
      add([checksum], from: "Content-MD5")
    }
  }

  /// Forgets what responses stated: another version of the file begins.
  mutating func keepOnly(source: String) { items.removeAll { $0.source != source } }

  /// The first expectation that a file does not meet.
  func mismatch(_ found: [Checksum]) -> TransferProblem? {
    for item in items {
      guard let own = found.first(where: { $0.algorithm == item.checksum.algorithm }),
        own != item.checksum
      else { continue }
      return .checksum(
        algorithm: own.algorithm.rawValue, expected: item.checksum.hex, found: own.hex,
        source: item.source)
    }
    return nil
  }
}
