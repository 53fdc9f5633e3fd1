import CommandLineSupport
import ProgressReporting
import SystemIO

/// What the probe can be asked to do.
struct Probe {
  static let lines = OptionSpec(
    "lines", "l", .integer(0...10_000_000), section: "Doing", summary: "print so many lines")
  static let failure = OptionSpec(
    "fail", nil, .text, metavar: "MESSAGE", section: "Doing",
    summary: "stop with a message and status 7")
  static let wait = OptionSpec(
    "wait", "w", .duration, section: "Doing", summary: "wait until cancelled, at most so long")
  static let stubborn = OptionSpec(
    "stubborn", nil, .duration, section: "Doing", summary: "wait so long, cancelled or not")
  static let echo = OptionSpec(
    "echo", nil, .text, section: "Doing", summary: "print a name from outside",
    isRepeatable: true)
  static let work = OptionSpec(
    "work", nil, .duration, section: "Doing", summary: "count bytes for so long, with progress")
  static let label = OptionSpec(
    "label", nil, .text, section: "Doing", summary: "what the work is called")
  static let parts = OptionSpec(
    "parts", nil, .integer(0...100), section: "Doing", summary: "do the work in parts at once")
  static let total = OptionSpec(
    "total", nil, .integer(0...1_000_000_000, words: ["unknown"]), section: "Doing",
    summary: "bytes of the work (default 10000)")
  static let ask = OptionSpec("ask", nil, section: "Doing", summary: "ask for a name")
  static let askSecret = OptionSpec(
    "ask-secret", nil, section: "Doing", summary: "ask for a password")
  static let key = OptionSpec(
    "key", "k", .text, section: "Doing", summary: "a secret", isRepeatable: true, isSecret: true)
  static let pin = OptionSpec(
    "pin", nil, .integer(0...9999), section: "Doing", summary: "a secret number", isSecret: true)
  static let spec = CommandSpec(
    name: "probe", version: "1.0", summary: "try out the command line support",
    operands: [.init("NAME", .any, summary: "names to report", completion: .file)],
    options: [
      lines, failure, wait, stubborn, echo, work, label, parts, total, ask, askSecret, key,
      pin,
    ],
    outcomes: [.init(.success, "done"), .init(ExitStatus(7), "asked to fail")],
    outputStatus: ExitStatus(9))

  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() async throws -> ExitStatus {
    let (arguments, console) = (context.arguments, context.console)
    for name in arguments.texts(Probe.echo) { console.print("\(name)") }
    for number in 0..<(arguments.integer(Probe.lines) ?? 0) {
      console.print("line \(number)")
      try context.cancellation.check()
    }
    for operand in arguments.operands { console.error(operand, "reported") }
    if let limit = arguments.duration(Probe.wait) { try wait(limit) }
    if let limit = arguments.duration(Probe.stubborn) { try ignoreAll(limit) }
    if arguments.isSet(Probe.ask) {
      let answer = try await context.ask("Name? ")
      console.print("answer: \(answer ?? "none")")
    }
    if arguments.isSet(Probe.askSecret) {
      let answer = try await context.askSecret("Password: ")
      console.print("secret: \(answer.map { String(decoding: $0, as: UTF8.self) } ?? "none")")
    }
    if let time = arguments.duration(Probe.work) { try await work(time) }
    if let message = arguments.text(Probe.failure) {
      throw CommandFailure("it", message, status: ExitStatus(7))
    }
    return .success
  }

  private func wait(_ limit: Duration) throws {
    context.console.print("waiting")
    context.console.flush()
    let end = Environment.monotonicNow + limit
    while Environment.monotonicNow < end {
      if context.cancellation.isCancelled {
        context.console.error("stopping", "cleanly")
        throw CancellationError()
      }
      _ = try Readiness.wait(for: [], timeout: .milliseconds(5))
    }
  }

  private func ignoreAll(_ limit: Duration) throws {
    context.console.note("", "waiting")
    context.cancellation.onCancel { [console = context.console] in console.note("", "not yet") }
    let end = Environment.monotonicNow + limit
    while Environment.monotonicNow < end {
      _ = try Readiness.wait(for: [], timeout: .milliseconds(100))
    }
  }

  /// Counts to the total in so much time, telling about it halfway.
  private func work(_ time: Duration) async throws {
    let arguments = context.arguments
    let total: UInt64? =
      arguments.text(Probe.total) == nil ? UInt64(arguments.integer(Probe.total) ?? 10_000) : nil
    let label = arguments.text(Probe.label) ?? "Counting"
    let root = WorkMeter(label, total: total, cancellation: context.cancellation)
    let meters = (0..<(arguments.integer(Probe.parts) ?? 0)).map { number in
      root.share((total ?? 0) / 2).begin("part \(number)", total: total)
    }
    try await context.withProgress(root) {
      if context.settings.progress == .none { context.console.note("", "working") }
      for step in 0..<100 {
        for meter in meters.isEmpty ? [root] : meters { meter.advance(by: (total ?? 10_000) / 100) }
        if step == 50 { context.console.error("halfway", "still going") }
        try root.checkCancellation()
        try await Task.sleep(for: time / 100)
      }
      root.finish()
    }
    context.console.print("counted")
  }
}
