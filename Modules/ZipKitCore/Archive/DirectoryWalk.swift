/// Where headers that follow each other begin, found in one pass.
struct DirectoryWalk {
  /// Where the headers begin.
  private(set) var positions: [UInt32] = []
  /// The first byte behind the last one.
  var end = 0
  /// Whether no name has a byte beyond ASCII; most archives are spared all questions of character sets by this.
  private(set) var isASCII = true

  /// Walks over a directory in memory.
  init(_ bytes: RawSpan) { _ = walk(bytes, at: 0) }

  /// Walks over a directory, held or not.
  init(_ text: DirectoryText, expecting entries: UInt64) throws(ZipError) {
    // A declared count is a claim; what the bytes can hold is the bound.
    positions.reserveCapacity(
      Int(min(entries, UInt64(text.count / CentralHeader.fixedSize))))
    try text.forEachPiece { bytes, offset in walk(bytes, at: offset) }
  }

  /// Walks over a piece; returns how far.
  private mutating func walk(_ bytes: RawSpan, at base: Int) -> Int {
    var offset = 0
    while bytes.uint32(at: offset) == CentralHeader.signature,
      let lengths = bytes.uint64(at: offset + 28)
    {
      let name = Int(lengths & 0xffff)
      let others = Int(lengths >> 16 & 0xffff) + Int(lengths >> 32 & 0xffff)
      let next = offset + CentralHeader.fixedSize + name + others
      guard next <= bytes.byteCount else { break }
      if isASCII {
        isASCII = Self.isASCII(
          bytes, offset + CentralHeader.fixedSize, offset + CentralHeader.fixedSize + name)
      }
      positions.append(UInt32(truncatingIfNeeded: base + offset))
      offset = next
    }
    end = base + offset
    return offset
  }

  // Eight bytes of a name at a time.
  private static func isASCII(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
    var place = start
    while place + 8 <= end, let word = bytes.uint64(at: place) {
      guard word & 0x8080_8080_8080_8080 == 0 else { return false }
      place += 8
    }
    while place < end {
      guard let byte = bytes.byte(at: place), byte < 0x80 else { return false }
      place += 1
    }
    return true
  }
}
