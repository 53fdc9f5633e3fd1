import CommandLineSupport
import InfoZipForms
import UnzipJobs
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
    failureStatus: ExitStatus(.error), showsHelpWhenEmpty: true,
    optionVariables: ["ZIPINFO", "ZIPINFOOPT"])

  private let context: CommandContext
  private let arguments: ParsedArguments

  init(_ context: CommandContext) {
    self.context = context
    arguments = context.arguments
  }

  func run() throws -> UnzipStatus {
    let ignoresCase = arguments.isSet(Self.ignoreCase)
    let stops = arguments.isSet(Self.wildStop)
    let job = ZipInfoJob(
      archive: arguments.operands.first ?? "",
      members: .init(
        arguments.operands.dropFirst(), ignoresCase: ignoresCase, stopsAtSlash: stops),
      excluded: .init(
        arguments.texts(Self.exclude), ignoresCase: ignoresCase, stopsAtSlash: stops),
      request: request(), hasDecimalTime: arguments.isSet(Self.decimal), through: context)
    return try job.run()
  }

  private func request() -> ZipInfoRequest {
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
}
