import PdfThumbCore
import TerminalPictures
import TestSupport
import Testing

/// What terminals are sent, put together again.
@Suite struct `Pixels that a terminal is sent` {
  /// Every pixel differs from its neighbours.
  private func gradient(_ width: Int, _ height: Int, blue: UInt8) -> [[UInt8]] {
    (0..<width * height).map { index -> [UInt8] in
      let (x, y) = (index % width, index / width)
      return [UInt8(x * 5 % 256), UInt8(y * 3 % 256), blue, 255]
    }
  }

  private func picture(_ width: Int, _ height: Int, _ pixels: [[UInt8]]) throws -> Picture {
    try #require(
      Picture(
        size: PixelSize(width: width, height: height), format: .rgb,
        pixels: pixels.flatMap { $0.prefix(3) }))
  }

  /// Two pictures of 23 by 41 and 17 by 30 pixels in cells of 8 by 16: three columns, a gap of two, three columns.
  private func shown(
    _ environment: [String: String], _ first: [[UInt8]], _ second: [[UInt8]]
  ) throws -> [UInt8] {
    var painter = try #require(
      TerminalPainter(
        environment: environment, columns: 40, cell: TerminalCell(width: 8, height: 16),
        hasColor: true, isUnicode: true))
    #expect(painter.add(try picture(23, 41, first), caption: "1").isEmpty)
    #expect(painter.add(try picture(17, 30, second), caption: "2").isEmpty)
    return painter.finish()
  }

  /// What stands at a place of the row; nothing where there is no picture.
  private func expected(_ x: Int, _ y: Int, _ first: [[UInt8]], _ second: [[UInt8]]) -> [UInt8]? {
    if x < 23, y < 41 { return first[y * 23 + x] }
    if (40..<57).contains(x), y < 30 { return second[y * 17 + x - 40] }
    return nil
  }

  @Test(arguments: [
    ["TERM": "xterm-kitty"], ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"],
  ])
  func `kitty and iTerm2 get every pixel as it is`(environment: [String: String]) throws {
    let (first, second) = (gradient(23, 41, blue: 7), gradient(17, 30, blue: 200))
    let bytes = try shown(environment, first, second)
    let isKitty = environment["TERM"] == "xterm-kitty"
    let row = try #require(isKitty ? ShownPicture.kitty(bytes) : .iterm2(bytes))
    #expect(row.width == 64)
    #expect(row.height == 48)
    var wrong = 0
    for y in 0..<row.height {
      for x in 0..<row.width {
        let pixel = row.pixel(x, y)
        if let wanted = expected(x, y, first, second) {
          wrong += pixel == wanted ? 0 : 1
        } else {
          wrong += pixel[3] == 0 ? 0 : 1
        }
      }
    }
    #expect(wrong == 0)
  }

  @Test func `sixels show flat colours to a percent, and gradients nearly`() throws {
    let colors: [[UInt8]] = [
      [255, 255, 255, 255], [0, 0, 0, 255], [255, 0, 0, 255], [0, 128, 255, 255],
    ]
    let flat = (0..<23 * 41).map { index -> [UInt8] in
      let (x, y) = (index % 23, index / 23)
      return colors[(x / 6 + y / 10) % 4]
    }
    let red = [[UInt8]](repeating: colors[2], count: 17 * 30)
    let cases: [(first: [[UInt8]], second: [[UInt8]], greatest: Int, mean: Double)] = [
      (flat, red, 3, 2), (gradient(23, 41, blue: 7), gradient(17, 30, blue: 200), 40, 6),
    ]
    for (first, second, greatest, mean) in cases {
      let row = try #require(ShownPicture.sixel(try shown(["TERM": "mlterm"], first, second)))
      #expect(row.width == 64)
      // Seven rows of six pixels.
      #expect(row.height == 42)
      var (sum, count, most) = (0, 0, 0)
      for y in 0..<row.height {
        for x in 0..<row.width {
          guard let wanted = expected(x, y, first, second) else {
            #expect(row.pixel(x, y)[3] == 0)
            continue
          }
          let differences = zip(row.pixel(x, y), wanted).map { abs(Int($0) - Int($1)) }
          sum += differences.reduce(0, +)
          count += 3
          most = max(most, differences.max() ?? 0)
        }
      }
      #expect(most <= greatest)
      #expect(Double(sum) <= mean * Double(count))
    }
  }

  @Test func `what is read back is what was written`() throws {
    // One red and one half transparent pixel, and two sixels of six rows, by hand.
    let kitty = Array(
      "x\u{1B}_Ga=T,f=32,s=2,v=1,m=1\u{1B}\\\u{1B}_Gm=0;/wAA/wD/AIA=\u{1B}\\".utf8)
    #expect(
      ShownPicture.kitty(kitty)
        == ShownPicture(width: 2, height: 1, pixels: [255, 0, 0, 255, 0, 255, 0, 128]))
    let sixel = Array("\u{1B}P0;1;0q\"1;1;2;2#0;2;100;0;0#1;2;0;0;100#0@#1A\u{1B}\\".utf8)
    #expect(
      ShownPicture.sixel(sixel)
        == ShownPicture(
          width: 2, height: 2,
          pixels: [255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]))
    #expect(ShownPicture.kitty(Array("\u{1B}_Gf=32,s=2,v=1;/wAA\u{1B}\\".utf8)) == nil)
    #expect(ShownPicture.sixel(Array("\u{1B}Pq\"1;1;1;1#0@\u{1B}\\".utf8)) == nil)
  }
}
