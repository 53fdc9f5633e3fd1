internal import Dialogue
internal import NetworkCore
internal import ProgressReporting

// What looks at downloads and starts none.
extension FetchJob {
  /// Says what would be done.
  func plan(_ items: [DownloadItem], _ session: NetworkSession) async throws -> FailureCategory? {
    var failure: FailureCategory?
    for item in items {
      try frontEnd.cancellation.check()
      do {
        voice.planned(try await session.plan(item, options: request.options))
      } catch let error as NetworkError {
        voice.failed(error, url: item.url)
        failure = failure ?? error.category
      }
    }
    return failure
  }

  /// Lists what interrupted downloads left.
  func listParts() async throws -> FailureCategory? {
    for part in try await PartialDownload.list(in: request.directory) {
      voice.found(part, "part")
    }
    return nil
  }

  /// Removes what interrupted downloads left.
  func sweep(olderThan age: Duration) async throws -> FailureCategory? {
    var failure: FailureCategory?
    for part in try await PartialDownload.list(in: request.directory)
    where part.age >= age && !part.isInUse {
      do {
        try await part.remove()
        voice.found(part, "swept")
      } catch let error as NetworkError {
        voice.failed(error, url: part.url)
        failure = failure ?? error.category
      }
    }
    return failure
  }
}
