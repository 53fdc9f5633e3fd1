import CommandLineSupport
import Dialogue
import ProgressReporting
import Synchronization
import SystemIO
import TestSupport
import Testing

/// Streams in memory.
final class Recorder: Sendable {
  private let state = Mutex<(bytes: [UInt8], writes: Int, failure: Int32?, columns: Int)>(
    ([], 0, nil, 80))

  func stream(isTerminal: Bool, canRedraw: Bool = true) -> ConsoleStream {
    ConsoleStream(
      isTerminal: isTerminal, canRedraw: canRedraw,
      columns: { [self] in state.withLock { $0.columns } },
      write: { [self] (bytes) throws(SystemError) in
        let failure = state.withLock { state -> Int32? in
          state.writes += 1
          if state.failure == nil { state.bytes += bytes }
          return state.failure
        }
        if let failure { throw SystemError(errno: failure, call: "write") }
      })
  }

  var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
  var writes: Int { state.withLock { $0.writes } }
  func fail(_ errno: Int32) { state.withLock { $0.failure = errno } }
  func resize(_ columns: Int) { state.withLock { $0.columns = columns } }
}

@Suite struct ConsoleTests {
  private let out = Recorder()
  private let err = Recorder()

  private func console(
    terminal: Bool, quietness: Int = 0, color: SharedSettings.ColorChoice = .never
  ) -> Console {
    Console(
      name: "tool", output: out.stream(isTerminal: terminal),
      errors: err.stream(isTerminal: terminal),
      looks: ConsoleLooks(term: "xterm", noColor: nil, choice: color), quietness: quietness)
  }

