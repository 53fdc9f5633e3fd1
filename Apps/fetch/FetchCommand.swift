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
    do {
      if let status = try await tidy(settings) { return status }
      return try await download(settings)
    } catch let error as NetworkError {
      FetchVoice(context).failed(error, url: error.url)
      return ExitStatus(UInt8(clamping: error.exitStatus))
    }
  }

  private func download(_ settings: FetchSettings) async throws -> ExitStatus {
    let session = try NetworkSession()
    do {
      let status = try await download(settings, session)
      await session.close()
      return status
    } catch {
      await session.close()
      throw error
    }
  }

  private func download(
    _ settings: FetchSettings, _ session: NetworkSession
  ) async throws -> ExitStatus {
    if let directory = settings.extractDirectory {
      return try await deliverAll(settings, into: directory, session)
    }
    let items = try await items(settings, session)
    if settings.isDryRun { return try await plan(items, settings, session) }
    let voice = FetchVoice(context)
    var options = settings.options
    options.onEvent = { voice.tell($0) }
    let meter = WorkMeter("Downloading", cancellation: context.cancellation)
    let outcomes = try await context.withProgress(meter) {
      let watch = voice.watch(meter)
      defer { watch?.cancel() }
      return try await session.downloadAll(
        items, jobs: settings.jobs, options: options, progress: meter.share()
      ) { index, outcome in
        switch outcome {
        case .success(let report): voice.finished(report)
        case .failure(let error): voice.failed(error, url: items[index].url)
        }
      }
    }
    // Of several failures the first in the order of the list speaks, whichever came first in time.
    return outcomes.reduce(.success) { status, outcome in
      guard case .failure(let error) = outcome else { return status }
      return status.or(ExitStatus(UInt8(clamping: error.exitStatus)))
    }
  }

  /// What the command line names, with the checksums that a list of them states.
  private func items(
    _ settings: FetchSettings, _ session: NetworkSession
  ) async throws -> [DownloadItem] {
    var items = settings.urls.map { DownloadItem(url: $0, target: settings.target) }
    if let manifest = settings.manifest {
      items += try DownloadItem.manifest(
        manifest, directory: settings.directory, shard: settings.shard)
    }
    guard let list = settings.checksumFile else { return items }
    let listed = try await session.checksums(
      listedIn: list, for: items.map(\.url), settings: settings.transfer)
    for (index, checksums) in listed.enumerated() { items[index].checksums += checksums }
    return items
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
