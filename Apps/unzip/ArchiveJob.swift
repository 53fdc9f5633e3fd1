import CommandLineSupport
import InfoZipForms
import ProgressReporting
import Synchronization
import SystemIO
import ZipKitCore

/// What is asked, done to one archive.
struct ArchiveJob {
  let path: String
  let settings: UnzipSettings
  var options: ExtractionOptions
  let opening: ZipArchive.Options
  let questioner: Questioner
  let screen: Screen
  let context: CommandContext
  /// What is left of the archive, where that is asked for.
  var salvage: ArchiveSalvage?

  var console: Console { screen.console }

  func run() async throws -> UnzipStatus {
    let archive: ZipArchive
    var job = self
    do {
      let source = try ArchiveFinder.source(path)
      if settings.recovers { job.salvage = try await search(source) }
      archive = try job.salvage?.archive ?? ZipArchive(source: source, options: opening)
    } catch let error as ZipError {
      head("")
      console.error(path, error.message)
      return UnzipStatus(error.code)
    } catch let error as SystemError {
      head("")
      console.error(path, "expected an archive to read, found \"\(error.reason)\"")
      return .noArchive
    }
    return try await job.run(archive)
  }

  private mutating func run(_ archive: ZipArchive) async throws -> UnzipStatus {
    head(archive.comment)
    if settings.action == .comment {
      return archive.problems.contains { $0.code == .commentTruncated } ? .warning : .success
    }
    if settings.isStrict {
      let found = archive.inspect()
      for problem in found {
        console.error(path, "\(problem.description) [\(problem.code.id)]")
      }
      if let line = ArchiveLine.omitted(found, where: { _ in true }) { console.error(path, line) }
      // A warning is an error here.
      if !found.isEmpty { return UnzipStatus.error.worse(found) }
    }
    let status = tell(archive)
    if let salvage, archive.entries.isEmpty { return nothingFound(salvage) }
    if archive.entries.isEmpty {
      caution("warning [\(path)]:  zipfile is empty")
      return status.worse(.warning)
    }
    let wanted = EntrySelection(archive, members: settings.members, excluded: settings.excluded)
    try await askPassword(wanted)
    let ended = try await act(archive, wanted)
    return salvage.map { recovered($0, ended) } ?? status.worse(ended)
  }

  private func head(_ comment: String) {
    guard settings.action != .pipe, settings.action != .stamp else { return }
    screen.archive(path, comment: comment, wanted: settings.action == .comment)
  }

  /// Asks for a password when one is needed, none was given, and somebody is there.
  private mutating func askPassword(_ wanted: EntrySelection) async throws {
    let needsContent = ![.list, .verboseList, .stamp].contains(settings.action)
    guard needsContent, options.passwords.isEmpty,
      let entry = wanted.first(where: { $0.isEncrypted }),
      let secret = try await context.askSecret("[\(path)] \(entry.name) password: ")
    else { return }
    options.passwords = [secret]
  }

  private func act(_ archive: ZipArchive, _ wanted: EntrySelection) async throws -> UnzipStatus {
    var status = UnzipStatus.success
    if settings.action == .test {
      return status.worse(try await test(archive, wanted))
    }
    switch settings.action {
    case .list, .verboseList: try list(archive, wanted)
    case .pipe, .print: status = status.worse(try pipe(wanted))
    case .stamp: status = status.worse(try stamp(archive))
    default: status = status.worse(try await extract(archive, wanted))
    }
    return status.worse(unmatched(wanted))
  }

  /// Says what is odd about the archive.
  private func tell(_ archive: ZipArchive) -> UnzipStatus {
    for problem in archive.problems {
      if problem.code == .prefixBytes {
        for line in ArchiveLine.prefix(path, bytes: archive.base) { caution(line) }
      } else if UnzipStatus(problem.code) != .success, problem.code != .isEmpty {
        console.error(path, problem.description)
      }
    }
    return UnzipStatus.success.worse(archive.problems)
  }