  @Test func `says name, subject and message`() {
    let console = console(terminal: false)
    console.error("a.zip", "expected a zip, found nothing")
    console.error("", "no subject")
    console.warning("b", "odd")
    console.note("c", "by the way")
    #expect(
      err.text == """
        tool: a.zip: expected a zip, found nothing
        tool: no subject
        tool: b: warning: odd
        tool: c: by the way

        """)
  }

  @Test func `keeps quiet about all but errors`() {
    let console = console(terminal: false, quietness: 1)
    console.warning("b", "odd")
    console.note("c", "by the way")
    console.error("a", "wrong")
    #expect(err.text == "tool: a: wrong\n")
  }

  @Test func `escapes subjects on a terminal`() {
    console(terminal: true).error("a\u{1B}[2Jb", "x\ny")
    #expect(err.text == "tool: a\\x1B[2Jb: x\\ny\n")
  }

  @Test func `colors the name only`() {
    console(terminal: true, color: .always).error("a", "b")
    #expect(err.text == "\u{1B}[31mtool\u{1B}[0m: a: b\n")
  }

  @Test func `gathers results for a pipe and not for a terminal`() throws {
    let piped = console(terminal: false)
    for _ in 0..<100 { piped.print("line") }
    #expect(out.writes == 0)
    piped.flush()
    #expect(out.writes == 1)
    #expect(out.text.count == 500)
    try piped.write([UInt8](repeating: 0x61, count: 100_000))
    #expect(out.text.count == 100_500)
    let shown = console(terminal: true)
    shown.print("line")
    shown.print("line", terminator: "")
    #expect(out.writes == 4)
  }

  @Test func `shows results before the message that follows them`() {
    let console = console(terminal: false)
    console.print("first")
    console.error("", "second")
    #expect(out.text == "first\n")
  }

  @Test func `writes a JSON line at once unless there is time`() {
    let console = console(terminal: false)
    console.printJSON(["a": 1], isUrgent: false)
    #expect(out.text.isEmpty)
    console.printJSON(["b": 2])
    #expect(out.text == "{\"a\":1}\n{\"b\":2}\n")
  }

  @Test(arguments: [(Int32(32), true), (28, false)])
  func `remembers that its output is lost`(_ errno: Int32, _ isBrokenPipe: Bool) {
    let console = console(terminal: false)
    out.fail(errno)
    console.print("lost")
    #expect(!console.outputLost.isCancelled)
    console.flush()
    #expect(console.outputLost.isCancelled)
    #expect(console.outputFailure?.isBrokenPipe == isBrokenPipe)
    let writes = out.writes
    console.print("more")
    console.flush()
    #expect(out.writes == writes, "nothing is tried again")
    #expect(throws: CancellationError.self) { try console.write([1]) }
  }

  @Test func `goes on when standard error is gone`() {
    let console = console(terminal: false)
    err.fail(32)
    console.error("a", "b")
    console.print("result")
    console.flush()
    #expect(out.text == "result\n")
    #expect(!console.outputLost.isCancelled)
  }

  @Test func `keeps redrawn lines below what is said`() {
    let console = console(terminal: true)
    var screen = ScreenModel(columns: 80)
    console.redraw(["one 10%", "two 20%"])
    console.error("a", "wrong")
    console.redraw(["one 50%"])
    console.warning("b", "odd")
    screen.feed(unprocessed: err.text)
    #expect(screen.lines == ["tool: a: wrong", "tool: b: warning: odd", "one 50%"])
    console.redraw([])
    screen = ScreenModel(columns: 80)
    screen.feed(unprocessed: err.text)
    #expect(screen.lines == ["tool: a: wrong", "tool: b: warning: odd"])
    #expect(screen.unknown.isEmpty)
  }

  @Test func `takes wrapped lines away after the window was made narrower`() {
    let console = console(terminal: true)
    var screen = ScreenModel(columns: 80)
    console.error("", "kept")
    console.redraw([String(repeating: "x", count: 79), String(repeating: "y", count: 79)])
    screen.feed(unprocessed: err.text)
    screen.resize(columns: 30)
    err.resize(30)
    let before = err.text.count
    console.redraw(["z"])
    screen.feed(unprocessed: String(err.text.dropFirst(before)))
    #expect(screen.lines == ["tool: kept", "z"])
  }

  @Test func `does not redraw over a line left open`() {
    let both = Recorder()
    let console = Console(
      name: "tool", output: both.stream(isTerminal: true), errors: both.stream(isTerminal: true),
      looks: ConsoleLooks(term: "xterm", noColor: nil))
    console.redraw(["bar"])
    console.print("open", terminator: "")
    console.redraw(["bar 2"])
    console.print(" closed")
    console.redraw(["bar 3"])
    var screen = ScreenModel(columns: 80)
    screen.feed(unprocessed: both.text)
    #expect(screen.lines == ["open closed", "bar 3"])
  }

  @Test func `hides the lines while it is suspended`() {
    let console = console(terminal: true)
    console.redraw(["bar"])
    console.suspendRedraw()
    console.redraw(["bar 2"])
    console.printError("Name? ", terminator: "")
    var screen = ScreenModel(columns: 80)
    screen.feed(unprocessed: err.text)
    #expect(screen.lines == ["Name?"])
    console.printError("")
    console.resumeRedraw()
    screen = ScreenModel(columns: 80)
    screen.feed(unprocessed: err.text)
    #expect(screen.lines == ["Name?", "bar 2"])
  }

  @Test func `redraws nothing on a pipe or a dumb terminal`() {
    let piped = console(terminal: false)
    piped.redraw(["bar"])
    let dumb = Console(
      name: "tool", output: out.stream(isTerminal: true),
      errors: err.stream(isTerminal: true, canRedraw: false),
      looks: ConsoleLooks(term: "dumb", noColor: nil))
    dumb.redraw(["bar"])
    #expect(err.text.isEmpty)
  }

  @Test(
    arguments: [
      (SharedSettings.ColorChoice.auto, "xterm", nil, true, true),
      (.auto, "xterm", nil, false, false), (.auto, "xterm", "1", true, false),
      (.auto, "xterm", "", true, true), (.auto, "dumb", nil, true, false),
      (.auto, nil, nil, true, false), (.always, "dumb", "1", false, true),
      (.never, "xterm", nil, true, false),
    ] as [(SharedSettings.ColorChoice, String?, String?, Bool, Bool)])
  func `chooses color`(
    _ choice: SharedSettings.ColorChoice, _ term: String?, _ noColor: String?, _ isTerminal: Bool,
    _ hasColor: Bool
  ) {
    let looks = ConsoleLooks(term: term, noColor: noColor, choice: choice)
    #expect(looks.hasColor(isTerminal: isTerminal) == hasColor)
  }

  @Test func `keeps lines whole under eight threads`() throws {
    let console = console(terminal: true)
    let threads = try (0..<8).map { number in
      try OwnedThread(named: "talker") {
        for index in 0..<100 {
          console.error("\(number)", "line \(index)")
          console.redraw(["bar \(number)"])
          console.print("result \(number)")
        }
      }
    }
    for thread in threads { thread.join() }
    console.redraw([])
    var screen = ScreenModel(columns: 80)
    screen.feed(unprocessed: err.text)
    #expect(screen.lines.count == 800)
    #expect(screen.lines.allSatisfy { $0.hasPrefix("tool: ") })
    #expect(out.text.split(separator: "\n").count == 800)
  }
}
