import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite("thumbs --terminal") struct TerminalTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func document(_ pages: Int) throws -> String {
    var builder = PDFBuilder(
      pages: (0..<pages).map { _ in .filled("1 0 0", width: 60, height: 80) })
    builder.labels = "0 << /S /r >>"
    return try folder.write("d.pdf", builder.build())
  }

  /// What a terminal of 70 columns is sent.
  private func show(_ environment: [String], _ options: [String] = []) async throws -> String {
    let program = try RunningProgram(
      "thumbs", ["--terminal", "--progress", "none"] + options + [try document(4)],
      environment: environment + ["LANG=C.UTF-8", "PATH=/usr/bin:/bin"],
      on: .terminal(columns: 70, rows: 24))
    #expect(try await program.finish() == .exited(status: 0), "\(program.outputText)")
    #expect(try FileSystem.names(in: folder.path) == ["d.pdf"])
    return program.outputText
  }

  @Test func `blocks stand in rows of pages that fit, numbers and labels below`() async throws {
    let shown = try await show(["TERM=xterm", "COLORTERM=truecolor"])
    // 60 by 80 pixels are 20 columns and 14 rows: three pages beside each other, and one below.
    let lines = shown.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 * (14 + 1) + 1)
    #expect(lines[14] == "1 i                   2 ii                  3 iii")
    #expect(lines[29] == "4 iv")
    #expect(shown.contains("48;2;255;0;0") || shown.contains("38;2;255;0;0"))
  }

  @Test(
    arguments: [
      (["TERM=xterm-kitty"], "\u{1B}_Ga=T"), (["TERM=mlterm"], "\u{1B}P0;1;0q"),
      (["TERM=xterm-256color", "LC_TERMINAL=iTerm2"], "\u{1B}]1337;File="),
    ])
  func `terminals that know pictures get pictures`(
    environment: [String], start: String
  ) async throws {
    let shown = try await show(environment, ["--height", "200"])
    // 150 pixels are 15 columns of 10 pixels: four pages in a row.
    #expect(shown.ranges(of: start).count == 1, "\(shown.prefix(200).debugDescription)")
    #expect(shown.contains("\r\n1 i              2 ii             3 iii            4 iv\r\n"))
  }

  /// A page with a frame, so that its place counts, and what is written of it as a file.
  @Test(arguments: [
    ["TERM=xterm-kitty"], ["TERM=xterm-256color", "LC_TERMINAL=iTerm2"], ["TERM=mlterm"],
  ])
  func `a terminal shows the pixels that the file has`(environment: [String]) async throws {
    let page = PDFBuilder.Page(
      mediaBox: "[0 0 60 80]", content: "1 0 0 rg 0 0 60 80 re f 0 0 1 rg 12 20 24 32 re f")
    let path = try folder.write("e.pdf", PDFBuilder(pages: [page]).build())
    let written = try await BuiltProgram.run("thumbs", ["-o", folder.path("e.png"), path])
    #expect(written.status == 0, "\(written.errors)")
    let file = try #require(PNGDecoder.decode(try folder.read("e.png")))
    let program = try RunningProgram(
      "thumbs", ["--terminal", "--progress", "none", path],
      environment: environment + ["LANG=C.UTF-8", "PATH=/usr/bin:/bin"])
    #expect(try await program.finish() == .exited(status: 0), "\(program.errorText)")
    let bytes = program.output
    let shown = try #require(
      environment[0] == "TERM=xterm-kitty"
        ? ShownPicture.kitty(bytes)
        : environment.count == 2 ? ShownPicture.iterm2(bytes) : ShownPicture.sixel(bytes))
    #expect(shown.width == 60)
    // Sixels come in rows of six pixels.
    #expect(shown.height == (environment[0] == "TERM=mlterm" ? 84 : 80))
    try #require(file.size == PixelSize(width: 60, height: 80))
    // Sixels have colours in percent; chafa 1.12 spoils the last two bits of some alphas on their way to kitty.
    let tolerance = environment[0] == "TERM=mlterm" ? 3 : 0
    let alphaTolerance = environment[0] == "TERM=xterm-kitty" ? 15 : 0
    for (index, (found, wanted)) in zip(shown.pixels, file.pixels).enumerated() {
      let difference = abs(Int(found) - Int(wanted))
      guard difference > (index % 4 == 3 ? alphaTolerance : tolerance) else { continue }
      Issue.record("byte \(index) is \(found), not \(wanted)")
      return
    }
  }

  @Test func `a pipe gets 80 columns without colours, several documents their names`() async throws
  {
    let path = try document(1)
    let ended = try await BuiltProgram.run(
      "thumbs", ["--terminal", "--height", "12", path, path], environment: ["TERM=xterm"])
    #expect(ended.status == 0, "\(ended.errors)")
    let lines = ended.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.filter { $0 == path }.count == 2)
    #expect(lines.filter { $0 == "1 i" }.count == 2)
    #expect(!ended.output.contains("\u{1B}[3"))
  }
}
