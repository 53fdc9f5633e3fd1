package import Dialogue
package import NetworkCore
internal import ProgressReporting

/// All that `fetch` does: downloads, deliveries, plans, and what earlier runs left.
///
/// What happens is told to people in sentences, or to programs in records; who hears it is the front
/// end's business.
package struct FetchJob: Sendable {
  let request: FetchRequest
  let frontEnd: any FrontEnd
  let voice: FetchVoice

  /// Prepares a job; nothing is touched or said yet.
  package init(_ request: FetchRequest, through frontEnd: any FrontEnd) {
    self.request = request
    self.frontEnd = frontEnd
    voice = FetchVoice(frontEnd, isJSON: request.isJSON)
  }

  /// Does it.
  ///
  /// - Returns: The kind of the first failure, in the order of the request; `nil` when all is done. What
  ///   went wrong is told, not thrown.
  /// - Throws: `CancellationError`, or what the front end throws.
  package func run() async throws -> FailureCategory? {
    do {
      switch request.action {
      case .listParts: return try await listParts()
      case .sweep(let age): return try await sweep(olderThan: age)
      case .download, .extract, .plan: return try await withSession(transfer)
      }
    } catch let error as NetworkError {
      voice.failed(error, url: error.url)
      return error.category
    }
  }

  private func withSession(
    _ work: (NetworkSession) async throws -> FailureCategory?
  ) async throws -> FailureCategory? {
    let session = try NetworkSession()
    do {
      let failure = try await work(session)
      await session.close()
      return failure
    } catch {
      await session.close()
      throw error
    }
  }

  private func transfer(_ session: NetworkSession) async throws -> FailureCategory? {
    if case .extract(let directory) = request.action {
      return try await deliver(into: directory, session)
    }
    let items = try await items(session)
    if request.action == .plan { return try await plan(items, session) }
    return try await download(items, session)
  }

  private func download(
    _ items: [DownloadItem], _ session: NetworkSession
  ) async throws -> FailureCategory? {
    let meter = WorkMeter("Downloading", cancellation: frontEnd.cancellation)
    let outcomes = try await frontEnd.withProgress(meter) {
      let watch = voice.watch(meter)
      defer { watch?.cancel() }
      return try await session.downloadAll(
        items, jobs: request.jobs, options: heard(request.options), progress: meter.share()
      ) { index, outcome in
        switch outcome {
        case .success(let report): voice.finished(report)
        case .failure(let error): voice.failed(error, url: items[index].url)
        }
      }
    }
    // Of several failures the first in the order of the list speaks, whichever came first in time.
    return outcomes.lazy.compactMap { outcome -> FailureCategory? in
      if case .failure(let error) = outcome { error.category } else { nil }
    }.first
  }

  /// Options of which the voice hears the events.
  func heard(_ options: DownloadOptions) -> DownloadOptions {
    var options = options
    options.onEvent = { [voice] in voice.tell($0) }
    return options
  }

  /// What the request names, with the checksums that a list of them states.
  private func items(_ session: NetworkSession) async throws -> [DownloadItem] {
    var items = request.urls.map { DownloadItem(url: $0, target: request.target) }
    if let manifest = request.manifest {
      items += try DownloadItem.manifest(
        manifest, directory: request.directory, shard: request.shard)
    }
    guard let list = request.checksumFile else { return items }
    let listed = try await session.checksums(
      listedIn: list, for: items.map(\.url), settings: request.options.transfer)
    for (index, checksums) in listed.enumerated() { items[index].checksums += checksums }
    return items
  }
}
