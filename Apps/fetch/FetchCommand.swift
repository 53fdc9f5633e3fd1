import CommandLineSupport
import FetchJobs
import NetworkCore

/// `fetch`: what its command line asks for, done on this terminal.
struct FetchCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() async throws -> ExitStatus {
    if let query = context.arguments.text(FetchCommand.explain) { return try explain(query) }
    var request = try FetchRequest(context.arguments)
    request.isJSON = context.settings.isJSON
    let failure = try await FetchJob(request, through: context).run()
    return ExitStatus(UInt8(clamping: failure?.exitStatus ?? 0))
  }

  private func explain(_ query: String) throws -> ExitStatus {
    guard let text = NetworkErrorTable.explain(query) else {
      throw UsageError.badValue(
        query, of: FetchCommand.explain,
        expected: "an error number or name, such as -1003 or CURLE_PARTIAL_FILE")
    }
    context.console.print(ConsoleText(trusted: text))
    return .success
  }
}
