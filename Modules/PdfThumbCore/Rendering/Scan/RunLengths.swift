/// Run-length coding (ISO 32000-1, 7.4.5).
enum RunLengths {
  private static let end: UInt8 = 128

  /// Codes bytes as they are, 128 a run.
  static func wrap(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var coded: [UInt8] = []
    coded.reserveCapacity(bytes.count + bytes.count / 128 + 2)
    var place = 0
    while place < bytes.count {
      let count = min(128, bytes.count - place)
      coded.append(UInt8(count - 1))
      unsafe coded.append(contentsOf: bytes[place..<place + count])
      place += count
    }
    coded.append(end)
    return coded
  }

  /// Decodes runs, or returns `nil` where they are cut short or give more than `limit` bytes.
  static func decode(_ coded: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(limit, coded.count))
    var place = 0
    while place < coded.count, unsafe coded[place] != end {
      let length = Int(unsafe coded[place])
      place += 1
      if length < 128 {
        guard place + length < coded.count else { return nil }
        unsafe bytes.append(contentsOf: coded[place...place + length])
        place += length + 1
      } else {
        guard place < coded.count else { return nil }
        unsafe bytes.append(contentsOf: repeatElement(coded[place], count: 257 - length))
        place += 1
      }
      guard bytes.count <= limit else { return nil }
    }
    return bytes
  }
}
