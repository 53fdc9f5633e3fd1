import PdfThumbCore
import TerminalPictures
import Testing

@Suite struct TerminalPainterTests {
  /// A picture of one colour.
  private func picture(
    _ width: Int, _ height: Int, _ color: [UInt8] = [255, 0, 0], format: PixelFormat = .rgb
  ) throws -> Picture {
    let size = PixelSize(width: width, height: height)
    let pixels = Array(repeatElement(color, count: width * height).joined())
    return try #require(Picture(size: size, format: format, pixels: pixels))
  }

  private func painter(
    _ environment: [String: String], columns: Int = 40, hasColor: Bool = true,
    isUnicode: Bool = true
  ) throws -> TerminalPainter {
    try #require(
      TerminalPainter(
        environment: environment, columns: columns, cell: TerminalCell(width: 8, height: 16),
        hasColor: hasColor, isUnicode: isUnicode))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(
    arguments: [
      (["TERM": "xterm-kitty"], .kitty, "\u{1B}_Ga=T,f=32,s=16,v=16,c=2,r=1"),
      (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm2, "\u{1B}]1337;File=inline=1"),
      (["TERM": "mlterm"], .sixel, "\u{1B}P0;1;0q"),
      (["TERM": "xterm-256color"], .symbols, "\u{1B}["),
      (["TERM": "xterm-kitty", "TMUX": "/tmp/tmux,1,0"], .symbols, "\u{1B}["),
      (["TERM": "screen-256color", "KITTY_PID": "7"], .symbols, "\u{1B}["),
      ([:], .symbols, "\u{1B}["),
    ] as [([String: String], TerminalMethod, String)])
  func `each terminal gets what it understands`(
    environment: [String: String], method: TerminalMethod, start: String
  ) throws {
    var painter = try painter(environment)
    #expect(painter.look.method == method)
    let side = method == .symbols ? 6 : 16
    #expect(painter.add(try picture(side, side), caption: "1").isEmpty)
    let shown = text(painter.finish())
    #expect(shown.contains(start), "\(shown.debugDescription)")
    #expect(shown.hasSuffix("\n1\n"))
    #expect(painter.finish().isEmpty)
  }

  @Test(
    arguments: [
      (["TERM": "xterm", "COLORTERM": "truecolor"], true, "48;2;255;0;0"),
      (["TERM": "screen-256color"], true, "8;5;196"), (["TERM": "linux"], true, "\u{1B}["),
      (["TERM": "xterm"], false, "\n"),
    ])
  func `colours are those the terminal has`(
    environment: [String: String], hasColor: Bool, sequence: String
  ) throws {
    var painter = try painter(environment, hasColor: hasColor)
    _ = painter.add(try picture(9, 12, [255, 0, 0]), caption: "")
    let shown = text(painter.finish())
    #expect(shown.contains(sequence), "\(shown.debugDescription)")
    #expect(hasColor == (shown.contains("[3") || shown.contains("[4") || shown.contains(";4")))
  }

  @Test func `a locale of ASCII gets no other letters`() throws {
    var painter = try painter(["TERM": "xterm-256color"], isUnicode: false)
    var pixels: [UInt8] = []
    for index in 0..<60 * 60 { pixels += [UInt8(index % 256), UInt8(index / 256), 90] }
    let size = PixelSize(width: 60, height: 60)
    _ = painter.add(
      try #require(Picture(size: size, format: .rgb, pixels: pixels)), caption: "4")
    #expect(painter.finish().allSatisfy { $0 < 0x80 })
  }

  @Test func `rows hold as many pages as the window has columns for`() throws {
    var painter = try painter(["TERM": "xterm-256color"], columns: 25)
    var shown: [String] = []
    // 30 pixels take 10 columns, and two stand between pages.
    for page in 1...5 {
      let finished = painter.add(try picture(30, 12), caption: "\(page)")
      if !finished.isEmpty { shown.append(text(finished)) }
    }
    shown.append(text(painter.finish()))
    #expect(shown.map { $0.hasSuffix("\n1           2\n") } == [true, false, false])
    #expect(shown[1].hasSuffix("\n3           4\n"))
    #expect(shown[2].hasSuffix("\n5\n"))
    // Two rows of letters, and the captions.
    #expect(shown[0].split(separator: "\n").count == 3)
  }

  @Test func `a page wider than the window is cut`() throws {
    var painter = try painter(["TERM": "xterm-256color"], columns: 10, hasColor: false)
    _ = painter.add(try picture(600, 6), caption: "a caption longer than that")
    let lines = text(painter.finish()).split(separator: "\n")
    #expect(lines.last == "a caption ")
  }

  @Test func `captions cannot play with the terminal`() throws {
    var painter = try painter(["TERM": "dumb"])
    _ = painter.add(try picture(90, 6), caption: "\u{1B}]0;x\u{7}\u{9B}iv\n\u{202E}")
    #expect(text(painter.finish()).hasSuffix("\n]0;xiv\n"))
  }

  @Test(
    arguments: [(PixelFormat.gray, [200]), (.rgba, [200, 200, 200, 255])]
      as [(PixelFormat, [UInt8])])
  func `gray and transparent pictures look like others`(format: PixelFormat, color: [UInt8]) throws
  {
    var (first, second) = (
      try painter(["TERM": "xterm-256color"]), try painter(["TERM": "xterm-256color"])
    )
    _ = first.add(try picture(30, 12, [200, 200, 200]), caption: "1")
    _ = second.add(try picture(30, 12, color, format: format), caption: "1")
    #expect(first.finish() == second.finish())
  }
}
