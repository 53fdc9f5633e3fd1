/// Cuts an archive into the parts of a split one: places told by part and offset, a mark in front.
package enum SplitWriter {
  /// The parts of an archive of these entries, each of `size` bytes but the last.
  package static func parts(_ entries: [ZipBuilder.Entry], size: Int) -> [[UInt8]] {
    var zip = ZipBuilder(entries)
    zip.prefix = [0x50, 0x4b, 7, 8]
    zip.countsPrefix = true
    var bytes = zip.bytes()
    let end = bytes.count - 22
    let directory = Int(number(bytes, end + 16, 4))
    var place = directory
    var onLast: UInt16 = 0
    while place < end {
      let offset = Int(number(bytes, place + 42, 4))
      if place / size == end / size { onLast += 1 }
      put(UInt16(offset / size), &bytes, place + 34)
      put(UInt32(offset % size), &bytes, place + 42)
      place += 46 + (0..<3).reduce(0) { $0 + Int(number(bytes, place + 28 + 2 * $1, 2)) }
    }
    put(UInt16(end / size), &bytes, end + 4)
    put(UInt16(directory / size), &bytes, end + 6)
    put(onLast, &bytes, end + 8)
    put(UInt32(directory % size), &bytes, end + 16)
    // No record is cut: the end record goes whole into the last part.
    return (0...(end / size)).map { part in
      Array(bytes[(part * size)..<(part == end / size ? bytes.count : (part + 1) * size)])
    }
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << (8 * UInt64($1)) }
  }

  private static func put(_ value: some FixedWidthInteger, _ bytes: inout [UInt8], _ place: Int) {
    var coded: [UInt8] = []
    coded.put(value)
    bytes.replaceSubrange(place..<(place + coded.count), with: coded)
  }
}
