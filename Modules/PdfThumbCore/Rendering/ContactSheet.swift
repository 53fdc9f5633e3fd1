/// Pictures of pages put together into one: a sheet of rows, or a strip of one row.
public struct ContactSheet: Sendable {
  /// The place of one picture on the sheet.
  public struct Place: Sendable, Hashable {
    /// The distance from the left in pixels.
    public var x: Int
    /// The distance from the top in pixels.
    public var y: Int
    /// The size of the picture in pixels.
    public var size: PixelSize
  }

  /// The number of pictures in a row.
  public var columns: Int
  /// The distance between pictures, in pixels.
  public var spacing: Int
  /// The distance from the sheet's edges to the pictures, in pixels.
  public var margin: Int
  /// The colour between the pictures.
  public var ground: RGBColor

  /// Creates a sheet's measures.
  ///
  /// - Parameters:
  ///   - columns: The number of pictures in a row; `nil` chooses one that makes the sheet about as wide as high.
  ///   - count: The number of pictures.
  ///   - spacing: The distance between pictures, 10 pixels by default.
  ///   - margin: The distance from the edges, 10 pixels by default.
  ///   - ground: The colour between the pictures, a light gray by default, so that white pages are seen.
  public init(
    columns: Int?, count: Int, spacing: Int = 10, margin: Int = 10,
    ground: RGBColor = RGBColor(red: 224, green: 224, blue: 224)
  ) {
    // Pages are mostly higher than wide, by the root of two.
    let square = Int((Double(max(count, 1)) * 1.4).squareRoot().rounded(.up))
    self.columns = max(1, min(columns ?? square, max(count, 1)))
    self.spacing = max(0, spacing)
    self.margin = max(0, margin)
    self.ground = ground
  }

  /// Where pictures of these sizes stand.
  ///
  /// Columns are as wide as their widest picture and rows as high as their highest; pictures stand in the middle.
  ///
  /// - Parameter sizes: The pictures' sizes in pixels, in order.
  /// - Returns: A place for each, and the size of the whole sheet.
  public func places(of sizes: [PixelSize]) -> (places: [Place], sheet: PixelSize) {
    var widths = [Int](repeating: 0, count: columns)
    var heights = [Int](repeating: 0, count: (sizes.count + columns - 1) / columns)
    for (index, size) in sizes.enumerated() {
      widths[index % columns] = max(widths[index % columns], size.width)
      heights[index / columns] = max(heights[index / columns], size.height)
    }
    let lefts = starts(of: widths)
    let tops = starts(of: heights)
    let places = sizes.enumerated().map { index, size in
      let (column, row) = (index % columns, index / columns)
      return Place(
        x: lefts.starts[column] + (widths[column] - size.width) / 2,
        y: tops.starts[row] + (heights[row] - size.height) / 2, size: size)
    }
    return (places, PixelSize(width: lefts.end, height: tops.end))
  }

  /// Puts pictures on one sheet.
  ///
  /// - Parameter pictures: The pictures, in order; transparent parts show the ground.
  /// - Returns: The sheet, and where each picture stands on it.
  /// - Throws: ``PDFError/Code/pageTooLarge`` for a sheet of more than 256 million pixels.
  public func compose(_ pictures: [Picture]) throws(PDFError) -> (sheet: Picture, places: [Place]) {
    let (places, size) = places(of: pictures.map(\.size))
    let limit: UInt64 = 256_000_000
    guard size.pixelCount <= limit else {
      throw .pageTooLarge(nil, pixels: size.pixelCount, limit: limit)
    }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(PixelFormat.rgb.byteCount(size))
    for _ in 0..<size.width * size.height { pixels += [ground.red, ground.green, ground.blue] }
    for (picture, place) in zip(pictures, places) {
      Self.copy(picture, to: place, in: &pixels, width: size.width)
    }
    guard let sheet = Picture(size: size, format: .rgb, pixels: pixels) else {
      throw .encodeFailed("sheet", cause: "its size does not fit its pixels")
    }
    return (sheet, places)
  }

  private func starts(of lengths: [Int]) -> (starts: [Int], end: Int) {
    var starts: [Int] = []
    var position = margin
    for length in lengths {
      starts.append(position)
      position += length + spacing
    }
    return (starts, position - (lengths.isEmpty ? 0 : spacing) + margin)
  }

  private static func copy(
    _ picture: Picture, to place: Place, in pixels: inout [UInt8], width: Int
  ) {
    let step = picture.format.bytesPerPixel
    for y in 0..<place.size.height {
      var source = y * place.size.width * step
      var target = ((place.y + y) * width + place.x) * 3
      for _ in 0..<place.size.width {
        for part in 0..<3 {
          let value = UInt32(picture.pixels[source + (step == 1 ? 0 : part)])
          if step == 4 {
            let alpha = UInt32(picture.pixels[source + 3])
            let under = UInt32(pixels[target + part])
            pixels[target + part] = UInt8((value * alpha + under * (255 - alpha) + 127) / 255)
          } else {
            pixels[target + part] = UInt8(value)
          }
        }
        source += step
        target += 3
      }
    }
  }
}
