import CommandLineSupport
import InfoZipForms
import ZipKitCodecs
import ZipKitCore

/// `zipinfo`, which is also `unzip -Z`.
struct ZipInfoCommand {
  static let names = OptionSpec(
    "", "1", section: "Form", summary: "names, one a line, nothing else")
  static let namesAndMore = OptionSpec(
    "", "2", section: "Form", summary: "names; also what -h, -t and -z ask for")
  static let short = OptionSpec("", "s", section: "Form", summary: "short lines (default)")
  static let medium = OptionSpec("", "m", section: "Form", summary: "with compression ratios")
  static let long = OptionSpec("", "l", section: "Form", summary: "with compressed sizes")
  static let verbose = OptionSpec("", "v", section: "Form", summary: "everything about each entry")
  static let header = OptionSpec("", "h", section: "Parts", summary: "show the head line")
  static let totals = OptionSpec("", "t", section: "Parts", summary: "show the line of totals")
  static let comment = OptionSpec("", "z", section: "Parts", summary: "show the archive's comment")
  static let decimal = OptionSpec("", "T", section: "Form", summary: "decimal, sortable dates")
  static let ignoreCase = OptionSpec("", "C", section: "Selection", summary: "match in both cases")
  static let wildStop = OptionSpec(
    "", "W", section: "Selection", summary: "'*' and '?' stop at '/', '**' does not")
  static let exclude = OptionSpec(
    "exclude", "x", .list, metavar: "MEMBER...", section: "Selection",
    summary: "leave out members that match")
  static let pager = OptionSpec(
    "", "M", section: "Accepted", summary: "accepted, without effect", isHidden: true)
  static let unicode = OptionSpec(
    "", "U", section: "Accepted", summary: "accepted, without effect", isHidden: true)

  static let spec = CommandSpec(
    name: "zipinfo", version: "0.1.0", summary: "tell what is in zip archives",
    description: ["Lists an archive's entries as Info-ZIP's zipinfo does; 'unzip -Z' is the same."],
    synopses: ["[options] archive[.zip] [member...] [-x member...]"],
    operands: [
      .init("archive", .one, summary: "the archive; '-' is standard input", completion: .file),
      .init("member", .any, summary: "entries to list; '*', '?' and '[a-z]' match"),
    ],
    options: [
      names, namesAndMore, short, medium, long, verbose, header, totals, comment, decimal,
      ignoreCase, wildStop, exclude, pager, unicode,
    ], outcomes: .unzip, seeAlso: ["unzip(1)"], grammar: .infoZip,
    usageStatus: ExitStatus(.badOptions), outputStatus: ExitStatus(.diskFull),
    showsHelpWhenEmpty: true,
    optionVariables: ["ZIPINFO", "ZIPINFOOPT"])

  private let context: CommandContext
  private let screen: Screen

  init(_ context: CommandContext) {
    self.context = context
    screen = Screen(context.console, isJSON: context.settings.isJSON)
  }

  func run() async throws -> UnzipStatus {
    let name = context.arguments.operands.first ?? ""
    let paths = ArchiveFinder.find(name)
    guard !paths.isEmpty else {
      context.console.printError("\(ArchiveLine.notFound("zipinfo", name))")
      return .noArchive
    }
    let request = request()
    var tally = ArchiveTally()
    for path in paths {
      if path != paths.first { context.console.print("") }
      tally.append(try list(path, request))
    }
    for line in tally.lines { screen.remark(line, isResult: request.hasTotals) }
    return tally.status
  }

