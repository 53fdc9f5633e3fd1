import CommandLineSupport
import NetworkCore
import ProgressReporting

/// The command `fetch`.
struct FetchCommand {
  let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() async throws -> ExitStatus {
    if let query = context.arguments.text(FetchCommand.explain) { return try explain(query) }
    let settings = try FetchSettings(context.arguments)
    let session = try NetworkSession()
    let meter = WorkMeter("Downloading", cancellation: context.cancellation)
    return try await context.withProgress(meter) {
      var status = ExitStatus.success
      for url in settings.urls {
        status = status.or(try await bring(url, settings, session, meter.share()))
      }
      meter.finish()
      return status
    }
  }

  private func bring(
    _ url: String, _ settings: FetchSettings, _ session: NetworkSession,
    _ share: consuming WorkShare
  ) async throws -> ExitStatus {
    if let directory = settings.extractDirectory {
      return try await deliver(url, into: directory, settings, session, share)
    }
    return try await fetch(url, settings, session, share)
  }

  private func fetch(
    _ url: String, _ settings: FetchSettings, _ session: NetworkSession,
    _ share: consuming WorkShare
  ) async throws -> ExitStatus {
    let voice = FetchVoice(context, url: url)
    var options = settings.options
    options.onEvent = { voice.tell($0) }
    do {
      let report = try await session.download(
        url, to: settings.target, options: options, progress: share)
      voice.finished(report)
      return .success
    } catch let error as NetworkError {
      voice.failed(error)
      return ExitStatus(UInt8(clamping: error.exitStatus))
    }
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