  /// Warnings are part of a test's result, as Info-ZIP has it, and beside the result of all else.
  private func caution(_ line: String) {
    screen.remark(line, isResult: settings.action == .test && !screen.isJSON)
  }

  /// Names members that no entry answers to.
  private func unmatched(_ wanted: EntrySelection) -> UnzipStatus {
    if settings.action.isList { return wanted.isEmpty ? .noMatch : .success }
    for line in ArchiveLine.unmatched(wanted) { caution(line) }
    return wanted.isEmpty || !wanted.unmatched.isEmpty ? .noMatch : .success
  }

  // MARK: Lists

  private func list(_ archive: ZipArchive, _ wanted: EntrySelection) throws {
    if screen.isJSON {
      listJSON(archive, wanted)
      return
    }
    var listing = TableListing(
      isVerbose: settings.action == .verboseList, lowercases: options.lowercases)
    let isBare = screen.quietness > 1
    if !isBare { try screen.write(listing.head) }
    try screen.table(wanted) { entry, name, output in
      let comment = screen.quietness == 0 && entry.commentLength > 0 ? entry.comment : ""
      listing.append(entry, name: name, comment: screen.escapedText(comment), to: &output)
    }
    if !isBare { try screen.write(listing.foot) }
  }

  // MARK: Standard output

  private func pipe(_ wanted: EntrySelection) throws -> UnzipStatus {
    var status = UnzipStatus.success
    let isPrint = settings.action == .print && screen.quietness == 0
    for entry in wanted where entry.kind != .special {
      if isPrint {
        let name = CaseConversion.name(entry, entry.name, by: options.lowercases)
        console.print("\(trusted: writing(entry, name))")
      }
      if entry.kind == .directory { if isPrint { console.print("") }; continue }
      do {
        try entry.read(
          passwords: options.passwords, convertingText: options.convertsText,
          jobs: options.jobs
        ) { (bytes) throws(ZipError) in
          do {
            try console.write(bytes)
            try context.cancellation.check()
          } catch {
            throw ZipError(.cancelled, "standard output is gone")
          }
        }
      } catch {
        if error.code == .cancelled { throw CancellationError() }
        status = status.worse(report(error))
      }
      if isPrint { console.print("") }
    }
    return status
  }

  // MARK: Test and extraction

  private func test(_ archive: ZipArchive, _ wanted: EntrySelection) async throws -> UnzipStatus {
    var observer: ZipArchive.Observer?
    if screen.isJSON {
      observer = recorder(archive)
    } else if screen.quietness == 0 {
      observer = { [self] outcome in showTest(archive.entries[outcome.entryIndex], outcome) }
    }
    let report: ExtractionReport
    do {
      report = try await withMeter("Testing") { share in
        try await archive.verify(
          selecting: { wanted.contains(entry: $0.index) }, options: options, progress: share,
          observer: observer)
      }
    } catch let error as ZipError {
      return self.report(error)
    }
    let status = conclude(report, archive).worse(unmatched(wanted))
    if screen.isJSON {
      summary(report)
    } else if let salvage {
      show(salvage, report)
    } else if screen.quietness < 2 {
      let isSelective = !settings.members.isEmpty || !settings.excluded.isEmpty
      let verdict = TestVerdict(
        report, status: wanted.unmatched.isEmpty ? .success : .noMatch, isSelective: isSelective)
      for line in verdict.lines(screen.shown(path)) { console.print("\(trusted: line)") }
    }
    return status
  }

  private func showTest(_ entry: ZipEntry, _ outcome: ExtractionReport.Outcome) {
    console.print("\(trusted: EntryLine.tested(entry, screen.shown(entry.name), outcome))")
  }

  private func writing(_ entry: ZipEntry, _ name: String) -> String {
    EntryLine.writing(entry, screen.shown(name), marks: settings.text == .marked)
  }

