internal import Dialogue
internal import NetworkCore
internal import ProgressReporting
internal import RemoteZip
internal import ZipKitCodecs
internal import ZipKitCore

// Zip archives that are downloaded and unpacked.
extension FetchJob {
  /// Delivers one archive after the other.
  func deliver(
    into directory: String, _ session: NetworkSession
  ) async throws -> FailureCategory? {
    let meter = WorkMeter("Downloading", cancellation: frontEnd.cancellation)
    return try await frontEnd.withProgress(meter) {
      var failure: FailureCategory?
      for url in request.urls {
        let ended = try await deliver(url, into: directory, session, meter.share())
        failure = failure ?? ended
      }
      meter.finish()
      return failure
    }
  }

  /// Downloads a zip archive and unpacks it, with one bar for both.
  private func deliver(
    _ url: String, into directory: String, _ session: NetworkSession, _ share: consuming WorkShare
  ) async throws -> FailureCategory? {
    var options = DeliveryOptions()
    options.download = heard(request.options)
    options.archive.registry = .complete
    options.archive.detector = NameDetection.detector
    options.extraction.existing =
      switch request.options.existing {
      case .fail: .fail
      case .skip: .skip
      case .replace: .replace
      case .rename: .rename
      }
    do {
      let report = try await RemoteZip.deliver(
        url, into: directory, session: session, options: options, progress: share)
      voice.delivered(report, into: directory)
      return report.failureCategory
    } catch let error as NetworkError {
      voice.failed(error, url: url)
      return error.category
    } catch let error as ZipError {
      frontEnd.error(NetworkError.shownURL(url), error.description)
      return error.category
    }
  }
}
