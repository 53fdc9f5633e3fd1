internal import Dialogue
internal import InfoZipForms
internal import ZipKitCore

// What is said of what is left of an archive.
extension ArchiveJob {
  /// The status of an archive in which no entry is left.
  func nothingFound(_ salvage: ArchiveSalvage) -> UnzipStatus {
    if voice.isJSON {
      frontEnd.record([
        "summary": .string(path), "complete": .bool(false), "recovery": .init(salvage),
      ])
    } else {
      for line in salvage.lines(nil) { frontEnd.result(voice.shown(line)) }
    }
    return salvage.lost.isEmpty && salvage.reason == nil ? .warning : .noArchive
  }

  /// The status of a salvage: what is whole is a success, though the archive may deserve a warning.
  func recovered(_ salvage: ArchiveSalvage, _ ended: UnzipStatus) -> UnzipStatus {
    if !salvage.lost.isEmpty { return ended.worse(.error) }
    return salvage.archive.problems.isEmpty ? ended : ended.worse(.warning)
  }

  /// Says what was saved and what was not.
  func show(_ salvage: ArchiveSalvage, _ report: ExtractionReport) {
    guard voice.quietness < 2 else { return }
    for line in salvage.lines(report) { frontEnd.result(voice.shown(line)) }
  }
}
