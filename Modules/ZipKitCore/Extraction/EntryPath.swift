/// What becomes of an entry's name on the way to a path below the target: pure policy, bytes to bytes.
struct EntryPath: Equatable {
  /// The parts joined with `/`, none of them empty, `.` or `..`.
  var bytes: [UInt8]
  /// Where the last part begins in ``bytes``.
  var leafStart: Int
  /// Rules that the name broke and that were mended: `name-absolute`, `name-backslash`, `name-control`,
  /// `name-reserved`.
  var mended: [ZipError.Code]

  /// How names are mended.
  struct Rules: Equatable, Sendable {
    /// Whether a backslash separates directories, in a name without a slash.
    var splitsBackslashes = false
    /// Whether control characters stay.
    var keepsControl = false
    /// Whether only the last part counts.
    var dropsDirectories = false
    /// Leading directories that are dropped.
    var strip = 0
    /// Whether ASCII capitals become small.
    var lowercases = false
    /// Whether `..` takes back the part before it, rather than being refused.
    var resolvesParents = false
    /// Whether names that Windows cannot have are changed.
    var isPortable = false
  }

  /// Whether a name, ASCII alone, is a clean relative path as it stands, and where its last part begins.
  ///
  /// This is the one pass over nearly all names; the others take the long way.
  @inline(__always)
  static func cleanLeafStart(_ name: UnsafeRawBufferPointer) -> Int? {
    guard name.count > 0, name.count < 4096 else { return nil }
    var partStart = 0
    var position = 0
    while position < name.count {
      let byte = unsafe name[position]
      if byte == UInt8(ascii: "/") {
        guard unsafe isPlainPart(name, partStart, position) else { return nil }
        partStart = position + 1
      } else if byte < 0x20 || byte >= 0x7f || byte == UInt8(ascii: "\\")
        || byte == UInt8(ascii: ":")
      {
        return nil
      }
      position += 1
    }
    if partStart == name.count { return partStart }
    return unsafe isPlainPart(name, partStart, position) ? partStart : nil
  }

  @inline(__always)
  private static func isPlainPart(_ name: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool
  {
    let count = end - start
    guard count > 0, count <= 255 else { return false }
    guard unsafe name[start] == UInt8(ascii: "."), count <= 2 else { return true }
    return unsafe count == 2 && name[start + 1] != UInt8(ascii: ".")
  }

  /// Makes a path of a name.
  ///
  /// - Throws: ``ZipError``: `name-nul`, `name-escapes`, `name-empty`, `name-too-long`.
  init(_ name: [UInt8], rules: Rules) throws(ZipError) {
    var mended: [ZipError.Code] = []
    guard !name.contains(0) else { throw .nameNUL() }
    var name = name
    if rules.splitsBackslashes, HostSystem.separatesByBackslash(name) {
      name = name.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      mended.append(.nameBackslash)
    }
    if rules.splitsBackslashes, name.count >= 2, name[1] == UInt8(ascii: ":"),
      name[0] | 0x20 >= UInt8(ascii: "a"), name[0] | 0x20 <= UInt8(ascii: "z")
    {
      name.removeFirst(2)
      mended.append(.nameAbsolute)
    }
    if name.first == UInt8(ascii: "/"), !mended.contains(.nameAbsolute) {
      mended.append(.nameAbsolute)
    }
    if !rules.keepsControl, name.contains(where: Self.isControl) {
      name.removeAll(where: Self.isControl)
      mended.append(.nameControl)
    }
    if rules.lowercases { name = name.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 } }
    var parts = name.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual([0x2e]) }
    if rules.resolvesParents { parts = try Self.resolved(parts) }
    guard !parts.contains(where: { $0.elementsEqual([0x2e, 0x2e]) }) else { throw .nameEscapes() }
    if rules.dropsDirectories, parts.count > 1 { parts.removeFirst(parts.count - 1) }
    if rules.strip > 0 { parts.removeFirst(min(rules.strip, parts.count)) }
    if rules.isPortable {
      let before = parts
      parts = parts.map(PortableName.mended)
      if parts != before { mended.append(.nameReserved) }
    }
    guard let last = parts.last else { throw .nameEmpty() }
    if let long = parts.first(where: { $0.count > 255 }) {
      throw .nameTooLong(long.count, most: 255)
    }
    bytes = Array(parts.joined(separator: [UInt8(ascii: "/")]))
    guard bytes.count < 4096 else { throw .nameTooLong(bytes.count, most: 4095) }
    leafStart = bytes.count - last.count
    self.mended = mended
  }

  // By the letters of the name alone: no link on disk has a say in it.
  private static func resolved(_ parts: [ArraySlice<UInt8>]) throws(ZipError) -> [ArraySlice<UInt8>]
  {
    var result: [ArraySlice<UInt8>] = []
    for part in parts {
      guard part.elementsEqual([0x2e, 0x2e]) else {
        result.append(part)
        continue
      }
      guard result.popLast() != nil else { throw .nameEscapes() }
    }
    return result
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7f }
}
