import SystemIO
import TestSupport
import Testing

/// What a person sees on a real pseudo-terminal.
@Suite(.timeLimit(.minutes(2))) struct TerminalTests {
  /// The screen after all that a program wrote.
  private func screen(_ program: RunningProgram, columns: Int) -> ScreenModel {
    var screen = ScreenModel(columns: columns)
    screen.feed(program.outputText)
    return screen
  }

  /// What was drawn between two erasures, without what was said.
  private func drawn(_ frame: Substring) -> String {
    String(frame).replacing("probe: halfway: still going\r\n", with: "")
      .replacing("counted\r\n", with: "")
  }

  /// Ends a program once it has drawn a text; until then it works on, however slow the machine is.
  private func interrupt(_ program: RunningProgram, after text: String) async throws {
    try await program.waitFor(text)
    try program.send(.interrupt)
    #expect(try await program.finish() == .signalled(Signal.interrupt.number))
  }

  @Test(arguments: [UInt16(200), 80, 40, 20, 9, 4, 1])
  func `redraws one row and takes it away`(_ columns: UInt16) async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--work", "1s", "--label", "Downloading 日本語のファイル.zip"],
      environment: ["TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1"],
      on: .terminal(columns: columns, rows: 24))
    #expect(try await program.finish() == .exited(status: 0))
    var wide = ScreenModel(columns: 1000)
    wide.feed(program.outputText)
    #expect(wide.lines == ["probe: halfway: still going", "counted"])
    #expect(wide.unknown.isEmpty)
    // No frame wraps, except where even one wide character does not fit.
    if columns >= 4 {
      for frame in program.outputText.split(separator: "\u{1B}[J") {
        var screen = ScreenModel(columns: Int(columns))
        screen.feed(drawn(frame))
        #expect(screen.lines.count <= 1, "\(screen.lines)")
      }
    }
  }

  @Test func `shows parts at work in rows of their own`() async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--work", "60s", "--parts", "3"], on: .terminal(columns: 80, rows: 24))
    try await interrupt(program, after: "part 2")
    #expect(screen(program, columns: 80).lines.isEmpty)
  }

  @Test func `follows the window`() async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--work", "60s", "--label", "Downloading something"],
      environment: ["TERM=xterm", "LANG=C.UTF-8", "NO_COLOR=1"],
      on: .terminal(columns: 100, rows: 24))
    /// The widths of all frames that are whole.
    func widths() -> [Int] {
      program.outputText.split(separator: "\u{1B}[J").dropLast().map { frame in
        var screen = ScreenModel(columns: 1000)
        screen.feed(drawn(frame))
        return screen.lines.first?.count ?? 0
      }
    }
    #expect(try await eventually { widths().contains { $0 > 60 } })
    try program.resize(columns: 30, rows: 24)
    try program.send(.windowChange)
    #expect(try await eventually { widths().suffix(5).allSatisfy { 10..<30 ~= $0 } }, "\(widths())")
    try program.send(.interrupt)
    try await program.finish()
  }

  @Test(arguments: ["unknown", "0"])
  func `shows work without a total and with nothing to do`(_ total: String) async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--work", "60s", "--total", total], on: .terminal(columns: 80, rows: 24))
    try await interrupt(program, after: total == "0" ? "  0%" : "███")
    #expect(program.outputText.contains("%") == (total == "0"))
    #expect(screen(program, columns: 80).lines.isEmpty)
  }

  @Test(arguments: [
    (["NO_COLOR=1", "TERM=xterm", "LANG=C.UTF-8"], false, true),
    (["TERM=xterm", "LANG=C.UTF-8"], true, true), (["TERM=xterm", "LANG=C"], true, true),
    (["TERM=dumb", "LANG=C.UTF-8"], false, false), (["LANG=C.UTF-8"], false, false),
  ])
  func `minds NO_COLOR, TERM and the locale`(
    _ environment: [String], _ hasColor: Bool, _ redraws: Bool
  ) async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--work", "60s"], environment: environment,
      on: .terminal(columns: 80, rows: 24))
    let filled = environment.contains("LANG=C") ? "[#" : "█"
    try await interrupt(program, after: redraws ? filled : "%")
    let text = program.outputText
    #expect(text.contains("\u{1B}[36m") == hasColor)
    #expect(text.contains("\u{1B}[J") == redraws)
    #expect(text.contains("\u{1B}") == redraws)
    #expect(text.contains("█") == (redraws && environment.contains("LANG=C.UTF-8")))
    #expect(text.contains("[#") == environment.contains("LANG=C"))
  }

  @Test(arguments: [["-q"], ["--progress", "none"]])
  func `shows nothing when asked for nothing`(_ arguments: [String]) async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--work", "800ms"] + arguments, on: .terminal(columns: 80, rows: 24))
    #expect(try await program.finish() == .exited(status: 0))
    #expect(!program.outputText.contains("\u{1B}[J"))
    #expect(!program.outputText.contains("%"))
  }

  @Test func `draws on standard error and keeps standard output clean`() async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--lines", "1", "--work", "60s"],
      on: .errorsOnTerminal(columns: 60, rows: 24))
    try await interrupt(program, after: "%")
    #expect(program.outputText == "line 0\n")
    #expect(program.errorText.contains("%"))
  }

  @Test func `escapes names from outside`() async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--echo", "a\u{1B}[31m\u{202E}", "b\u{7}"],
      on: .terminal(columns: 80, rows: 24))
    #expect(try await program.finish() == .exited(status: 0))
    #expect(
      screen(program, columns: 80).lines == ["a\\x1B[31m\\u{202E}", "probe: b\\x07: reported"])
  }

  @Test func `clears the row when it is interrupted`() async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--work", "60s"], on: .terminal(columns: 80, rows: 24))
    try await interrupt(program, after: "█")
    #expect(screen(program, columns: 80).lines.isEmpty)
  }

  @Test func `takes the row away while it is stopped`() async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--work", "60s"], on: .terminal(columns: 80, rows: 24))
    try await program.waitFor("█")
    if try await program.stop() {
      #expect(try await eventually { screen(program, columns: 80).lines.isEmpty })
    }
    try program.send(.resume)
    #expect(try await eventually { screen(program, columns: 80).lines.count == 1 })
    try program.send(.interrupt)
    #expect(try await program.finish() == .signalled(Signal.interrupt.number))
    #expect(screen(program, columns: 80).lines.isEmpty)
  }

  @Test func `does not show a password`() async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--ask-secret"], on: .terminal(columns: 80, rows: 24))
    try await program.waitFor("Password: ")
    try program.type("hush\n")
    #expect(try await program.finish() == .exited(status: 0))
    #expect(program.outputText == "Password: \r\nsecret: hush\r\n")
  }
}
