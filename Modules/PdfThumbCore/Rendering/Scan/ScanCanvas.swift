/// What a page of images is put together on: several times larger than the picture, as when a page is drawn.
struct ScanCanvas {
  /// The size in pixels.
  let size: PixelSize
  /// The rows from the top, `0xAARRGGBB` each with alpha premultiplied.
  private(set) var pixels: [UInt32]

  /// A canvas of one colour.
  init(size: PixelSize, ground: UInt32) {
    self.size = size
    pixels = [UInt32](repeating: ground, count: size.width * size.height)
  }

  /// Lays an image over what is there.
  ///
  /// - Parameters:
  ///   - raster: What is seen of the image.
  ///   - place: Where it goes, within the canvas.
  mutating func lay(_ raster: ScanRaster, at place: ScanPlace) {
    for y in place.rows {
      let v = place.isFlippedDown ? place.rows.upperBound - 1 - y : y - place.rows.lowerBound
      for x in place.columns {
        let u =
          place.isFlippedAcross ? place.columns.upperBound - 1 - x : x - place.columns.lowerBound
        let source = place.isTurned ? u * raster.width + v : v * raster.width + u
        let color = raster.colors[source]
        let target = y * size.width + x
        guard let opacity = raster.opacities?[source], opacity < 255 else {
          pixels[target] = color
          continue
        }
        pixels[target] = Self.over(color, opacity, pixels[target])
      }
    }
  }

  private static func over(_ color: UInt32, _ opacity: UInt8, _ below: UInt32) -> UInt32 {
    let share = UInt32(opacity)
    var result: UInt32 = 0
    var shift: UInt32 = 0
    while shift < 32 {
      let top = (color &>> shift) & 0xFF
      let bottom = (below &>> shift) & 0xFF
      result |= ((top &* share &+ bottom &* (255 &- share) &+ 127) / 255) &<< shift
      shift &+= 8
    }
    return result
  }
}
