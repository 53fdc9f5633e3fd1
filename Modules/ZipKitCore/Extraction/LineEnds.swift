/// Turns the line ends of other systems into Unix's, across pieces of any size.
///
/// CR LF and a lone CR become LF; the Ctrl-Z that ends MS-DOS text goes. As Info-ZIP's `-a` has it.
struct LineEndConverter {
  private var lastWasReturn = false

  /// The bytes that a whole text becomes.
  static func whole(_ bytes: RawSpan) -> [UInt8] {
    var converter = LineEndConverter()
    return converter.convert(bytes)
  }

  /// The bytes that a piece becomes.
  mutating func convert(_ bytes: RawSpan) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.byteCount)
    for place in 0..<bytes.byteCount {
      guard let byte = bytes.byte(at: place) else { break }
      switch byte {
      case 0x0d: result.append(0x0a)
      case 0x0a where lastWasReturn: break
      case 0x1a: break
      default: result.append(byte)
      }
      lastWasReturn = byte == 0x0d
    }
    return result
  }
}
