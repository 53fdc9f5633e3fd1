/// Writes PNG pictures: quickly, always the same bytes for the same pixels.
///
/// Rows are not filtered: at thumbnail size filters cost more than they save, for pages are flat. Pictures
/// whose every pixel is gray are written as luminance, a third of the bytes.
public struct PNGEncoder: Sendable {
  /// The effort of compression, from 1 (the default, quick) to 9 (small).
  public var level: Int
  /// Words of text beside the picture (`tEXt`): keys of 1 to 79 Latin-1 letters, and values.
  public var text: [(key: String, value: String)]
  /// Whether the picture has an alpha channel even where every pixel is opaque; not by default.
  public var alwaysHasAlpha: Bool

  /// Creates an encoder.
  public init(
    level: Int = 1, text: [(key: String, value: String)] = [], alwaysHasAlpha: Bool = false
  ) {
    self.level = min(max(level, 1), 9)
    self.text = text
    self.alwaysHasAlpha = alwaysHasAlpha
  }

  /// The bytes of a PNG file.
  ///
  /// - Parameter picture: The picture, of any format.
  /// - Returns: The whole file.
  /// - Throws: ``PDFError/Code/encodeFailed`` when zlib has no memory.
  public func encode(_ picture: Picture) throws(PDFError) -> [UInt8] {
    let layout = Self.layout(of: picture, alwaysHasAlpha: alwaysHasAlpha)
    let rows = Self.rows(of: picture, as: layout)
    guard let packed = Zlib.compress(rows, level: level) else {
      throw .encodeFailed("PNG", cause: "zlib has no memory")
    }
    var writer = ChunkWriter(capacity: packed.count + 100)
    var header = Self.bigEndian(UInt32(picture.size.width))
    header += Self.bigEndian(UInt32(picture.size.height))
    header += [8, layout.colorType, 0, 0, 0]
    writer.chunk("IHDR", header)
    for (key, value) in text {
      writer.chunk("tEXt", Self.latin1(key) + [0] + Self.latin1(value))
    }
    writer.chunk("IDAT", packed)
    writer.chunk("IEND", [])
    return writer.bytes
  }

  private enum Layout {
    case gray, rgb, rgba

    /// PNG specification, 11.2.2.
    var colorType: UInt8 {
      switch self {
      case .gray: 0
      case .rgb: 2
      case .rgba: 6
      }
    }
  }

  private static func layout(of picture: Picture, alwaysHasAlpha: Bool) -> Layout {
    if alwaysHasAlpha || picture.format == .rgba { return .rgba }
    return picture.format == .gray || isGray(picture.pixels) ? .gray : .rgb
  }

  private static func isGray(_ pixels: [UInt8]) -> Bool {
    var differs: UInt8 = 0
    var index = 0
    while index &+ 2 < pixels.count {
      differs |= (pixels[index] ^ pixels[index &+ 1]) | (pixels[index] ^ pixels[index &+ 2])
      if differs != 0 { return false }
      index &+= 3
    }
    return true
  }

  /// The rows as PNG compresses them: each behind a byte that names its filter, here none.
  private static func rows(of picture: Picture, as layout: Layout) -> [UInt8] {
    let (width, height) = (picture.size.width, picture.size.height)
    let step = picture.format.bytesPerPixel
    let pixels = picture.pixels
    var rows: [UInt8] = []
    rows.reserveCapacity((width * (layout == .gray ? 1 : layout == .rgb ? 3 : 4) + 1) * height)
    for y in 0..<height {
      rows.append(0)
      let row = y * width * step..<(y + 1) * width * step
      switch (layout, picture.format) {
      case (.gray, .gray), (.rgb, .rgb), (.rgba, .rgba):
        rows.append(contentsOf: pixels[row])
      case (.gray, _):
        for index in stride(from: row.lowerBound, to: row.upperBound, by: step) {
          rows.append(pixels[index])
        }
      default:
        for index in stride(from: row.lowerBound, to: row.upperBound, by: step) {
          rows.append(pixels[index])
          rows.append(pixels[index + (step == 1 ? 0 : 1)])
          rows.append(pixels[index + (step == 1 ? 0 : 2)])
          rows.append(255)
        }
      }
    }
    return rows
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { $0.value < 256 ? UInt8($0.value) : UInt8(ascii: "?") }
  }

  private struct ChunkWriter {
    var bytes: [UInt8]

    init(capacity: Int) {
      bytes = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      bytes.reserveCapacity(capacity)
    }

    mutating func chunk(_ type: String, _ data: [UInt8]) {
      bytes += PNGEncoder.bigEndian(UInt32(data.count))
      let start = bytes.count
      bytes += Array(type.utf8)
      bytes += data
      bytes += PNGEncoder.bigEndian(Zlib.crc32(bytes[start...]))
    }
  }
}
