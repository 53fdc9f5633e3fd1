internal import Dialogue
internal import InfoZipForms
internal import ProgressReporting
internal import ZipKitCodecs
internal import ZipKitCore

/// What is asked, done to one archive.
struct ArchiveJob: Sendable {
  let path: String
  let request: UnzipRequest
  var options: ExtractionOptions
  let questioner: Questioner
  let voice: Voice
  /// What is left of the archive, where that is asked for.
  private(set) var salvage: ArchiveSalvage?

  init(
    path: String, request: UnzipRequest, options: ExtractionOptions, questioner: Questioner,
    voice: Voice
  ) {
    self.path = path
    self.request = request
    self.options = options
    self.questioner = questioner
    self.voice = voice
  }

  var frontEnd: any FrontEnd { voice.frontEnd }

  /// Says what is wrong with the archive and ends with its status.
  mutating func run() async throws -> UnzipStatus {
    let archive: ZipArchive
    do {
      archive = try await open()
    } catch {
      guard let failure = OpeningFailure(error) else { throw error }
      head("")
      frontEnd.error(path, failure.message)
      return failure.status
    }
    return try await run(archive)
  }

  private mutating func open() async throws -> ZipArchive {
    let opening = ZipArchive.Options.complete(encoding: request.encoding)
    let source = try ArchiveFinder.source(path)
    guard request.recovers else { return try ZipArchive(source: source, options: opening) }
    let found = try await withMeter("Searching") { share in
      try await ArchiveSalvage.open(source: source, options: opening, progress: share)
    }
    salvage = found
    return found.archive
  }

  private mutating func run(_ archive: ZipArchive) async throws -> UnzipStatus {
    head(archive.comment)
    if request.action == .comment {
      return archive.problems.contains { $0.code == .commentTruncated } ? .warning : .success
    }
    if request.isStrict {
      let found = archive.inspect()
      for problem in found {
        frontEnd.error(path, "\(problem.description) [\(problem.code.id)]")
      }
      if let line = ArchiveLine.omitted(found, where: { _ in true }) { frontEnd.error(path, line) }
      // A warning is an error here.
      if !found.isEmpty { return UnzipStatus.error.worse(found) }
    }
    let status = tell(archive)
    if let salvage, archive.entries.isEmpty { return nothingFound(salvage) }
    if archive.entries.isEmpty {
      voice.caution(["warning [\(path)]:  zipfile is empty"])
      return status.worse(.warning)
    }
    let wanted = EntrySelection(archive, members: request.members, excluded: request.excluded)
    try await askPassword(wanted)
    let ended = try await act(archive, wanted)
    return salvage.map { recovered($0, ended) } ?? status.worse(ended)
  }

  private func head(_ comment: String) {
    guard request.action != .pipe, request.action != .stamp else { return }
    voice.archive(path, comment: comment, wanted: request.action == .comment)
  }

  /// Asks for a password when one is needed, none was given, and somebody is there.
  private mutating func askPassword(_ wanted: EntrySelection) async throws {
    let needsContent = ![.list, .verboseList, .stamp].contains(request.action)
    guard needsContent, options.passwords.isEmpty,
      let entry = wanted.first(where: { $0.isEncrypted }),
      let secret = try await frontEnd.secret(for: "[\(path)] \(entry.name) password: ")
    else { return }
    options.passwords = [secret]
  }

  private func act(_ archive: ZipArchive, _ wanted: EntrySelection) async throws -> UnzipStatus {
    let status: UnzipStatus
    // Lists say so in front of the entry's line.
    if !request.action.isList, request.action != .stamp {
      for entry in wanted { voice.caution(ArchiveLine.unicodeName(entry)) }
    }
    switch request.action {
    // Its verdict tells of members that no entry answers to.
    case .test: return try await test(archive, wanted)
    case .list, .verboseList:
      try list(archive, wanted)
      return wanted.isEmpty ? .noMatch : .success
    case .pipe, .print: status = try pipe(wanted)
    case .stamp: status = try stamp(archive)
    case .extract, .comment: status = try await extract(archive, wanted)
    }
    return status.worse(unmatched(wanted))
  }

  /// Says what is odd about the archive.
  private func tell(_ archive: ZipArchive) -> UnzipStatus {
    for problem in archive.problems {
      if problem.code == .prefixBytes {
        voice.caution(ArchiveLine.prefix(path, bytes: archive.base))
      } else if UnzipStatus(problem.code) != .success, problem.code != .isEmpty {
        frontEnd.error(path, problem.description)
      }
    }
    return UnzipStatus.success.worse(archive.problems)
  }

  /// Names members that no entry answers to.
  func unmatched(_ wanted: EntrySelection) -> UnzipStatus {
    voice.caution(ArchiveLine.unmatched(wanted))
    return wanted.isEmpty || !wanted.unmatched.isEmpty ? .noMatch : .success
  }

  /// Says what is wrong with an entry or with the work.
  func report(_ problem: ZipError) -> UnzipStatus {
    frontEnd.error(path, problem.description)
    return UnzipStatus(problem.code)
  }

  func withMeter<Result>(
    _ label: String, _ work: (consuming WorkShare) async throws -> Result
  ) async throws -> Result {
    let meter = WorkMeter(label, total: 1, cancellation: frontEnd.cancellation)
    return try await frontEnd.withProgress(meter) { try await work(meter.share(1)) }
  }
}

extension ZipArchive.Options {
  /// Every decoder there is, and names in a character set, or in the one that is detected.
  static func complete(encoding: NameEncoding?) -> Self {
    var options = Self()
    options.registry = .complete
    options.detector = NameDetection.detector
    options.encoding = encoding
    return options
  }
}
