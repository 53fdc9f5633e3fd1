import ZipKitCore

/// The plain bytes that the recorded streams of these tests hold: words, noise, zeros, and the words again
/// from far back.
enum Sample {
  private static let vocabulary = [
    "harbour", "ferry", "the", "of", "lamp", "wind", "slowly", "north", "a", "stone", "and", "grey",
    "water", "bird", "under", "seven",
  ]

  static let bytes: [UInt8] = {
    var generator = Generator(state: 20)
    let text = words(4000, &generator)
    let noise = (0..<300).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    return text + noise + [UInt8](repeating: 0, count: 1500) + text[..<700]
  }()

  /// Words alone, and many.
  static let long: [UInt8] = {
    var generator = Generator(state: 77)
    return words(40000, &generator)
  }()

  private struct Generator {
    var state: UInt32

    mutating func next() -> UInt32 {
      state = (state &* 1_103_515_245 &+ 12345) & 0x7FFF_FFFF
      return state >> 16
    }
  }

  private static func words(_ size: Int, _ generator: inout Generator) -> [UInt8] {
    var text: [UInt8] = []
    var count = 0
    while text.count < size {
      text += Array(vocabulary[Int(generator.next() & 15)].utf8)
      count += 1
      text.append(count % 12 == 0 ? 10 : 32)
    }
    text.removeLast(text.count - size)
    return text
  }

  /// The bytes' CRC-32.
  static let crc32 = unsafe ZlibChecksum.crc32(0, bytes.span.bytes)
}

/// Decodes the base64 (RFC 4648) that recorded streams are written in; other characters are skipped.
func recorded(_ base64: String) -> [UInt8] {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var bytes: [UInt8] = []
  var (bits, count) = (0, 0)
  for character in base64.utf8 {
    guard let value = alphabet.firstIndex(of: character) else { continue }
    bits = (bits << 6 | value) & 0xFFFF
    count += 6
    if count >= 8 {
      count -= 8
      bytes.append(UInt8(bits >> count & 0xFF))
    }
  }
  return bytes
}
