/// What is seen of an image at the size it has on the canvas, in the image's own orientation.
struct ScanRaster {
  /// The pixels of a row.
  var width: Int
  /// The colours, `0xFFRRGGBB` each.
  var colors: [UInt32]
  /// The opacity of each pixel, or `nil` when all are opaque.
  var opacities: [UInt8]?

  /// Blends two colours by shares of `one` from 0 to 255.
  init(width: Int, shares: [UInt8], zero: RGBColor, one: RGBColor) {
    let table = (0...255).map { share in
      Self.word(
        Self.blend(zero.red, one.red, share), Self.blend(zero.green, one.green, share),
        Self.blend(zero.blue, one.blue, share))
    }
    self.init(width: width, colors: shares.map { table[Int($0)] })
  }

  /// Takes gray or red, green and blue as they are.
  init(width: Int, samples: [UInt8], parts: Int) {
    guard parts == 3 else {
      self.init(width: width, colors: samples.map { Self.word($0, $0, $0) })
      return
    }
    self.init(
      width: width,
      colors: stride(from: 0, to: samples.count - 2, by: 3).map {
        Self.word(samples[$0], samples[$0 + 1], samples[$0 + 2])
      })
  }

  /// One colour with opacities.
  init(width: Int, color: RGBColor, opacities: [UInt8]) {
    self.init(
      width: width,
      colors: [UInt32](
        repeating: Self.word(color.red, color.green, color.blue), count: opacities.count))
    self.opacities = opacities
  }

  /// Red, green and blue of each pixel.
  var samples: [UInt8] {
    colors.flatMap { word in
      [16, 8, 0].map { UInt8(truncatingIfNeeded: word &>> UInt32($0)) }
    }
  }

  private init(width: Int, colors: [UInt32]) {
    self.width = width
    self.colors = colors
  }

  private static func blend(_ zero: UInt8, _ one: UInt8, _ share: Int) -> UInt8 {
    UInt8(clamping: (Int(zero) * (255 - share) + Int(one) * share + 127) / 255)
  }

  private static func word(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt32 {
    0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }
}
