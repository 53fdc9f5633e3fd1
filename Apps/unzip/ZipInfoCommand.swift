import CommandLineSupport
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
      ignoreCase, exclude, pager, unicode,
    ], outcomes: ExitStatus.meanings, seeAlso: ["unzip(1)"], grammar: .infoZip,
    usageStatus: .badOptions, outputStatus: .diskFull, showsHelpWhenEmpty: true,
    optionVariables: ["ZIPINFO", "ZIPINFOOPT"])

  private enum Lines: Equatable {
    case none, names, table(ZipInfoListing.Form), verbose

    var isTable: Bool {
      if case .table = self { return true }
      return self == .verbose
    }
  }

  private let context: CommandContext
  private let screen: Screen

  init(_ context: CommandContext) {
    self.context = context
    screen = Screen(context.console, isJSON: context.settings.isJSON)
  }

  func run() async throws -> ExitStatus {
    let name = context.arguments.operands.first ?? ""
    let paths = ArchiveFinder.find(name)
    guard !paths.isEmpty else {
      context.console.printError(
        "zipinfo:  cannot find or open \(name), \(name).zip or \(name).ZIP.")
      return .noArchive
    }
    var status = ExitStatus.success
    for path in paths { status = status.worse(try list(path)) }
    return status
  }

  private func list(_ path: String) throws -> ExitStatus {
    let arguments = context.arguments
    var options = ZipArchive.Options()
    options.registry = .complete
    options.detector = NameDetection.detector
    let archive: ZipArchive
    do {
      archive = try ZipArchive(source: ArchiveFinder.source(path), options: options)
    } catch let error as ZipError {
      context.console.error(path, error.message)
      return ExitStatus(error.code)
    }
    let ignoresCase = arguments.isSet(Self.ignoreCase)
    let members = arguments.operands.dropFirst().map { NamePattern($0, ignoresCase: ignoresCase) }
    let excluded = arguments.texts(Self.exclude).map { NamePattern($0, ignoresCase: ignoresCase) }
    // Asked for alone, head and totals come alone; a table of everything has both.
    let isAll = members.isEmpty && excluded.isEmpty
    let lines = lines(isAll: isAll)
    let isWhole = isAll && (lines.isTable || !hasParts && lines != .names)
    let hasHead = isWhole || arguments.isSet(Self.header)
    if arguments.isSet(Self.names) == false {
      if hasHead { context.console.print("Archive:  \(path)") }
      if arguments.isSet(Self.comment), !archive.comment.isEmpty {
        context.console.print("\(trusted: screen.escapedText(archive.comment))")
      }
      if hasHead {
        context.console.print(
          "Zip file size: \(archive.size) bytes, number of entries: \(archive.entries.count)")
      }
    }
    var status = ExitStatus.success
    for problem in archive.problems {
      status = status.worse(ExitStatus(problem.code))
      guard problem.code == .prefixBytes,
        lines.isTable || arguments.isSet(Self.totals) && lines != .names
      else {
        continue
      }
      for line in screen.prefixWarning(path, archive) {
        context.console.print("\(trusted: screen.shown(line))")
      }
    }
    if archive.entries.isEmpty {
      context.console.print("Empty zipfile.")
      return .warning
    }
    let entries = EntrySelection(archive, members: Array(members), excluded: excluded)
    try table(
      entries, lines,
      hasTotals: isWhole || arguments.isSet(Self.totals) && !arguments.isSet(Self.names))
    if entries.isEmpty { status = status.worse(.noMatch) }
    let cautions =
      entries.unmatched.map { "caution: filename not matched:  \($0.text)" }
      + entries.unused.map { "caution: excluded filename not matched:  \($0.text)" }
    for caution in cautions {
      // Where the line of totals is asked for, it is part of the list, as Info-ZIP has it.
      if arguments.isSet(Self.totals), lines != .names {
        context.console.print("\(caution)")
      } else {
        context.console.printError("\(caution)")
      }
    }
    return status
  }

  private func lines(isAll: Bool) -> Lines {
    let arguments = context.arguments
    switch arguments.last(of: [
      Self.names, Self.namesAndMore, Self.short, Self.medium, Self.long, Self.verbose,
    ]) {
    case Self.names, Self.namesAndMore: return .names
    case Self.short: return .table(.short)
    case Self.medium: return .table(.medium)
    case Self.long: return .table(.long)
    case Self.verbose: return .verbose
    default:
      return hasParts && isAll ? .none : .table(.short)
    }
  }

  private var hasParts: Bool {
    context.arguments.isSet(Self.header) || context.arguments.isSet(Self.totals)
  }

  private func table(
    _ entries: some Sequence<ZipEntry>, _ lines: Lines, hasTotals: Bool
  ) throws {
    var form = ZipInfoListing.Form.short
    if case .table(let chosen) = lines { form = chosen }
    var listing = ZipInfoListing(
      form: form, hasDecimalTime: context.arguments.isSet(Self.decimal))
    switch lines {
    case .none: for entry in entries { listing.count(entry) }
    case .names:
      try screen.table(entries) { entry, name, output in
        listing.count(entry)
        output.append(contentsOf: name.utf8)
        output.append(0x0a)
      }
    case .table: try screen.table(entries) { listing.append($0, name: $1, to: &$2) }
    case .verbose:
      try screen.table(entries) { entry, name, output in
        listing.count(entry)
        output.append(contentsOf: VerboseListing.text(entry, name: name).utf8)
      }
    }
    if hasTotals, lines != .verbose { try screen.write(Array(listing.totals.utf8)) }
  }
}