  private func extract(_ archive: ZipArchive, _ wanted: EntrySelection) async throws -> UnzipStatus
  {
    let all = wanted.isEverything
    if wanted.isEmpty { return .success }
    let links = Mutex<[String]>([])
    var observer: ZipArchive.Observer?
    if screen.quietness == 0 || screen.isJSON {
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
          to: settings.directory ?? ".",
          selecting: all ? nil : { wanted.contains(entry: $0.index) },
          options: options, progress: share, observer: observer)
      }
    } catch let error as ZipError {
      return self.report(error)
    }
    let made = links.withLock { $0 }
    if !made.isEmpty { console.print("finishing deferred symbolic links:") }
    for line in made { console.print("\(trusted: line)") }
    if screen.isJSON { summary(report) }
    let status = conclude(report, archive)
    if let salvage, !screen.isJSON { show(salvage, report) }
    return status
  }

  private func show(
    _ entry: ZipEntry, _ outcome: ExtractionReport.Outcome, _ link: (String) -> Void
  ) {
    if screen.isJSON { return record(entry, outcome) }
    guard let path = outcome.path else { return }
    let place = (settings.directory.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? "") + path
    switch outcome.status {
    case .directoryMade: console.print("\(trusted: EntryLine.creating(screen.shown(place)))")
    case .link:
      let target = (try? entry.contents(limit: 4096, passwords: options.passwords)) ?? []
      let line = EntryLine.linking(
        screen.shown(place), to: screen.shown(String(decoding: target, as: UTF8.self)))
      console.print("\(trusted: line.now)")
      link(line.later)
    case .done: console.print("\(trusted: writing(entry, place))")
    default: break
    }
  }

  func withMeter<Result>(
    _ label: String, _ work: (consuming WorkShare) async throws -> Result
  ) async throws -> Result {
    let meter = WorkMeter(label, total: 1, cancellation: context.cancellation)
    return try await context.withProgress(meter) { try await work(meter.share(1)) }
  }

  // MARK: Reports

  /// Says what went wrong and finds the status.
  private func conclude(_ report: ExtractionReport, _ archive: ZipArchive) -> UnzipStatus {
    let problems = report.allProblems
    for problem in problems {
      // Mended names are news only when nothing else is wanted on the screen.
      if UnzipStatus(problem.code) != .success {
        _ = self.report(problem)
      } else if screen.quietness == 0 {
        console.warning(path, problem.description)
      }
    }
    let line = ArchiveLine.omitted(problems) {
      screen.quietness == 0 || UnzipStatus($0) != .success
    }
    if let line { console.error(path, line) }
    if !screen.isJSON { tellMissing(report, archive) }
    for problem in report.general where problem.code != .cancelled { _ = self.report(problem) }
    return questioner.isDeserted ? report.unzipStatus.worse(.warning) : report.unzipStatus
  }

  /// Names what is not there because the work ended before its turn.
  private func tellMissing(_ report: ExtractionReport, _ archive: ZipArchive) {
    let count = report.count(of: .cancelled)
    for outcome in report.outcomes.lazy.filter({ $0.status == .cancelled }).prefix(1000) {
      console.error(path, "missing: \(archive.entries[outcome.entryIndex].name)")
    }
    if count > 1000 { console.error(path, "missing: \(count - 1000) more entries") }
  }

  func report(_ problem: ZipError) -> UnzipStatus {
    console.error(path, problem.description)
    return UnzipStatus(problem.code)
  }

  // MARK: Time stamp

  private func stamp(_ archive: ZipArchive) throws -> UnzipStatus {
    let newest = archive.entries.lazy.filter { $0.kind != .directory }.map(\.modified).max()
    guard let newest, path != "-" else { return .warning }
    do {
      let file = try FileDescriptor.open(path)
      let time = FileTime(seconds: newest.seconds, nanoseconds: Int64(newest.nanoseconds))
      try file.setTimes(access: time, modification: time)
    } catch {
      console.error(path, "expected to set its time, found \"\(error.reason)\"")
      return .error
    }
    if screen.quietness == 0 { console.print("Updated time stamp for \(path).") }
    return .success
  }
}
