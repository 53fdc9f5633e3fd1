import ProgressReporting
import SystemIO

/// The whole life of a command-line program, so that its `main.swift` is a few lines.
///
///     await CommandMain.run(FetchCommand.spec) { context in
///       try await FetchCommand(context).run()
///     }
///
/// Reads the command line, answers `-h`, `--help`, `--version` and `--generate`, sets up console and
/// signals, runs the body and ends the process:
///
/// - with the status that the body returns;
/// - with the command's usage status after a ``UsageError``, and a ``CommandFailure``'s own one;
/// - by the signal, after a clean stop, when one asked for it;
/// - by SIGPIPE, without a word, when the reader of standard output went away;
/// - with the command's failure status after any other error, also one that came before the body's turn;
/// - with the command's output status when standard output could not be written (`/dev/full`).
package enum CommandMain {
  /// Runs a command and never returns.
  ///
  /// - Parameters:
  ///   - spec: What the command line may say.
  ///   - redactURL: Takes secrets out of a URL, for a command that is given any; its arguments are then
  ///     written over, as are those of secret options, so that no list of processes shows them.
  ///   - body: The work.
  package static func run(
    _ spec: CommandSpec, redactURL: @escaping (String) -> String = { $0 },
    _ body: (CommandContext) async throws -> ExitStatus
  ) async -> Never {
    StandardDescriptors.ensureOpen()
    // A closed pipe or socket is an error of the write, not the end of the process.
    let ignoresBrokenPipe = Signal.brokenPipe.isIgnored
    Signal.brokenPipe.ignore()
    // So is a file that may not grow further.
    Signal.fileTooLarge.ignore()
    let words = CommandLine.arguments
    let programName = words.first.map(Path.name(of:)) ?? spec.name
    var ending: Ending
    do {
      let request = try spec.parse(
        Array(words.dropFirst()), programName: programName, environment: { Environment[$0] })
      if case .run(let arguments) = request {
        let secrets = SecretArguments(spec, arguments, redactURL: redactURL)
        ShownArguments.replace { secrets.shown($0) }
      }
      ending = await answer(request, spec, body)
    } catch {
      let console = Console(name: spec.name)
      console.error(error.subject, "\(error.message) (see \(spec.name) -h)")
      ending = Ending(console: console, status: spec.usageStatus)
    }
    ending.outputStatus = spec.outputStatus
    ending.ignoresBrokenPipe = ignoresBrokenPipe
    ending.exit()
  }

  private static func answer(
    _ request: CommandRequest, _ spec: CommandSpec,
    _ body: (CommandContext) async throws -> ExitStatus
  ) async -> Ending {
    switch request {
    case .run(let arguments):
      return await run(arguments, spec, body)
    case .help(let spec, let isLong):
      let console = Console(name: spec.name)
      let screen = HelpScreen(spec, width: console.output.columns() ?? 80)
      console.print(ConsoleText(trusted: isLong ? screen.long : screen.short), terminator: "")
      return Ending(console: console, status: .success)
    case .version(let spec):
      let console = Console(name: spec.name)
      let detail = spec.versionDetail.map { "; \($0)" } ?? ""
      console.print("\(spec.name) (Courier) \(spec.version)\(detail)")
      return Ending(console: console, status: .success)
    case .generate(let spec, let document):
      let console = Console(name: spec.name)
      console.print(ConsoleText(trusted: document.text(for: spec)), terminator: "")
      return Ending(console: console, status: .success)
    }
  }

  private static func run(
    _ arguments: ParsedArguments, _ spec: CommandSpec,
    _ body: (CommandContext) async throws -> ExitStatus
  ) async -> Ending {
    let settings = SharedSettings(arguments)
    let console = Console(name: arguments.command, settings: settings)
    let cancellation = WorkCancellation()
    console.outputLost.onCancel { cancellation.cancel() }
    let signals = SignalWatch(cancelling: cancellation, console: console)
    let context = CommandContext(
      arguments: arguments, settings: settings, console: console, cancellation: cancellation,
      signals: signals)
    var ending = Ending(console: console, status: spec.failureStatus)
    do {
      try signals.start()
      ending.status = try await body(context)
    } catch let error as UsageError {
      console.error(error.subject, "\(error.message) (see \(arguments.command) -h)")
      ending.status = spec.usageStatus
    } catch let error as CommandFailure {
      console.error(error.subject, error.message)
      ending.status = error.status
    } catch is CancellationError {
      // Signal or lost output: both are dealt with at the end, where the latter has its own status.
      if console.outputFailure != nil { ending.status = .success }
    } catch {
      console.error("", "\(error)")
    }
    console.redraw([])
    ending.signal = signals.received
    return ending
  }
}

/// How the process ends.
private struct Ending {
  var console: Console
  var status: ExitStatus
  var signal: Signal?
  var outputStatus = ExitStatus.failure
  var ignoresBrokenPipe = false

  init(console: Console, status: ExitStatus) {
    self.console = console
    self.status = status
  }

  func exit() -> Never {
    console.flush()
    if let signal { signal.die() }
    guard let failure = console.outputFailure else { ProcessExit.exit(status.code) }
    if failure.isBrokenPipe {
      // As any filter that knows nothing of SIGPIPE would end; quietly also where it is ignored.
      if !ignoresBrokenPipe { Signal.brokenPipe.die() }
    } else {
      console.error("standard output", "not all of it was written: \(failure.reason)")
    }
    ProcessExit.exit(status.or(outputStatus).code)
  }
}
