/// A character set for names that carry no Unicode mark.
public struct NameEncoding: Sendable {
  /// What it is called, such as `CP437`.
  public let name: String
  private let convert: @Sendable ([UInt8]) -> String?

  /// Wraps a conversion.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - convert: The text of some bytes, or nil where they are not of this character set.
  public init(name: String, convert: @escaping @Sendable ([UInt8]) -> String?) {
    self.name = name
    self.convert = convert
  }

  /// The text of some bytes, or nil where they are not of this character set.
  public func decode(_ bytes: [UInt8]) -> String? { convert(bytes) }

  /// IBM's code page 437, in which every byte has a meaning; what APPNOTE D.1 calls the original
  /// character set.
  public static let cp437 = NameEncoding(name: "CP437") { bytes in
    String(
      String.UnicodeScalarView(
        bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : cp437Upper[Int($0) - 0x80] }))
  }

  private static let cp437Upper = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
      + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}").unicodeScalars)
}

/// Chooses the character set of an archive from all names that need one; nil for no opinion.
public typealias NameEncodingDetector =
  @Sendable (_ names: [[UInt8]], _ host: HostSystem) -> NameEncoding?

/// How an entry's name was told from its bytes.
public enum NameOrigin: Sendable, Equatable {
  /// ASCII, the same in all character sets in question.
  case ascii
  /// Marked as UTF-8 by the entry's flags.
  case utf8Flag
  /// From a Unicode path extra field.
  case unicodeField
  /// Not marked, and valid UTF-8.
  case utf8Guess
  /// From the character set chosen for the archive.
  case encoding(String)
}
