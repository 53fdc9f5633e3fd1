/// A picture as a terminal would put it together from the bytes it is sent.
package struct ShownPicture: Sendable, Equatable {
  package var width: Int
  package var height: Int
  /// Rows of red, green, blue and straight alpha.
  package var pixels: [UInt8]

  package init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The parts of one pixel.
  package func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4])
  }

  /// Raw pixels of kitty's graphics protocol, in pieces of base64 (`f=32`, `m=1`).
  package static func kitty(_ bytes: [UInt8]) -> ShownPicture? {
    var values: [Substring: Int] = [:]
    var pixels: [UInt8] = []
    let text = String(decoding: bytes, as: UTF8.self)
    for piece in text.split(separator: "\u{1B}_G").dropFirst(text.hasPrefix("\u{1B}_G") ? 0 : 1) {
      guard let end = piece.firstIndex(of: "\u{1B}") else { return nil }
      let parts = piece[..<end].split(separator: ";", omittingEmptySubsequences: false)
      for setting in parts[0].split(separator: ",") {
        let pair = setting.split(separator: "=")
        if pair.count == 2, values[pair[0]] == nil { values[pair[0]] = Int(pair[1]) }
      }
      // Each piece is padded by itself.
      if parts.count > 1 {
        guard let bytes = base64(parts[1].utf8) else { return nil }
        pixels += bytes
      }
    }
    guard values["f"] == 32, let width = values["s"], let height = values["v"],
      pixels.count == width * height * 4
    else { return nil }
    return ShownPicture(width: width, height: height, pixels: pixels)
  }

  /// The file of iTerm2's inline image: a TIFF of one uncompressed strip with 8-bit parts.
  package static func iterm2(_ bytes: [UInt8]) -> ShownPicture? {
    let start = Array("\u{1B}]1337;File=".utf8)
    guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: start) }),
      let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")),
      let end = bytes[colon...].firstIndex(where: { $0 == 7 || $0 == 0x1B }),
      let file = base64(bytes[(colon + 1)..<end])
    else { return nil }
    return tiff(file)
  }

  private static func tiff(_ file: [UInt8]) -> ShownPicture? {
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset + count <= file.count else { return nil }
      return (0..<count).reduce(0) { $0 | Int(file[offset + $1]) << ($1 * 8) }
    }
    // Little-endian "II", 42, and the place of the directory (TIFF 6.0, section 2).
    guard number(0, 4) == 0x002A_4949, let directory = number(4, 4),
      let count = number(directory, 2)
    else { return nil }
    var tags: [Int: Int] = [:]
    for index in 0..<count {
      let entry = directory + 2 + index * 12
      guard let tag = number(entry, 2), let kind = number(entry + 2, 2),
        let value = number(entry + 8, kind == 3 ? 2 : 4)
      else { return nil }
      tags[tag] = value
    }
    guard let width = tags[256], let height = tags[257], tags[259] ?? 1 == 1,
      tags[277] == 4, let strip = tags[273], let length = tags[279],
      length == width * height * 4, strip + length <= file.count
    else { return nil }
    return ShownPicture(width: width, height: height, pixels: Array(file[strip..<strip + length]))
  }

  /// DEC's sixels: colours in percent of red, green and blue; what no colour fills stays transparent.
  package static func sixel(_ bytes: [UInt8]) -> ShownPicture? {
    let start = Array("\u{1B}P".utf8)
    guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: start) }),
      let begin = bytes[place...].firstIndex(of: UInt8(ascii: "q")),
      let end = bytes[begin...].firstIndex(of: 0x1B)
    else { return nil }
    var reader = SixelReader(bytes: bytes[(begin + 1)..<end])
    return reader.read()
  }

  /// The bytes behind base64, which may be padded (RFC 4648, section 4).
  package static func base64(_ text: some Collection<UInt8>) -> [UInt8]? {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var held = 0
    for letter in text where letter != UInt8(ascii: "=") {
      guard let value = values[Int(letter)] else { return nil }
      bits = bits << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      }
    }
    return bytes
  }
}

/// Reads the body of a sixel string: rows of six pixels, each colour of a row by itself.
private struct SixelReader {
  private var bytes: ArraySlice<UInt8>
  private var colors: [Int: [UInt8]] = [:]
  private var color = 0
  private var (x, y) = (0, 0)
  private var (width, height) = (0, 0)
  private var pixels: [UInt8] = []

  init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  mutating func read() -> ShownPicture? {
    while let letter = bytes.popFirst() {
      switch letter {
      case UInt8(ascii: "\""):
        let numbers = numbers()
        guard numbers.count == 4 else { return nil }
        (width, height) = (numbers[2], numbers[3])
        pixels = [UInt8](repeating: 0, count: width * height * 4)
      case UInt8(ascii: "#"):
        let numbers = numbers()
        guard let first = numbers.first else { return nil }
        color = first
        if numbers.count == 5 {
          guard numbers[1] == 2, numbers[2...].allSatisfy({ $0 <= 100 }) else { return nil }
          colors[first] = numbers[2...].map { UInt8(($0 * 255 + 50) / 100) } + [255]
        }
      case UInt8(ascii: "!"):
        let numbers = numbers()
        guard numbers.count == 1, let sixel = bytes.popFirst() else { return nil }
        guard draw(sixel, times: numbers[0]) else { return nil }
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, y) = (0, y + 6)
      case 10, 13: break
      default: guard draw(letter, times: 1) else { return nil }
      }
    }
    return ShownPicture(width: width, height: height, pixels: pixels)
  }

  private mutating func numbers() -> [Int] {
    var digits: [UInt8] = []
    while let next = bytes.first, (0x30...0x3B).contains(next) {
      digits.append(next)
      bytes.removeFirst()
    }
    return digits.split(separator: UInt8(ascii: ";")).compactMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
  }

  private mutating func draw(_ letter: UInt8, times: Int) -> Bool {
    guard (0x3F...0x7E).contains(letter) else { return false }
    for _ in 0..<times {
      for bit in 0..<6 where (letter - 0x3F) >> UInt8(bit) & 1 == 1 {
        guard x < width, let parts = colors[color] else { return false }
        guard y + bit < height else { continue }
        let start = ((y + bit) * width + x) * 4
        pixels.replaceSubrange(start..<start + 4, with: parts)
      }
      x += 1
    }
    return true
  }
}
