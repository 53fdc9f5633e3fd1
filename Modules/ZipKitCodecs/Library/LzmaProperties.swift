internal import ZipKitCore

/// The header in front of a method 14 stream (APPNOTE 5.8.8): version, length, then LZMA's properties.
struct LzmaProperties: Equatable {
  /// Bytes of the header.
  static let headerSize = 9
  /// The smallest dictionary that liblzma makes.
  static let smallestDictionary: UInt32 = 4096

  var literalContext: UInt32
  var literalPosition: UInt32
  var position: UInt32
  var dictionary: UInt32

  /// Reads a header, which has exactly ``headerSize`` bytes.
  init(header: [UInt8]) throws(DecodeError) {
    guard header.count == Self.headerSize else { throw .lzmaHeader(found: header.count) }
    let length = Int(header[2]) | Int(header[3]) << 8
    guard length == 5 else { throw .lzmaPropertyLength(length) }
    let packed = UInt32(header[4])
    guard packed < 9 * 5 * 5 else { throw .lzmaProperties(packed) }
    literalContext = packed % 9
    literalPosition = packed / 9 % 5
    position = packed / 45
    guard literalContext + literalPosition <= 4 else { throw .lzmaProperties(packed) }
    dictionary = header[5...].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Makes the dictionary no larger than what will come out: no distance reaches farther back.
  mutating func fitDictionary(to size: UInt64) {
    let useful = max(UInt64(Self.smallestDictionary), size)
    if useful < UInt64(dictionary) { dictionary = UInt32(useful) }
    dictionary = max(dictionary, Self.smallestDictionary)
  }
}
