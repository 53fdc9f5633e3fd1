/// What a message was found to say that it may not say.
///
/// It means that the other process is broken or hostile; nothing it sends is believed afterwards.
package struct WireViolation: Error, Equatable, Sendable, CustomStringConvertible {
  /// The byte of the message it is about.
  package var offset: Int
  /// A clause: what was expected and what was found.
  package var description: String

  package init(offset: Int, description: String) {
    self.offset = offset
    self.description = description
  }
}

/// Builds messages between parent and worker: little-endian numbers, texts with their length.
package struct WireWriter {
  /// What has been written.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  package mutating func put(_ number: Double) { put(number.bitPattern) }

  package mutating func put(_ flag: Bool) { put(UInt8(flag ? 1 : 0)) }

  /// Writes a text as its length (16 bits) and UTF-8, cut at a whole character to `limit` bytes.
  package mutating func put(_ text: String, limit: Int) {
    let cut = WireText.cut(text, to: min(limit, Int(UInt16.max)))
    put(UInt16(cut.count))
    bytes.append(contentsOf: cut)
  }

  /// Adds zeros up to a fixed size.
  package consuming func padded(to count: Int) -> [UInt8] {
    precondition(bytes.count <= count, "a message is larger than its fixed size")
    return bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }
}

/// Takes messages apart; never reads beyond what is there.
package struct WireReader {
  private let bytes: [UInt8]
  /// The byte read next.
  package private(set) var offset = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { offset == bytes.count }

  package mutating func take<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type = Number.self
  ) throws(WireViolation) -> Number {
    let width = Number.bitWidth / 8
    guard bytes.count - offset >= width else {
      throw violation("expected \(width) more bytes, found \(bytes.count - offset)")
    }
    var number: Number = 0
    for index in (0..<width).reversed() { number = number << 8 | Number(bytes[offset + index]) }
    offset += width
    return number
  }

  package mutating func takeDouble() throws(WireViolation) -> Double {
    Double(bitPattern: try take())
  }

  package mutating func takeFlag() throws(WireViolation) -> Bool {
    let value: UInt8 = try take()
    guard value <= 1 else { throw violation("expected 0 or 1, found \(value)") }
    return value == 1
  }

  /// Reads a number that must lie in a range.
  package mutating func take<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type, in range: ClosedRange<Int>
  ) throws(WireViolation) -> Int {
    let number = try take(type)
    guard let value = Int(exactly: number), range.contains(value) else {
      throw violation("expected \(range.lowerBound) to \(range.upperBound), found \(number)")
    }
    return value
  }

  /// Reads a text; what is no UTF-8 becomes U+FFFD, control characters become spaces.
  package mutating func takeText(limit: Int) throws(WireViolation) -> String {
    let count = try take(UInt16.self, in: 0...limit)
    guard bytes.count - offset >= count else {
      throw violation("expected \(count) more bytes, found \(bytes.count - offset)")
    }
    defer { offset += count }
    return WireText.clean(bytes[offset..<offset + count])
  }

  /// A violation at the byte read next.
  package func violation(_ clause: String) -> WireViolation {
    WireViolation(offset: offset, description: clause)
  }
}

/// Texts that come out of a document, and so from whoever wrote it.
enum WireText {
  /// The longest beginning of whole characters that takes at most `limit` bytes.
  static func cut(_ text: String, to limit: Int) -> [UInt8] {
    let all = Array(text.utf8)
    guard all.count > limit else { return all }
    var end = max(limit, 0)
    while end > 0, all[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(all[..<end])
  }

  /// Valid UTF-8 without control characters, fit for one line.
  static func clean(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar.properties.generalCategory == .control ? " " : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
