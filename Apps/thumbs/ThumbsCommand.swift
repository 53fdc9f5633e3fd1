import CommandLineSupport
import TerminalPictures
import ThumbsJobs

/// The command `thumbs`.
struct ThumbsCommand {
  let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() async throws -> ExitStatus {
    let settings = try ThumbsSettings(context.arguments)
    do {
      return ExitStatus(try await run(settings))
    } catch let failure as RunFailure {
      throw CommandFailure(
        failure.subject, failure.message, status: ExitStatus(failure.outcome))
    }
  }

  private func run(_ settings: ThumbsSettings) async throws -> RunOutcome {
    var request = settings.request
    request.tellsRecords = context.settings.isJSON
    request.password = try settings.password?.read()
    let desktop = DesktopRun(request, front: context)
    switch settings.task {
    case .installing:
      context.console.print("\(try DesktopRun.install())")
      return .complete
    case .desktop:
      try await desktop.thumbnail(of: settings.files[0], to: settings.files[1])
      return .complete
    case .cache:
      return try await desktop.fillCache(
        with: settings.files, program: "courier-thumbs-\(Self.spec.version)")
    case .pages:
      let run = ThumbnailRun(
        request, front: context, painter: settings.isTerminal ? try painter() : nil)
      return try await run.run(settings.files.map { RunDocument($0) })
    }
  }

  private func painter() throws -> TerminalPainter {
    guard
      let painter = TerminalPainter(
        standardOutputHasColor: context.console.outputHasColor,
        isUnicode: CommandContext.hasUnicodeLocale)
    else {
      throw CommandFailure("--terminal", "expected what is known of terminals, found nothing")
    }
    return painter
  }
}
