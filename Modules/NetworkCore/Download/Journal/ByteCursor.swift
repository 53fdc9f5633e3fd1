// The fields of journals and resume data: integers in little-endian order, strings after their length.

extension [UInt8] {
  mutating func append(integer value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func append(string: String) {
    append(integer: UInt32(clamping: string.utf8.count))
    self += Array(string.utf8)
  }

  mutating func append(version: FileVersion) {
    for text in [version.entityTag, version.lastModified, version.date] {
      append(text == nil ? 0 : 1)
      append(string: text ?? "")
    }
    append(version.total == nil ? 0 : 1)
    append(integer: version.total ?? 0)
  }

  mutating func append(range: Range<UInt64>) {
    append(integer: range.lowerBound)
    append(integer: range.upperBound)
  }
}

/// Reads a journal's fields in order; every step is bounds-checked.
struct ByteCursor {
  private let source: [UInt8]
  private(set) var offset: Int

  init(_ source: [UInt8], at offset: Int) {
    self.source = source
    self.offset = offset
  }

  var isAtEnd: Bool { offset == source.count }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, offset >= 0, offset <= source.count, source.count - offset >= count else {
      return nil
    }
    defer { offset += count }
    return source[offset..<(offset + count)]
  }

  mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type) -> Value? {
    bytes(Value.bitWidth / 8)?.reversed().reduce(Value(0)) { sum, byte in
      Value.bitWidth == 8 ? Value(byte) : (sum << 8) | Value(byte)
    }
  }

  mutating func string() -> String? {
    guard let length = integer(UInt32.self), let bytes = bytes(Int(length)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  mutating func strings() -> [String]? {
    guard let count = integer(UInt32.self), count <= 1000 else { return nil }
    var result: [String] = []
    for _ in 0..<count {
      guard let text = string() else { return nil }
      result.append(text)
    }
    return result
  }

  mutating func range() -> Range<UInt64>? {
    guard let lower = integer(UInt64.self), let upper = integer(UInt64.self), lower < upper,
      upper <= UInt64(Int64.max)
    else { return nil }
    return lower..<upper
  }

  mutating func version() -> FileVersion? {
    var texts: [String?] = []
    for _ in 0..<3 {
      guard let flag = integer(UInt8.self), let text = string() else { return nil }
      texts.append(flag == 0 ? nil : text)
    }
    guard let flag = integer(UInt8.self), let total = integer(UInt64.self) else { return nil }
    return FileVersion(
      entityTag: texts[0], lastModified: texts[1], date: texts[2], total: flag == 0 ? nil : total)
  }
}
