import PdfThumbCore
import TestSupport
import Testing

@Suite struct EncodingTests {
  /// A picture whose pixels all differ.
  private func pattern(_ format: PixelFormat, width: Int = 13, height: Int = 7) throws -> Picture {
    let size = PixelSize(width: width, height: height)
    var pixels = (0..<format.byteCount(size)).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
    if format == .rgba {
      for alpha in stride(from: 3, to: pixels.count, by: 4) { pixels[alpha] = 255 }
    }
    return try #require(Picture(size: size, format: format, pixels: pixels))
  }

  private func expanded(_ picture: Picture) -> [UInt8] {
    stride(from: 0, to: picture.pixels.count, by: picture.format.bytesPerPixel).flatMap { start in
      switch picture.format {
      case .gray: [UInt8](repeating: picture.pixels[start], count: 3) + [255]
      case .rgb: Array(picture.pixels[start..<start + 3]) + [255]
      case .rgba: Array(picture.pixels[start..<start + 4])
      }
    }
  }

  @Test(arguments: [PixelFormat.gray, .rgb, .rgba], [1, 9])
  func `another reader gets the same pixels out of a PNG`(format: PixelFormat, level: Int) throws {
    let picture = try pattern(format)
    let file = try PNGEncoder(level: level, text: [("Title", "a b")]).encode(picture)
    let read = try #require(PNGDecoder.decode(file))
    #expect(read.size == picture.size)
    #expect(read.pixels == expanded(picture))
    #expect(try PNGEncoder(level: level, text: [("Title", "a b")]).encode(picture) == file)
  }

  @Test func `gray pictures take a third of the bytes, unless alpha is asked for`() throws {
    let size = PixelSize(width: 2, height: 1)
    let picture = try #require(Picture(size: size, format: .rgb, pixels: [9, 9, 9, 200, 200, 200]))
    #expect(try PNGEncoder().encode(picture)[25] == 0)
    #expect(try PNGEncoder(alwaysHasAlpha: true).encode(picture)[25] == 6)
    #expect(
      PNGDecoder.decode(try PNGEncoder(alwaysHasAlpha: true).encode(picture))?.pixels
        == [9, 9, 9, 255, 200, 200, 200, 255])
  }

  @Test func `a damaged PNG is refused`() throws {
    let file = try PNGEncoder().encode(try pattern(.rgb))
    #expect(PNGDecoder.decode(Array(file.prefix(40))) == nil)
    #expect(PNGDecoder.decode([]) == nil)
  }

  @Test(arguments: [PixelFormat.gray, .rgb, .rgba])
  func `JPEG and WebP files begin as theirs do`(format: PixelFormat) throws {
    let picture = try pattern(format, width: 40, height: 30)
    let jpeg = try PictureEncoder(format: .jpeg).encode(picture)
    #expect(jpeg.prefix(3) == [0xFF, 0xD8, 0xFF])
    let webp = try PictureEncoder(format: .webp).encode(picture)
    #expect(webp.prefix(4) == ArraySlice("RIFF".utf8) && webp[8..<12] == ArraySlice("WEBP".utf8))
    #expect(try PictureEncoder(format: .jpeg, quality: 10).encode(picture).count < jpeg.count)
  }

  @Test func `WebP refuses what it has no numbers for`() throws {
    let size = PixelSize(width: 16_384, height: 1)
    let picture = try #require(
      Picture(size: size, format: .gray, pixels: [UInt8](repeating: 0, count: 16_384)))
    do {
      _ = try PictureEncoder(format: .webp).encode(picture)
      Issue.record("a picture too wide for WebP was encoded")
    } catch {
      #expect(error.code == .encodeFailed)
    }
  }

  @Test func `a picture needs as many bytes as its size says`() {
    let size = PixelSize(width: 2, height: 2)
    #expect(Picture(size: size, format: .rgb, pixels: [1, 2, 3]) == nil)
  }
}