  private func list(_ path: String, _ request: ZipInfoRequest) throws -> UnzipStatus {
    let arguments = context.arguments
    var options = ZipArchive.Options()
    options.registry = .complete
    options.detector = NameDetection.detector
    let archive: ZipArchive
    do {
      archive = try ZipArchive(source: ArchiveFinder.source(path), options: options)
    } catch let error as ZipError {
      if request.hasHead { context.console.print("\(ArchiveLine.head(path))") }
      context.console.error(path, error.message)
      return UnzipStatus(error.code)
    }
    let ignoresCase = arguments.isSet(Self.ignoreCase)
    let stops = arguments.isSet(Self.wildStop)
    func patterns(_ words: [String]) -> [NamePattern] {
      words.map { NamePattern($0, ignoresCase: ignoresCase, stopsAtSlash: stops) }
    }
    let entries = EntrySelection(
      archive, members: patterns(Array(arguments.operands.dropFirst())),
      excluded: patterns(arguments.texts(Self.exclude)))
    try head(path, archive, request)
    if archive.base > 0, archive.problems.contains(where: { $0.code == .prefixBytes }) {
      for line in ArchiveLine.prefix(path, bytes: archive.base) {
        screen.remark(line, isResult: request.hasTotals)
      }
    }
    if archive.entries.isEmpty {
      context.console.print(request.form == .verbose ? "\n  Empty zipfile." : "Empty zipfile.")
      return .warning
    }
    try table(entries, archive, request)
    for line in ArchiveLine.unmatched(entries) {
      screen.remark(line, isResult: request.hasTotals)
    }
    if request.form == .verbose { context.console.print("") }
    let status = UnzipStatus.success.worse(archive.problems)
    return entries.isEmpty ? status.worse(.noMatch) : status
  }

  private func request() -> ZipInfoRequest {
    let arguments = context.arguments
    let forms: [(OptionSpec, ZipInfoRequest.Form)] = [
      (Self.names, .namesOnly), (Self.namesAndMore, .names), (Self.short, .table(.short)),
      (Self.medium, .table(.medium)), (Self.long, .table(.long)), (Self.verbose, .verbose),
    ]
    var options = ZipInfoRequest.Options()
    if let last = arguments.last(of: forms.map(\.0)), arguments.isSet(last) {
      options.form = forms.first { $0.0.key == last.key }?.1
    }
    options.head = arguments.state(Self.header)
    options.totals = arguments.state(Self.totals)
    options.comment = arguments.isSet(Self.comment)
    let isSelective = arguments.operands.count > 1 || arguments.isSet(Self.exclude)
    return ZipInfoRequest(options, isSelective: isSelective)
  }

  private func head(_ path: String, _ archive: ZipArchive, _ request: ZipInfoRequest) throws {
    if request.hasHead { context.console.print("\(ArchiveLine.head(path))") }
    let comment = screen.escapedText(archive.comment)
    if request.form == .verbose {
      let listing = VerboseListing(archive)
      try screen.write(Array(listing.head(comment: comment).utf8))
      return
    }
    if request.hasComment, !comment.isEmpty { context.console.print("\(trusted: comment)") }
    if request.hasHead {
      context.console.print(
        "Zip file size: \(archive.size) bytes, number of entries: \(archive.entries.count)")
    }
  }

  private func table(
    _ entries: some Sequence<ZipEntry>, _ archive: ZipArchive, _ request: ZipInfoRequest
  ) throws {
    var form = ZipInfoListing.Form.short
    if case .table(let chosen) = request.form { form = chosen }
    var listing = ZipInfoListing(
      form: form, hasDecimalTime: context.arguments.isSet(Self.decimal))
    switch request.form {
    case .none: for entry in entries { listing.count(entry) }
    case .names, .namesOnly:
      try screen.table(entries) { entry, name, output in
        listing.count(entry)
        output.append(contentsOf: name.utf8)
        output.append(0x0a)
      }
    case .table: try screen.table(entries) { listing.append($0, name: $1, to: &$2) }
    case .verbose:
      var verbose = VerboseListing(archive)
      try screen.table(entries) { entry, name, output in
        listing.count(entry)
        let comment = screen.escapedText(entry.comment)
        output.append(contentsOf: verbose.text(entry, name: name, comment: comment).utf8)
      }
    }
    if request.hasTotals { try screen.write(Array(listing.totals.utf8)) }
  }
}
