public import NetworkCore
public import ZipKitCore

/// What a delivery came to.
public struct DeliveryReport: Sendable {
  /// An entry that is not in place, and why.
  public struct Failure: Sendable, Equatable {
    /// The entry's name, as the archive gives it.
    public var name: String
    /// What became of it: refused, failed or cancelled.
    public var status: ExtractionReport.Status
    /// The rules that stopped it; may be empty for one that was cancelled.
    public var problems: [ZipError]
  }

  /// What was downloaded; its path is gone.
  public var download: DownloadReport
  /// What became of each entry.
  public var extraction: ExtractionReport
  /// The entries that are not in place, in the order of the directory.
  public var failures: [Failure]

  /// Whether every entry is whole and in place.
  public var isComplete: Bool { extraction.isComplete }

  init(download: DownloadReport, extraction: ExtractionReport, archive: ZipArchive) {
    self.download = download
    self.extraction = extraction
    failures = extraction.outcomes.compactMap { outcome in
      switch outcome.status {
      case .refused, .failed, .cancelled:
        Failure(
          name: archive.entries[outcome.entryIndex].name, status: outcome.status,
          problems: outcome.problems)
      case .notSelected, .done, .directory, .directoryMade, .link, .skipped:
        nil
      }
    }
  }
}
