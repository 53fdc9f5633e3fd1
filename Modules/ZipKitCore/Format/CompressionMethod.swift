/// The number of a compression method, as it stands in a zip entry's headers (APPNOTE 4.4.5).
///
/// Any number is a value; those with a meaning have a name here.
public struct CompressionMethod: RawRepresentable, Hashable, Sendable {
  /// The number as written in the archive.
  public let rawValue: UInt16

  /// Wraps a number; every number is allowed.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The bytes as they are.
  public static let stored = CompressionMethod(rawValue: 0)
  /// Dynamic LZW of PKZIP 1.
  public static let shrunk = CompressionMethod(rawValue: 1)
  /// Reduced with factor 1; factors 2 to 4 are the numbers 3 to 5.
  public static let reduced1 = CompressionMethod(rawValue: 2)
  /// Reduced with factor 2.
  public static let reduced2 = CompressionMethod(rawValue: 3)
  /// Reduced with factor 3.
  public static let reduced3 = CompressionMethod(rawValue: 4)
  /// Reduced with factor 4.
  public static let reduced4 = CompressionMethod(rawValue: 5)
  /// Shannon-Fano coded sliding window of PKZIP 1.
  public static let imploded = CompressionMethod(rawValue: 6)
  /// RFC 1951.
  public static let deflated = CompressionMethod(rawValue: 8)
  /// Deflate with a 64 KiB window.
  public static let deflate64 = CompressionMethod(rawValue: 9)
  /// PKWARE's Data Compression Library.
  public static let dclImploded = CompressionMethod(rawValue: 10)
  /// Of z/OS: IBM's TERSE.
  public static let terse = CompressionMethod(rawValue: 18)
  /// Of z/OS: compression by the processor, CMPSC.
  public static let cmpsc = CompressionMethod(rawValue: 16)
  /// Of z/OS: IBM's LZ77, PFS.
  public static let ibmLZ77 = CompressionMethod(rawValue: 19)
  /// Tokens, of which nothing but the number was ever published.
  public static let tokenized = CompressionMethod(rawValue: 7)
  /// bzip2.
  public static let bzip2 = CompressionMethod(rawValue: 12)
  /// LZMA with a four byte header (APPNOTE 5.8).
  public static let lzma = CompressionMethod(rawValue: 14)
  /// The first number Zstandard had.
  public static let zstandardOld = CompressionMethod(rawValue: 20)
  /// Zstandard.
  public static let zstandard = CompressionMethod(rawValue: 93)
  /// MP3 recompressed.
  public static let mp3 = CompressionMethod(rawValue: 94)
  /// An XZ stream.
  public static let xz = CompressionMethod(rawValue: 95)
  /// JPEG recompressed.
  public static let jpeg = CompressionMethod(rawValue: 96)
  /// WavPack audio.
  public static let wavPack = CompressionMethod(rawValue: 97)
  /// PPMd version I, revision 1.
  public static let ppmd = CompressionMethod(rawValue: 98)
  /// WinZip AES; the real method stands in the entry's extra field 0x9901.
  public static let winZipAES = CompressionMethod(rawValue: 99)

  /// A short English name, such as `deflate`, or nil for a number without one.
  public var name: String? {
    switch self {
    case .stored: "stored"
    case .shrunk: "shrink"
    case .reduced1, .reduced2, .reduced3, .reduced4: "reduce"
    case .imploded: "implode"
    case .deflated: "deflate"
    case .deflate64: "Deflate64"
    case .dclImploded: "DCL implode"
    case .terse: "IBM TERSE"
    case .cmpsc: "IBM CMPSC"
    case .ibmLZ77: "IBM LZ77"
    case .tokenized: "tokenize"
    case .bzip2: "bzip2"
    case .lzma: "LZMA"
    case .zstandard, .zstandardOld: "Zstandard"
    case .mp3: "MP3"
    case .xz: "XZ"
    case .jpeg: "JPEG"
    case .wavPack: "WavPack"
    case .ppmd: "PPMd"
    case .winZipAES: "WinZip AES"
    default: nil
    }
  }
}
