/// A pattern for entry names, as Info-ZIP understands them: `*`, `?`, `[a-z]`, `[!a]`, `\` before a letter.
///
/// Matching takes time proportional to pattern times name, whatever the pattern is.
public struct NamePattern: Sendable, Equatable {
  private let parts: NamePatternParts

  /// Reads a pattern; there is none that cannot be read.
  ///
  /// - Parameters:
  ///   - text: The pattern.
  ///   - ignoresCase: Whether ASCII letters match in both cases.
  ///   - stopsAtSlash: Whether `*` and `?` stop at `/`, and only `**` crosses it.
  public init(_ text: String, ignoresCase: Bool = false, stopsAtSlash: Bool = false) {
    parts = NamePatternParts(text, ignoresCase: ignoresCase, stopsAtSlash: stopsAtSlash)
  }

  /// The pattern as written.
  public var text: String { parts.text }

  /// Whether it holds no wildcards.
  public var isLiteral: Bool { parts.literal != nil }

  /// The bytes that alone match, where that is so in every character set: ASCII, in this case only.
  var plain: [UInt8]? { parts.plain }

  /// Whether two patterns were read from the same text in the same way.
  public static func == (one: NamePattern, other: NamePattern) -> Bool {
    one.parts === other.parts
      || one.parts.text == other.parts.text && one.parts.ignoresCase == other.parts.ignoresCase
        && one.parts.stopsAtSlash == other.parts.stopsAtSlash
  }

  /// Whether a name matches as a whole.
  public func matches(_ name: String) -> Bool { parts.matches(Array(name.utf8)) }

  /// Whether a name matches as a whole, byte by byte.
  public func matches(_ name: some RandomAccessCollection<UInt8>) -> Bool { parts.matches(name) }
}

extension ZipEntry {
  /// Whether the entry's name matches a pattern.
  public func matches(_ pattern: NamePattern) -> Bool { core.matches(index, pattern) }
}

extension ArchiveCore {
  /// Whether an entry's name matches; reads no more of the header than that takes.
  func matches(_ index: Int, _ pattern: NamePattern) -> Bool {
    let directory = directory
    let (range, extra) = directory.nameAndExtra(index)
    // ASCII is the same in every encoding in question; the rest is matched as text.
    if extra.isEmpty || !hasUnicodePath(extra) {
      if let plain = pattern.plain {
        guard plain.count == range.count else { return false }
        return unsafe directory.bytes.withUnsafeBytes { bytes in
          unsafe plain.elementsEqual(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
      }
      if directory.hasOnlyASCIINames || directory.bytes[range].allSatisfy({ $0 < 0x80 }) {
        return unsafe directory.bytes.withUnsafeBytes { bytes in
          unsafe pattern.matches(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
      }
    }
    return directory.header(index).map { pattern.matches(name(index, $0).text) } ?? false
  }

  private func hasUnicodePath(_ range: Range<Int>) -> Bool {
    let bytes = directory.bytes
    return ExtraFields.find(.unicodePath, in: unsafe bytes.span.bytes.extracting(range)) != nil
  }
}
