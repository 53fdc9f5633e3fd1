import CommandLineSupport
import ZipKitCore

/// `--json`: one record an entry, and a summary.
extension ArchiveJob {
  func listJSON(_ archive: ZipArchive, _ wanted: EntrySelection) {
    let names = archive.nameProblems(options: options)
    for entry in wanted {
      var fields = screen.json(entry)
      let own = names.problems(ofEntry: entry.index)
      fields.append(("problems", .array(own.problems.map { screen.json($0) })))
      if own.isAbridged { fields.append(("abridged", .bool(true))) }
      console.printJSON(.object(fields.map { .init($0.0, $0.1) }), isUrgent: false)
    }
    console.printJSON([
      "summary": .string(path), "entries": .init(wanted.count),
      "bytes": .init(wanted.reduce(UInt64(0)) { $0 &+ $1.size }),
      "problems": .array(archive.problems.map { screen.json($0) }),
    ])
  }

  /// Records a test's outcomes, with what is to be said about names.
  func recorder(_ archive: ZipArchive) -> ZipArchive.Observer {
    let names = archive.nameProblems(options: options)
    return { [self] outcome in
      var outcome = outcome
      let own = names.problems(ofEntry: outcome.entryIndex)
      outcome.problems += own.problems
      outcome.isAbridged = outcome.isAbridged || own.isAbridged
      record(archive.entries[outcome.entryIndex], outcome)
    }
  }

  func record(_ entry: ZipEntry, _ outcome: ExtractionReport.Outcome) {
    var fields = screen.json(entry)
    fields.append(("status", .string("\(outcome.status)")))
    fields.append(("path", JSONValue(outcome.path)))
    fields.append(("problems", .array(outcome.problems.map { screen.json($0) })))
    if outcome.isAbridged { fields.append(("abridged", .bool(true))) }
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
