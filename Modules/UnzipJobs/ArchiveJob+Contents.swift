internal import Dialogue
internal import InfoZipForms
internal import ProgressReporting
internal import ZipKitCore

// What decodes entries and writes no file.
extension ArchiveJob {
  /// Gives the contents of entries, one after the other.
  func pipe(_ wanted: EntrySelection) throws -> UnzipStatus {
    var status = UnzipStatus.success
    let isPrint = request.action == .print && voice.quietness == 0
    for entry in wanted where entry.kind != .special {
      if isPrint {
        let name = CaseConversion.name(entry, entry.name, by: options.lowercases)
        frontEnd.result(writing(entry, name))
      }
      if entry.kind != .directory {
        do {
          try give(entry)
        } catch let error as ZipError {
          status = status.worse(report(error))
        }
      }
      if isPrint { frontEnd.result("") }
    }
    return status
  }

  private func give(_ entry: ZipEntry) throws {
    do {
      try entry.read(
        passwords: options.passwords, convertingText: options.convertsText, jobs: options.jobs
      ) { (bytes) throws(ZipError) in
        do {
          try frontEnd.write(bytes)
          try frontEnd.cancellation.check()
        } catch {
          throw ZipError(.cancelled, "standard output is gone")
        }
      }
    } catch {
      if error.code == .cancelled { throw CancellationError() }
      throw error
    }
  }

  /// Decodes and checks entries.
  func test(_ archive: ZipArchive, _ wanted: EntrySelection) async throws -> UnzipStatus {
    var observer: ZipArchive.Observer?
    let names = voice.isJSON ? archive.nameProblems(options: options) : nil
    if let names {
      observer = recorder(archive, names)
    } else if voice.quietness == 0 {
      observer = { [self] outcome in
        let entry = archive.entries[outcome.entryIndex]
        frontEnd.result(EntryLine.tested(entry, voice.shown(entry.name), outcome))
      }
    }
    let report: ExtractionReport
    do {
      report = try await withMeter("Testing") { share in
        try await archive.verify(
          wanted, options: options, progress: share, observer: observer)
      }
    } catch let error as ZipError {
      return self.report(error)
    }
    let status = conclude(report, archive).worse(unmatched(wanted))
    if voice.isJSON {
      summary(report, names: names)
    } else if let salvage {
      show(salvage, report)
    } else if voice.quietness < 2 {
      let isSelective = !request.members.isEmpty || !request.excluded.isEmpty
      let verdict = TestVerdict(
        report, status: wanted.unmatched.isEmpty ? .success : .noMatch, isSelective: isSelective)
      for line in verdict.lines(voice.shown(path)) { frontEnd.result(line) }
    }
    return status
  }

  /// The line about an entry whose content is written.
  func writing(_ entry: ZipEntry, _ name: String) -> String {
    EntryLine.writing(entry, voice.shown(name), marks: options.convertsText == .marked)
  }
}
