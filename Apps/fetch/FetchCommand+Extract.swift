import CommandLineSupport
import NetworkCore
import ProgressReporting
import RemoteZip
import ZipKitCodecs
import ZipKitCore

extension FetchCommand {
  static let extract = OptionSpec(
    "extract", nil, .text, metavar: "DIR", section: "Where",
    summary: "unpack the zip behind the URL into DIR",
    details: """
      The archive is downloaded to DIR/.courier-delivery.zip.part, checked, unpacked and removed. \
      --existing then says what happens to files that are in DIR already. After a network failure \
      the part stays, and the same command goes on with it.
      """, completion: .directory)

  /// Downloads zip archives and unpacks them, one after the other.
  func deliverAll(
    _ settings: FetchSettings, into directory: String, _ session: NetworkSession
  ) async throws -> ExitStatus {
    let meter = WorkMeter("Downloading", cancellation: context.cancellation)
    return try await context.withProgress(meter) {
      var status = ExitStatus.success
      for url in settings.urls {
        status = status.or(
          try await deliver(url, into: directory, settings, session, meter.share()))
      }
      meter.finish()
      return status
    }
  }

  /// Downloads a zip archive and unpacks it, with one bar for both.
  func deliver(
    _ url: String, into directory: String, _ settings: FetchSettings, _ session: NetworkSession,
    _ share: consuming WorkShare
  ) async throws -> ExitStatus {
    let voice = FetchVoice(context)
    var options = DeliveryOptions()
    options.download = settings.options
    options.download.onEvent = { voice.tell($0) }
    options.archive.registry = .complete
    options.extraction.existing =
      switch settings.existing {
      case .fail: .fail
      case .skip: .skip
      case .replace: .replace
      case .rename: .rename
      }
    do {
      let report = try await RemoteZip.deliver(
        url, into: directory, session: session, options: options, progress: share)
      voice.delivered(report, into: directory)
      return ExitStatus(report.failureCategory)
    } catch let error as NetworkError {
      voice.failed(error, url: url)
      return ExitStatus(UInt8(clamping: error.exitStatus))
    } catch let error as ZipError {
      context.console.error(NetworkError.shownURL(url), error.description)
      return ExitStatus(error.category)
    }
  }
}

extension ExitStatus {
  fileprivate init(_ category: FailureCategory?) {
    self.init(UInt8(clamping: category?.exitStatus ?? 0))
  }
}

extension FetchVoice {
  func delivered(_ report: DeliveryReport, into directory: String) {
    for failure in report.failures {
      let reason = failure.problems.first?.message ?? "stopped before it was whole"
      if isJSON {
        console.printJSON([
          "event": "entry-failed", "name": .init(failure.name), "message": .init(reason),
          "rule": failure.problems.first.map { .init($0.code.id) } ?? .null,
        ])
      }
      console.error(failure.name, reason)
    }
    for problem in report.extraction.general { console.error(directory, problem.message) }
    let files = report.extraction.count(of: .done)
    guard isJSON else {
      console.note(directory, "\(files) files, \(report.extraction.bytes) bytes")
      return
    }
    console.printJSON([
      "event": "extracted", "url": .init(report.download.url), "directory": .init(directory),
      "files": .init(files), "links": .init(report.extraction.count(of: .link)),
      "failed": .init(report.failures.count), "bytes": .init(report.extraction.bytes),
    ])
  }
}
