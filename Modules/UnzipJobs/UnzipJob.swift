package import Dialogue
package import InfoZipForms
internal import ProgressReporting
internal import ZipKitCore

/// All that `unzip` does: finds archives, does to each what is asked, and ends with the worst status.
///
/// What is said, in which order, and what is asked is Info-ZIP's; who hears it and answers is the
/// front end's business.
package struct UnzipJob: Sendable {
  private let request: UnzipRequest
  private let frontEnd: any FrontEnd

  /// Prepares a job; nothing is touched or said yet.
  package init(_ request: UnzipRequest, through frontEnd: any FrontEnd) {
    self.request = request
    self.frontEnd = frontEnd
  }

  /// Does it.
  ///
  /// - Returns: The worst of the archives' statuses. What is wrong with an archive is told, not thrown.
  /// - Throws: `CancellationError`, or what the front end throws.
  package func run() async throws -> UnzipStatus {
    let voice = Voice(request, frontEnd)
    let isTest = request.action == .test
    voice.caution(request.cautions)
    let paths = ArchiveFinder.find(request.archive)
    guard !paths.isEmpty else {
      frontEnd.remark(ArchiveLine.notFound("unzip", request.archive))
      return .noArchive
    }
    let isPlain = request.action == .pipe || request.isJSON
    let questioner = Questioner(frontEnd, directory: request.directory)
    var options = request.extraction
    if request.asksAboutExisting { options.existing = .ask(questioner.answer) }
    var tally = ArchiveTally()
    for (number, path) in paths.enumerated() {
      if number > 0, voice.quietness == 0, !isPlain, request.action != .stamp {
        frontEnd.result("")
      }
      var job = ArchiveJob(
        path: path, request: request, options: options, questioner: questioner, voice: voice)
      tally.append(try await job.run())
      if frontEnd.cancellation.isCancelled { break }
    }
    if !isPlain {
      voice.caution(tally.lines.filter { !(isTest && $0.isEmpty && voice.quietness > 1) })
    }
    return tally.status
  }
}
