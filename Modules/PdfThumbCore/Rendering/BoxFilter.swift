/// Averages squares of pixels, the last step of drawing larger than asked for.
enum BoxFilter {
  /// Averages each `factor`×`factor` square of `source` into one pixel of `target`.
  ///
  /// - Parameters:
  ///   - source: 32-bit words, blue in the lowest byte, alpha premultiplied.
  ///   - sourceRow: The distance between rows of `source` in bytes.
  ///   - factor: From 1 to 16.
  ///   - size: The size of the target in pixels.
  ///   - format: How the target's pixels stand in memory.
  ///   - blank: The word every pixel of an empty page has.
  ///   - target: Receives the averages.
  /// - Returns: Whether all pixels of the target are the same as `blank`.
  static func reduce(
    _ source: UnsafeRawBufferPointer, sourceRow: Int, factor: Int, size: PixelSize,
    format: PixelFormat, blank: UInt32, into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var differs: UInt32 = 0
    var offset = 0
    let area = UInt32(factor * factor)
    // Rounded division by the area as a multiplication: exact for sums up to 255 · 256.
    let reciprocal = UInt32((1 << 24) / UInt64(area)) + 1
    for y in 0..<size.height {
      let firstRow = y * factor * sourceRow
      for x in 0..<size.width {
        let place = firstRow + x * factor * 4
        let (even, odd) =
          unsafe factor == 4
          ? sumsOfSixteen(source, sourceRow, at: place)
          : sums(source, sourceRow, factor, at: place)
        let half = area / 2
        let blue = average(even & 0xFFFF, half, reciprocal)
        let red = average(even &>> 16, half, reciprocal)
        let green = average(odd & 0xFFFF, half, reciprocal)
        let alpha = average(odd &>> 16, half, reciprocal)
        differs |= (alpha &<< 24 | red &<< 16 | green &<< 8 | blue) ^ blank
        unsafe store(red, green, blue, alpha, format, at: offset, in: target)
        offset &+= format.bytesPerPixel
      }
    }
    return (format == .rgba ? differs : differs & 0x00FF_FFFF) == 0
  }

  /// The sums of a square's blue and red parts, and of its green and alpha parts, two in a word.
  @inline(__always)
  private static func sums(
    _ source: UnsafeRawBufferPointer, _ sourceRow: Int, _ factor: Int, at start: Int
  ) -> (even: UInt32, odd: UInt32) {
    var even: UInt32 = 0
    var odd: UInt32 = 0
    var place = start
    for _ in 0..<factor {
      for column in 0..<factor {
        let word = unsafe source.load(fromByteOffset: place &+ column &* 4, as: UInt32.self)
        even &+= word & 0x00FF_00FF
        odd &+= (word &>> 8) & 0x00FF_00FF
      }
      place &+= sourceRow
    }
    return (even, odd)
  }

  /// The same for the usual square of four by four, a row at a time.
  @inline(__always)
  private static func sumsOfSixteen(
    _ source: UnsafeRawBufferPointer, _ sourceRow: Int, at start: Int
  ) -> (even: UInt32, odd: UInt32) {
    let mask = SIMD4<UInt32>(repeating: 0x00FF_00FF)
    var even = SIMD4<UInt32>()
    var odd = SIMD4<UInt32>()
    for row in 0..<4 {
      let words = unsafe source.loadUnaligned(
        fromByteOffset: start &+ row &* sourceRow, as: SIMD4<UInt32>.self)
      even &+= words & mask
      odd &+= (words &>> 8) & mask
    }
    return (even.wrappedSum(), odd.wrappedSum())
  }

  @inline(__always)
  private static func average(_ sum: UInt32, _ half: UInt32, _ reciprocal: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(sum &+ half) &* UInt64(reciprocal)) &>> 24)
  }

  @inline(__always)
  private static func store(
    _ red: UInt32, _ green: UInt32, _ blue: UInt32, _ alpha: UInt32, _ format: PixelFormat,
    at offset: Int, in target: UnsafeMutableRawBufferPointer
  ) {
    switch format {
    case .rgb:
      unsafe target[offset] = UInt8(truncatingIfNeeded: red)
      unsafe target[offset &+ 1] = UInt8(truncatingIfNeeded: green)
      unsafe target[offset &+ 2] = UInt8(truncatingIfNeeded: blue)
    case .gray:
      unsafe target[offset] = luminance(red, green, blue)
    case .rgba:
      // Cairo's colours are premultiplied; PNG's and WebP's are not.
      let divisor = max(1, alpha)
      unsafe target[offset] = straight(red, alpha, divisor)
      unsafe target[offset &+ 1] = straight(green, alpha, divisor)
      unsafe target[offset &+ 2] = straight(blue, alpha, divisor)
      unsafe target[offset &+ 3] = UInt8(truncatingIfNeeded: alpha)
    }
  }

  @inline(__always)
  private static func straight(_ part: UInt32, _ alpha: UInt32, _ divisor: UInt32) -> UInt8 {
    alpha == 255
      ? UInt8(truncatingIfNeeded: part)
      : UInt8(truncatingIfNeeded: min(255, (part &* 255 &+ divisor / 2) / divisor))
  }

  /// Luminance after ITU-R BT.601, exact for grays.
  @inline(__always)
  static func luminance(_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: (red &* 19595 &+ green &* 38470 &+ blue &* 7471 &+ 32768) &>> 16)
  }
}
