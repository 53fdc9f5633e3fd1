import CommandLineSupport
import InfoZipForms
import ProgressReporting
import ZipKitCore

/// `--recover`: what is looked for, and what is said about it.
extension ArchiveJob {
  /// Looks for what is left of an archive.
  func search(_ source: any ArchiveSource) async throws -> ArchiveSalvage {
    try await withMeter("Searching") { share in
      try await ArchiveSalvage.open(source: source, options: opening, progress: share)
    }
  }

  /// The status of an archive in which no entry is left.
  func nothingFound(_ salvage: ArchiveSalvage) -> UnzipStatus {
    if screen.isJSON {
      console.printJSON([
        "summary": .string(path), "complete": .bool(false), "recovery": json(salvage),
      ])
    } else {
      for line in salvage.lines(nil) { console.print("\(trusted: screen.shown(line))") }
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
    guard screen.quietness < 2 else { return }
    for line in salvage.lines(report) { console.print("\(trusted: screen.shown(line))") }
  }

  func json(_ salvage: ArchiveSalvage) -> JSONValue {
    [
      "reason": salvage.reason.map { screen.json($0) } ?? .null,
      "found": .init(salvage.archive.entries.count),
      "lost": .array(
        salvage.lost.map { ["name": .string($0.name), "size": .init($0.size)] }),
      "gaps": .array(
        salvage.gaps.map {
          ["offset": .init($0.lowerBound), "count": .init($0.upperBound - $0.lowerBound)]
        }),
    ]
  }
}
