internal import Dialogue
internal import InfoZipForms
internal import Synchronization
internal import SystemIO
internal import ZipKitCore

// What writes files, and what is said of it.
extension ArchiveJob {
  func extract(_ archive: ZipArchive, _ wanted: EntrySelection) async throws -> UnzipStatus {
    if wanted.isEmpty { return .success }
    let links = Mutex<[String]>([])
    var observer: ZipArchive.Observer?
    if voice.quietness == 0 || voice.isJSON {
      observer = { [self] outcome in
        show(archive.entries[outcome.entryIndex], outcome) { line in
          links.withLock { $0.append(line) }
        }
      }
    }
    let report: ExtractionReport
    do {
      report = try await withMeter("Extracting") { share in
        try await archive.extract(
          wanted, to: request.directory ?? ".", options: options, progress: share,
          observer: observer)
      }
    } catch let error as ZipError {
      return self.report(error)
    }
    let made = links.withLock { $0 }
    if !made.isEmpty { frontEnd.result("finishing deferred symbolic links:") }
    for line in made { frontEnd.result(line) }
    if voice.isJSON { summary(report) }
    let status = conclude(report, archive)
    if let salvage, !voice.isJSON { show(salvage, report) }
    return status
  }

  private func show(
    _ entry: ZipEntry, _ outcome: ExtractionReport.Outcome, _ link: (String) -> Void
  ) {
    if voice.isJSON { return record(entry, outcome) }
    guard let path = outcome.path else { return }
    let place = (request.directory.map { Path.namesDirectory($0) ? $0 : $0 + "/" } ?? "") + path
    switch outcome.status {
    case .directoryMade: frontEnd.result(EntryLine.creating(voice.shown(place)))
    case .link:
      let target = (try? entry.contents(limit: 4096, passwords: options.passwords)) ?? []
      let line = EntryLine.linking(
        voice.shown(place), to: voice.shown(String(decoding: target, as: UTF8.self)))
      frontEnd.result(line.now)
      link(line.later)
    case .done: frontEnd.result(writing(entry, place))
    default: break
    }
  }

  /// Says what went wrong in a test or an extraction, and finds the status.
  func conclude(_ report: ExtractionReport, _ archive: ZipArchive) -> UnzipStatus {
    let problems = report.allProblems
    for problem in problems {
      // Mended names are news only when nothing else is wanted on the screen.
      if UnzipStatus(problem.code) != .success {
        _ = self.report(problem)
      } else if voice.quietness == 0 {
        frontEnd.warning(path, problem.description)
      }
    }
    let line = ArchiveLine.omitted(problems) {
      voice.quietness == 0 || UnzipStatus($0) != .success
    }
    if let line { frontEnd.error(path, line) }
    if !voice.isJSON { tellMissing(report, archive) }
    for problem in report.general where problem.code != .cancelled { _ = self.report(problem) }
    return questioner.isDeserted ? report.unzipStatus.worse(.warning) : report.unzipStatus
  }

  /// Names what is not there because the work ended before its turn.
  private func tellMissing(_ report: ExtractionReport, _ archive: ZipArchive) {
    let count = report.count(of: .cancelled)
    for outcome in report.outcomes.lazy.filter({ $0.status == .cancelled }).prefix(1000) {
      frontEnd.error(path, "missing: \(archive.entries[outcome.entryIndex].name)")
    }
    if count > 1000 { frontEnd.error(path, "missing: \(count - 1000) more entries") }
  }
}
