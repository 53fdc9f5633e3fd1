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
  public func matches(_ pattern: NamePattern) -> Bool {
    let directory = core.directory
    return directory.text.withBytes(directory.record(index)) { core.matches(index, $0, pattern) }
  }
}

extension ArchiveCore {
  /// Whether the name of an entry, whose header is given, matches; reads no more of it than that takes.
  func matches(_ index: Int, _ record: RawSpan, _ pattern: NamePattern) -> Bool {
    guard let name = CentralHeader.plainName(record) else {
      return directory.header(index).map { pattern.matches(self.name(index, $0).text) } ?? false
    }
    let answer = unsafe record.extracting(name).withUnsafeBytes { name -> Bool? in
      if let plain = pattern.plain { return unsafe plain.elementsEqual(name) }
      // ASCII is the same in every encoding in question; the rest is matched as text.
      if !directory.hasOnlyASCIINames, unsafe !name.allSatisfy({ $0 < 0x80 }) { return nil }
      return unsafe pattern.matches(name)
    }
    return answer
      ?? directory.header(index).map { pattern.matches(self.name(index, $0).text) } ?? false
  }
}

extension CentralHeader {
  /// Where in a header its name stands; nil where an extra field has another, or where they are not there.
  @inline(__always)
  static func plainName(_ record: RawSpan) -> Range<Int>? {
    guard let nameLength = record.uint16(at: 28), let extraLength = record.uint16(at: 30) else {
      return nil
    }
    let end = fixedSize + Int(nameLength)
    guard end <= record.byteCount else { return nil }
    if extraLength > 0 {
      let extra = record.extracting(end..<min(end + Int(extraLength), record.byteCount))
      if ExtraFields.find(.unicodePath, in: extra) != nil { return nil }
    }
    return fixedSize..<end
  }
}

/// Tells quickly of most names that they are none of those asked for.
///
/// Names that patterns without wildcards stand for are told from others by their length and their last bytes.
struct NameFilter {
  private var bits = [UInt64](repeating: 0, count: 64)

  /// nil where a pattern may match more than one name.
  init?(_ patterns: [NamePattern]) {
    guard !patterns.isEmpty else { return nil }
    for pattern in patterns {
      guard let plain = pattern.plain else { return nil }
      let place = Self.place(unsafe plain.span.bytes)
      bits[place >> 6] |= 1 << UInt64(place & 63)
    }
  }

  /// Whether one of the patterns may match.
  @inline(__always)
  func allows(_ name: RawSpan) -> Bool {
    let place = Self.place(name)
    return bits[place >> 6] >> UInt64(place & 63) & 1 == 1
  }

  @inline(__always)
  private static func place(_ name: RawSpan) -> Int {
    let count = name.byteCount
    var last: UInt64 = 0
    if let word = name.uint64(at: count - 8) {
      last = word
    } else {
      for index in 0..<count { last = last << 8 | UInt64(name.byte(at: index) ?? 0) }
    }
    return Int(((last ^ UInt64(count)) &* 0x9e37_79b9_7f4a_7c15) >> 52)
  }
}
