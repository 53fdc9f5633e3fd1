import CommandLineSupport
import ZipKitCore

/// `--json`: one record an entry, and a summary.
extension ArchiveJob {
  func listJSON(_ archive: ZipArchive, _ wanted: EntrySelection) {
    let problems = nameProblems(archive)
    for entry in wanted {
      var fields = screen.json(entry)
      let own = problems[entry.index] ?? []
      fields.append(("problems", .array(own.map { screen.json($0) })))
      console.printJSON(.object(fields.map { .init($0.0, $0.1) }), isUrgent: false)
    }
    console.printJSON([
      "summary": .string(path), "entries": .init(wanted.count),
      "bytes": .init(wanted.reduce(UInt64(0)) { $0 &+ $1.size }),
      "problems": .array(archive.problems.map { screen.json($0) }),
    ])
  }

  private func nameProblems(_ archive: ZipArchive) -> [Int: [ZipError]] {
    Dictionary(grouping: archive.nameProblems(options: options)) { $0.entryIndex ?? -1 }
  }

  /// Records a test's outcomes, with what is to be said about names.
  func recorder(_ archive: ZipArchive) -> ZipArchive.Observer {
    let problems = nameProblems(archive)
    return { [self] outcome in
      var outcome = outcome
      outcome.problems += problems[outcome.entryIndex] ?? []
      record(archive.entries[outcome.entryIndex], outcome)
    }
  }

  func record(_ entry: ZipEntry, _ outcome: ExtractionReport.Outcome) {
    var fields = screen.json(entry)
    fields.append(("status", .string("\(outcome.status)")))
    fields.append(("path", JSONValue(outcome.path)))
    fields.append(("problems", .array(outcome.problems.map { screen.json($0) })))
    if let salvage {
      fields.append(("sizes_from", .string(salvage.origins[entry.index].rawValue)))
    }
    console.printJSON(.object(fields.map { .init($0.0, $0.1) }), isUrgent: false)
  }

  func summary(_ report: ExtractionReport) {
    var fields: [(String, JSONValue)] = [
      ("summary", .string(path)),
      ("complete", .bool(report.isComplete && salvage?.lost.isEmpty != false)),
      ("done", .init(report.count(of: .done))), ("failed", .init(report.count(of: .failed))),
      ("refused", .init(report.count(of: .refused))),
      ("skipped", .init(report.count(of: .skipped))), ("bytes", .init(report.bytes)),
      ("problems", .array(report.general.map { screen.json($0) })),
    ]
    if let salvage { fields.append(("recovery", json(salvage))) }
    console.printJSON(.object(fields.map { .init($0.0, $0.1) }))
  }
}
