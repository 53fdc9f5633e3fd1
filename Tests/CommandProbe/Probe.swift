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
  static let echo = OptionSpec(
    "echo", nil, .text, section: "Doing", summary: "print a name from outside",
    isRepeatable: true)
  static let spec = CommandSpec(
    name: "probe", version: "1.0", summary: "try out the command line support",
    operands: [.init("NAME", .any, summary: "names to report", completion: .file)],
    options: [lines, failure, wait, echo],
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
      if context.cancellation.isCancelled { context.console.error("stopping", "cleanly") }
      try context.cancellation.check()
      Pause.sleep(.milliseconds(5))
    }
  }
}
