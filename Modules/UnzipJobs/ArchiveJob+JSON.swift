internal import Dialogue
internal import ZipKitCore

// One record an entry, and a summary.
extension ArchiveJob {
  func listJSON(_ archive: ZipArchive, _ wanted: EntrySelection) {
    let names = archive.nameProblems(options: options)
    for entry in wanted {
      let own = names.problems(ofEntry: entry.index)
      let fields = JSONValue.fields(own.problems, isAbridged: own.isAbridged)
      frontEnd.record(.object(JSONValue.fields(entry) + fields), isUrgent: false)
    }
    frontEnd.record([
      "summary": .string(path), "entries": .init(wanted.count),
      "bytes": .init(wanted.reduce(UInt64(0)) { $0 &+ $1.size }),
      "problems": .array(archive.problems.map { JSONValue($0) }),
      "omitted": .init(names.omitted),
    ])
  }

  /// Records a test's outcomes, with what is to be said about names.
  func recorder(_ archive: ZipArchive, _ names: ZipProblems) -> ZipArchive.Observer {
    { [self] outcome in
      var outcome = outcome
      let own = names.problems(ofEntry: outcome.entryIndex)
      outcome.problems += own.problems
      outcome.isAbridged = outcome.isAbridged || own.isAbridged
      record(archive.entries[outcome.entryIndex], outcome)
    }
  }

  func record(_ entry: ZipEntry, _ outcome: ExtractionReport.Outcome) {
    var fields = JSONValue.fields(entry)
    fields += [
      .init("status", .string("\(outcome.status)")), .init("path", JSONValue(outcome.path)),
    ]
    fields += JSONValue.fields(outcome.problems, isAbridged: outcome.isAbridged)
    if let salvage {
      fields.append(.init("sizes_from", .string(salvage.origins[entry.index].rawValue)))
    }
    frontEnd.record(.object(fields), isUrgent: false)
  }

  /// Records what came of it all; `names` are problems that are not in the report.
  func summary(_ report: ExtractionReport, names: ZipProblems? = nil) {
    var fields: [JSONValue.Field] = [
      .init("summary", .string(path)),
      .init("complete", .bool(report.isComplete && salvage?.lost.isEmpty != false)),
      .init("done", .init(report.count(of: .done))),
      .init("failed", .init(report.count(of: .failed))),
      .init("refused", .init(report.count(of: .refused))),
      .init("skipped", .init(report.count(of: .skipped))), .init("bytes", .init(report.bytes)),
      .init("problems", .array(report.general.map { JSONValue($0) })),
      .init("omitted", .init(report.allProblems.omitted + (names?.omitted ?? 0))),
    ]
    if let salvage { fields.append(.init("recovery", .init(salvage))) }
    frontEnd.record(.object(fields))
  }
}
