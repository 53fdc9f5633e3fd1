package import Dialogue
package import InfoZipForms
package import ZipKitCore

/// All that `zipinfo` does: lists archives in the form asked for.
package struct ZipInfoJob: Sendable {
  private let archive: String
  private let members: [NamePattern]
  private let excluded: [NamePattern]
  private let request: ZipInfoRequest
  private let hasDecimalTime: Bool
  private let voice: Voice
  private var frontEnd: any FrontEnd { voice.frontEnd }

  /// Prepares a job; nothing is touched or said yet.
  ///
  /// - Parameters:
  ///   - archive: As in ``UnzipRequest/archive``.
  ///   - members: Entries that are meant; all of them where there is no pattern.
  ///   - excluded: Entries that are left out.
  ///   - request: Form and parts of the list.
  ///   - hasDecimalTime: Whether dates are decimal and sortable.
  ///   - frontEnd: Who hears it.
  package init(
    archive: String, members: [NamePattern], excluded: [NamePattern],
    request: ZipInfoRequest, hasDecimalTime: Bool, through frontEnd: any FrontEnd
  ) {
    self.archive = archive
    self.members = members
    self.excluded = excluded
    self.hasDecimalTime = hasDecimalTime
    self.request = request
    voice = Voice(frontEnd, remarksAreResults: request.hasTotals)
  }

  /// Does it.
  ///
  /// - Returns: The worst of the archives' statuses. What is wrong with an archive is told, not thrown.
  /// - Throws: What the front end throws.
  package func run() throws -> UnzipStatus {
    let paths = ArchiveFinder.find(archive)
    guard !paths.isEmpty else {
      frontEnd.remark(ArchiveLine.notFound("zipinfo", archive))
      return .noArchive
    }
    var tally = ArchiveTally()
    for path in paths {
      if path != paths.first { frontEnd.result("") }
      tally.append(try list(path))
    }
    voice.caution(tally.lines)
    return tally.status
  }

  private func list(_ path: String) throws -> UnzipStatus {
    let archive: ZipArchive
    do {
      archive = try ZipArchive(
        source: ArchiveFinder.source(path), options: .complete(encoding: nil))
    } catch {
      guard let failure = OpeningFailure(error) else { throw error }
      if request.hasHead { frontEnd.result(voice.shown(ArchiveLine.head(path))) }
      frontEnd.error(path, failure.message)
      return failure.status
    }
    let entries = EntrySelection(archive, members: members, excluded: excluded)
    try head(path, archive)
    if archive.base > 0, archive.problems.contains(where: { $0.code == .prefixBytes }) {
      voice.caution(ArchiveLine.prefix(path, bytes: archive.base))
    }
    if archive.entries.isEmpty {
      if request.form == .verbose { frontEnd.result("") }
      frontEnd.result(request.form == .verbose ? "  Empty zipfile." : "Empty zipfile.")
      return .warning
    }
    try table(entries, archive)
    voice.caution(ArchiveLine.unmatched(entries))
    if request.form == .verbose { frontEnd.result("") }
    let status = UnzipStatus.success.worse(archive.problems)
    return entries.isEmpty ? status.worse(.noMatch) : status
  }

  private func head(_ path: String, _ archive: ZipArchive) throws {
    if request.hasHead { frontEnd.result(voice.shown(ArchiveLine.head(path))) }
    let comment = voice.shownLines(archive.comment)
    if request.form == .verbose {
      try voice.write(VerboseListing(archive).head(comment: comment))
      return
    }
    if request.hasComment, !comment.isEmpty { frontEnd.result(comment) }
    if request.hasHead {
      frontEnd.result(
        "Zip file size: \(archive.size) bytes, number of entries: \(archive.entries.count)")
    }
  }

  private func table(_ entries: some Sequence<ZipEntry>, _ archive: ZipArchive) throws {
    var form = ZipInfoListing.Form.short
    if case .table(let chosen) = request.form { form = chosen }
    var listing = ZipInfoListing(form: form, hasDecimalTime: hasDecimalTime)
    switch request.form {
    case .none:
      for entry in entries {
        voice.caution(ArchiveLine.unicodeName(entry))
        listing.count(entry)
      }
    case .names, .namesOnly:
      try voice.table(entries) { entry, name, output in
        listing.count(entry)
        output.append(contentsOf: name.utf8)
        output.append(0x0a)
      }
    case .table: try voice.table(entries) { listing.append($0, name: $1, to: &$2) }
    case .verbose:
      var verbose = VerboseListing(archive)
      try voice.table(entries) { entry, name, output in
        listing.count(entry)
        let comment = voice.shownLines(entry.comment)
        output.append(contentsOf: verbose.text(entry, name: name, comment: comment).utf8)
      }
    }
    if request.hasTotals { try voice.write(listing.totals) }
  }
}
