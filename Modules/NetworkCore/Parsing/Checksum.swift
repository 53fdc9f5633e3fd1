/// The ways of hashing that a download can be checked with.
public enum DigestAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// Broken as a proof against intent, good against accidents.
  case md5
  /// Broken as a proof against intent, good against accidents.
  case sha1
  /// SHA-2 with 256 bits.
  case sha256
  /// SHA-2 with 384 bits.
  case sha384
  /// SHA-2 with 512 bits.
  case sha512

  /// How many bytes a digest has.
  public var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The algorithm of a name as people, headers and checksum files write it: `SHA-256`, `sha256`,
  /// `SHA2-256`, `SHA`.
  public init?(named name: String) {
    var plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
    if plain == "sha" { plain = "sha1" }
    if plain.hasPrefix("sha2"), plain.count == 7 { plain = "sha" + plain.dropFirst(4) }
    self.init(rawValue: plain)
  }

  /// The algorithm whose digests have so many hexadecimal digits.
  init?(digitCount: Int) {
    guard let found = Self.allCases.first(where: { $0.byteCount * 2 == digitCount }) else {
      return nil
    }
    self = found
  }

  /// How much a match proves; more is better.
  package var strength: Int { byteCount }
}

/// A digest that a file is expected to have, or was found to have.
public struct Checksum: Hashable, Sendable {
  /// How it is computed.
  public let algorithm: DigestAlgorithm
  /// The digest, ``DigestAlgorithm/byteCount`` bytes.
  public let bytes: [UInt8]

  /// Takes a digest; `nil` when it does not have the length of its algorithm.
  public init?(algorithm: DigestAlgorithm, bytes: [UInt8]) {
    guard bytes.count == algorithm.byteCount else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Parses `ALGORITHM:HEX`, for example `sha256:9f86d0…`.
  ///
  /// - Throws: What was found instead.
  public init(_ spec: String) throws(InputError) {
    guard let colon = spec.firstIndex(of: ":") else {
      throw InputError(.checksumSpec, found: spec)
    }
    try self.init(name: String(spec[..<colon]), hex: String(spec[spec.index(after: colon)...]))
  }

  init(name: String, hex: String) throws(InputError) {
    guard let algorithm = DigestAlgorithm(named: name) else {
      throw InputError(.algorithm, found: name)
    }
    guard let bytes = hexDecoded(hex) else { throw InputError(.hexDigits, found: hex) }
    guard bytes.count == algorithm.byteCount else {
      throw InputError(.digestLength, found: "\(hex.utf8.count) digits for \(algorithm.rawValue)")
    }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// The digest in small hexadecimal digits.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension Checksum: CustomStringConvertible {
  /// `sha256:9f86d0…`, as ``init(_:)`` reads it.
  public var description: String { "\(algorithm.rawValue):\(hex)" }
}

/// The bytes of hexadecimal digits, or `nil` for an odd number of them, none, or other characters.
func hexDecoded(_ text: String) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
  var result: [UInt8] = []
  result.reserveCapacity(digits.count / 2)
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else {
      return nil
    }
    result.append(high << 4 | low)
  }
  return result
}

/// The bytes of base64 text, or `nil`; the padding may be left out, but not be wrong.
///
/// Source: RFC 4648 section 4. Bits that padding leaves over must be zero.
func base64Decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
  var digits = Array(text)
  var padding = 0
  while digits.last == UInt8(ascii: "=") {
    digits.removeLast()
    padding += 1
  }
  let remainder = digits.count % 4
  guard remainder != 1, padding == 0 || (remainder + padding) == 4 else { return nil }
  var result: [UInt8] = []
  var bits: UInt32 = 0
  var count = 0
  for digit in digits {
    guard let value = base64Value(digit) else { return nil }
    bits = (bits << 6 | UInt32(value)) & 0xFF_FFFF
    count += 6
    if count >= 8 {
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }
  guard bits & ((1 << UInt32(count)) - 1) == 0 else { return nil }
  return result
}

private func base64Value(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
  case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: nil
  }
}
