import SystemIO
import TestSupport
import Testing

/// What a real process does, seen through pipes and signals.
@Suite(.timeLimit(.minutes(2))) struct ProcessTests {
  @Test func `prints results and says errors`() async throws {
    let program = try RunningProgram(
      "CommandProbe", ["-l", "2", "--fail", "expected b, found c", "x"])
    #expect(try await program.finish() == .exited(status: 7))
    #expect(program.outputText == "line 0\nline 1\n")
    #expect(program.errorText == "probe: x: reported\nprobe: it: expected b, found c\n")
  }

  @Test func `ends with 2 after a line it does not understand`() async throws {
    let program = try RunningProgram("CommandProbe", ["--linse", "2"])
    #expect(try await program.finish() == .exited(status: 2))
    #expect(program.output.isEmpty)
    #expect(
      program.errorText
        == "probe: --linse: there is no such option, the nearest is --lines (see probe -h)\n")
  }

  @Test func `shows no secret to those who list processes`() async throws {
    // One ends with another.
    let secrets = ["s3cret", "more-s3cret", "öpen"]
    let program = try RunningProgram(
      "CommandProbe",
      [
        "--key", secrets[0], "-k\(secrets[1])", "--key=\(secrets[2])", "-w", "1m", "plain",
      ])
    try await program.waitFor("waiting")
    let bytes = try FileDescriptor.open("/proc/\(program.id)/cmdline").readToEnd(limit: 1 << 16)
    let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    #expect(
      words.dropFirst() == [
        "--key", "******", "-k***********", "--key=*****", "-w", "1m", "plain",
      ])
    try program.send(.interrupt)
    try await program.finish()
  }

  @Test func `shows no secret that it does not understand`() async throws {
    let program = try RunningProgram("CommandProbe", ["--pin", "s3cret"])
    #expect(try await program.finish() == .exited(status: 2))
    #expect(program.errorText.contains("--pin"))
    #expect(!program.errorText.contains("s3cret"))
  }

  @Test(arguments: [
    (["-h"], "Usage: probe"), (["--help"], "Exit status:"),
    (["--version"], "probe (Courier) 1.0\n"),
    (["--generate", "man"], ".TH"), (["--generate", "zsh"], "#compdef probe"),
  ])
  func `answers on standard output`(_ arguments: [String], _ text: String) async throws {
    let program = try RunningProgram("CommandProbe", arguments)
    #expect(try await program.finish() == .exited(status: 0))
    #expect(program.outputText.contains(text))
    #expect(program.errors.isEmpty)
  }

  @Test func `writes names raw and without escape codes on a pipe`() async throws {
    let program = try RunningProgram(
      "CommandProbe", ["--echo", "a\u{1B}[31m\u{202E}", "--work", "600ms", "b\u{1B}"])
    #expect(try await program.finish() == .exited(status: 0))
    #expect(program.outputText == "a\u{1B}[31m\u{202E}\ncounted\n")
    #expect(program.errorText == "probe: b\u{1B}: reported\nprobe: halfway: still going\n")
  }

  @Test func `dies quietly of SIGPIPE when nobody reads`() async throws {
    let program = try RunningProgram("CommandProbe", ["-l", "1000000"], on: .noReader)
    #expect(try await program.finish() == .signalled(Signal.brokenPipe.number))
    #expect(program.errors.isEmpty)
  }

  @Test func `ends quietly where SIGPIPE is ignored`() async throws {
    let path = BuiltProgram.path("CommandProbe")
    let program = try RunningProgram(
      "/bin/sh", ["-c", "trap '' PIPE; exec '\(path)' -l 1000000"], on: .noReader)
    #expect(try await program.finish() == .exited(status: 9))
    #expect(program.errors.isEmpty)
  }

  @Test(arguments: [["-l", "1"], ["-l", "1000000"], ["--help"], ["--generate", "man"]])
  func `says that the disk is full`(_ arguments: [String]) async throws {
    let program = try RunningProgram("CommandProbe", arguments, on: .output("/dev/full"))
    #expect(try await program.finish() == .exited(status: 9))
    #expect(program.errorText.hasPrefix("probe: standard output: not all of it was written: "))
    #expect(program.errorText.split(separator: "\n").count == 1)
  }

  @Test func `notices that standard output is closed`() async throws {
    let path = BuiltProgram.path("CommandProbe")
    let program = try RunningProgram("/bin/sh", ["-c", "exec '\(path)' -l 1 >&-"])
    #expect(try await program.finish() == .exited(status: 9))
    #expect(program.errorText.contains("standard output"))
  }

  @Test(arguments: [Signal.interrupt, .terminate, .hangUp])
  func `stops cleanly, then dies by the signal`(_ signal: Signal) async throws {
    let program = try RunningProgram("CommandProbe", ["--wait", "60s"])
    try await program.waitFor("waiting")
    try program.send(signal)
    #expect(try await program.finish() == .signalled(signal.number))
    #expect(program.errorText == "probe: stopping: cleanly\n")
  }

  @Test(arguments: [(Signal.interrupt, Signal.interrupt), (.interrupt, .terminate)])
  func `dies at once by the second signal`(_ first: Signal, _ second: Signal) async throws {
    let program = try RunningProgram("CommandProbe", ["--stubborn", "60s"])
    try await program.waitFor("waiting")
    try program.send(first)
    try await program.waitFor("not yet")
    try program.send(second)
    #expect(try await program.finish() == .signalled(second.number))
  }

  @Test func `leaves a signal ignored that the parent ignores`() async throws {
    let path = BuiltProgram.path("CommandProbe")
    let program = try RunningProgram(
      "/bin/sh", ["-c", "trap '' HUP; exec '\(path)' --wait 60s"])
    try await program.waitFor("waiting")
    try program.send(.hangUp)
    try program.send(.user1)
    try program.send(.terminate)
    #expect(try await program.finish() == .signalled(Signal.terminate.number))
  }

  @Test func `does not wait for a reader that does not read`() async throws {
    let program = try RunningProgram("CommandProbe", ["-l", "1000000"], on: .lazyReader)
    try await program.waitFor(state: "S")
    try program.send(.terminate)
    #expect(try await program.finish() == .signalled(Signal.terminate.number))
  }

  @Test func `tells its state when SIGUSR1 asks`() async throws {
    let program = try RunningProgram("CommandProbe", ["--work", "60s", "--progress", "none"])
    try await program.waitFor("working")
    try program.send(.user1)
    try await program.waitFor("Counting: ")
    try program.send(.interrupt)
    #expect(try await program.finish() == .signalled(Signal.interrupt.number))
  }

  @Test func `writes progress as lines or objects`() async throws {
    let began = ContinuousClock.now
    let plain = try RunningProgram("CommandProbe", ["--work", "2500ms", "--progress", "plain"])
    #expect(try await plain.finish() == .exited(status: 0))
    let seconds = Int(began.duration(to: .now) / .seconds(1))
    let lines = plain.errorText.split(separator: "\n").filter { $0.contains("Counting: ") }
    // A line a second, however many seconds a busy machine makes of it.
    #expect((1...max(1, seconds)).contains(lines.count), "\(plain.errorText)")
    #expect(!plain.errorText.contains("\u{1B}"))
    let json = try RunningProgram("CommandProbe", ["--work", "1s", "--progress", "json"])
    #expect(try await json.finish() == .exited(status: 0))
    let objects = json.errorText.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(objects.count >= 2)
    #expect(objects.last?.contains(#""fraction":1.0"#) == true, "\(json.errorText)")
  }

  @Test func `asks on standard error and reads one line`() async throws {
    let program = try RunningProgram("CommandProbe", ["--ask"])
    try await program.waitFor("Name? ")
    try program.type("Ann\nBert\n")
    #expect(try await program.finish() == .exited(status: 0))
    #expect(program.outputText == "answer: Ann\n")
    #expect(program.errorText == "Name? ")
  }

  @Test func `stops while it asks`() async throws {
    let program = try RunningProgram("CommandProbe", ["--ask"])
    try await program.waitFor("Name? ")
    try program.send(.interrupt)
    #expect(try await program.finish() == .signalled(Signal.interrupt.number))
  }
}
