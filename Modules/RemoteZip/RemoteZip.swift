public import NetworkCore
public import ProgressReporting
internal import SystemIO
internal import ZipKitCore

/// Zip archives behind URLs: ``deliver(_:into:session:options:progress:)`` downloads one and unpacks it.
public enum RemoteZip {
  /// Downloads a zip archive and extracts it, with one progress and one switch to stop both.
  ///
  /// The bar stands at one half when the download ends, or further along once the sizes are known: the two
  /// steps are then weighed by their bytes. The meter's label is that of the step: "Downloading…", then
  /// "Extracting…".
  ///
  /// While it is under way the archive is `.courier-delivery.zip.part` in the directory, so that the two share a
  /// file system. It is gone when this returns or the work is cancelled; after a network failure or a
  /// crash it stays, and the next delivery of the same URL goes on with it.
  ///
  /// - Parameters:
  ///   - url: Where the archive is.
  ///   - directory: Where its entries go; made, with its parents, when it does not exist.
  ///   - session: The connections to use.
  ///   - options: Settings of both steps.
  ///   - progress: A share to count on; its meter counts in thousandths until sizes are known.
  /// - Returns: What was downloaded and what became of each entry. Entries that could not be extracted are
  ///   named in ``DeliveryReport/failures`` and are no error.
  /// - Throws: ``NetworkError`` when the download did not succeed, ``ZipError`` when it is no zip archive or the
  ///   directory cannot be written, `CancellationError`.
  public static func deliver(
    _ url: String, into directory: String, session: NetworkSession,
    options: DeliveryOptions = DeliveryOptions(), progress: consuming WorkShare = .detached()
  ) async throws -> DeliveryReport {
    let meter = progress.begin("Downloading…", total: 2, unit: .items)
    let place = DeliveryPlace(directory: directory)
    try place.prepare()
    do {
      let report = try await deliver(url, place, session, options, meter)
      place.sweep()
      meter.finish()
      return report
    } catch let error as NetworkError where !options.sweepsAfterFailure && error.code != .cancelled
    {
      throw error
    } catch {
      place.sweep()
      throw error is CancellationError || meter.cancellation.isCancelled
        ? CancellationError() : error
    }
  }

  private static func deliver(
    _ url: String, _ place: DeliveryPlace, _ session: NetworkSession, _ options: DeliveryOptions,
    _ meter: WorkMeter
  ) async throws -> DeliveryReport {
    let downloading = meter.share()
    let extracting = meter.share()
    let parts = (downloading.part, extracting.part)

    var settings = options.download
    settings.existing = .replace
    let download = try await session.download(
      url, to: .file(place.archive), options: settings, progress: downloading)
    try meter.checkCancellation()

    meter.setLabel("Extracting…")
    let archive = try await ZipArchive.open(path: place.archive, options: options.archive)
    let size = archive.entries.reduce(into: UInt64(0)) { sum, entry in
      let (value, overflow) = sum.addingReportingOverflow(entry.size)
      sum = overflow ? .max : value
    }
    meter.weigh(parts.0, download.byteCount, parts.1, size)
    let extraction = try await archive.extract(
      to: place.directory, options: options.extraction, progress: extracting)
    try meter.checkCancellation()
    return DeliveryReport(download: download, extraction: extraction, archive: archive)
  }
}

extension WorkMeter {
  /// Replaces the equal halves by shares of the bytes.
  fileprivate func weigh(
    _ download: WorkPart, _ downloaded: UInt64, _ extraction: WorkPart, _ extracted: UInt64
  ) {
    // An archive of empty files is all download; more than 2^62 bytes would be a lie about sizes.
    let downloaded = min(downloaded, 1 << 62)
    let extracted = min(extracted, 1 << 62)
    guard downloaded + extracted > 0 else { return }
    reweigh(download, downloaded)
    reweigh(extraction, extracted)
    setTotal(downloaded + extracted)
  }
}
