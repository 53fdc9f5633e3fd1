import CommandLineSupport
import InfoZipForms
import ProgressReporting
import SystemIO
import ZipKitCodecs
import ZipKitCore

/// `unzip`: finds archives, does to each what is asked, and ends with the worst status.
struct UnzipCommand {
  static let spec = CommandSpec(
    name: "unzip", version: "0.1.0", summary: "list, test and extract zip archives",
    description: [
      "Extracts an archive's entries below the current directory or DIR. Options, exit statuses and "
        + "messages are those of Info-ZIP's unzip where they are safe; DIFFERENCES lists the others.",
      "A file gets its name only when it is whole and its checksum holds. Nothing is written outside "
        + "the directory, whatever the archive says.",
    ],
    synopses: ["[options] archive[.zip] [member...] [-x member...] [-d DIR]"],
    operands: [
      .init("archive", .one, summary: "the archive; '-' is standard input", completion: .file),
      .init("member", .any, summary: "entries to take; '*', '?' and '[a-z]' match"),
    ],
    options: UnzipOptions.all,
    examples: [
      .init("unzip a.zip -d out", "Extracts everything into out."),
      .init("unzip -l a.zip '*.txt'", "Lists text files."),
      .init("unzip -p a.zip notes.txt | less", "Reads one entry."),
    ],
    outcomes: .unzip,
    manualSections: [
      .init(
        "DIFFERENCES",
        [
          "Names with '..' are refused, with status 2; Info-ZIP takes the dots out and goes on. With -: "
            + "the dots are followed as far as the directory, and no farther; Info-ZIP's leads out of it.",
          "-M, -V, -F and -U are accepted: there is no pager, nothing of VMS or Acorn is changed in names, "
            + "and no letter is escaped.",
          "Links that lead out of the directory are refused; see --allow-unsafe-links.",
          "Damaged files are not left behind, and a full disk ends with status 50.",
          "Directories of -d are made with the parents they lack.",
          "Of several entries with one path the last is taken, without a question; see --duplicates. "
            + "Names that are one name on other systems, by case or by accents, are remarked upon.",
          "Backslashes in names made on DOS and Windows are separators, with status 0.",
          "Overlapping entries are told by their exact extents; an entry that is listed twice is not one.",
          "A write error of -p and -c is an error.",
          "Errors are one line each, on standard error.",
          "Lists show the times that extraction gives to files: those of Windows' own field count, which "
            + "Info-ZIP leaves aside for the local time of the archive's maker. Names in character sets "
            + "other than UTF-8 are shown in UTF-8.",
        ])
    ],
    seeAlso: ["zipinfo(1)", "fetch(1)"], grammar: .infoZip, usageStatus: ExitStatus(.badOptions),
    outputStatus: ExitStatus(.diskFull), showsHelpWhenEmpty: true,
    optionVariables: ["UNZIP", "UNZIPOPT"],
    alternates: [.init(prefix: "-Z", spec: ZipInfoCommand.spec)])

  private let context: CommandContext
  private let arguments: ParsedArguments

  init(_ context: CommandContext) {
    self.context = context
    arguments = context.arguments
  }

  func run() async throws -> UnzipStatus {
    let settings = try UnzipSettings(arguments, listed: try listedMembers())
    let screen = Screen(context.console, isJSON: context.settings.isJSON)
    if settings.action == .version {
      context.console.print("unzip (Courier) \(Self.spec.version), a drop-in for UnZip 6.00")
      return .success
    }
    let isTest = settings.action == .test
    for line in settings.cautions { screen.remark(line, isResult: isTest && !screen.isJSON) }
    let paths = ArchiveFinder.find(settings.archive)
    guard !paths.isEmpty else {
      screen.remark(ArchiveLine.notFound("unzip", settings.archive), isResult: false)
      return .noArchive
    }
    let isPlain = settings.action == .pipe || screen.isJSON
    let questioner = Questioner(context, directory: settings.directory)
    var tally = ArchiveTally()
    for (number, path) in paths.enumerated() {
      if number > 0, screen.quietness == 0, !isPlain, settings.action != .stamp {
        context.console.print("")
      }
      let job = ArchiveJob(
        path: path, settings: settings, options: try options(settings, questioner),
        opening: try opening(), questioner: questioner, screen: screen, context: context)
      tally.append(try await job.run())
      if context.cancellation.isCancelled { break }
    }
    for line in tally.lines where !isPlain && !(isTest && line.isEmpty && screen.quietness > 1) {
      screen.remark(line, isResult: isTest)
    }
    return tally.status
  }

  // MARK: Settings of the library

  private func opening() throws -> ZipArchive.Options {
    var options = ZipArchive.Options()
    options.registry = .complete
    options.detector = NameDetection.detector
    if let name = arguments.text(UnzipOptions.encoding) {
      guard let encoding = NameEncoding.charset(name) else {
        throw UsageError.badValue(
          name, of: UnzipOptions.encoding, expected: "a character set that iconv knows")
      }
      options.encoding = encoding
    }
    return options
  }

  private func options(
    _ settings: UnzipSettings, _ questioner: Questioner
  ) throws -> ExtractionOptions {
    typealias Options = UnzipOptions
    var options = ExtractionOptions()
    options.existing =
      switch settings.existing {
      case .skip: .skip
      case .replace: .replace
      case .rename: .rename
      case .fail: .fail
      case .ask: .ask(questioner.answer)
      }
    options.duplicates =
      switch settings.duplicates {
      case .last: .last
      case .first: .first
      case .rename: .rename
      case .error: .error
      }
    options.onlyReplacesOlder = arguments.isSet(Options.update)
    options.onlyFreshens = arguments.isSet(Options.freshen)
    options.onlyRealFiles = arguments.isSet(Options.realFiles)
    options.dropsDirectories = arguments.isSet(Options.junkPaths)
    options.stripComponents = arguments.integer(Options.strip) ?? 0
    options.lowercases =
      settings.lowercase > 1 ? .all : settings.lowercase == 1 ? .fromDOS : .none
    options.keepsControlCharacters = arguments.isSet(Options.keepControl)
    options.resolvesParents = arguments.isSet(Options.parents)
    options.allowsUnsafeLinks = arguments.isSet(Options.unsafeLinks)
    options.setsDirectoryTimes = !arguments.isSet(Options.noTimes)
    options.setsTimes = arguments.count(Options.noTimes) < 2
    options.keepsSpecialBits = arguments.isSet(Options.specialBits)
    options.setsOwner = arguments.isSet(Options.owner)
    options.keepsBackup = arguments.isSet(Options.backup)
    options.writesSparse = arguments.isSet(Options.sparse)
    options.isDryRun = arguments.isSet(Options.dryRun)
    options.convertsText =
      switch settings.text {
      case .none: .none
      case .marked: .marked
      case .all: .all
      }
    options.jobs = arguments.integer(Options.jobs)
    options.passwords = try passwords()
    options.limits.totalSize = arguments.size(Options.maxSize)
    options.limits.ratio = arguments.integer(Options.maxRatio).map(UInt64.init)
    options.limits.files = arguments.integer(Options.maxFiles).map(UInt64.init)
    return options
  }

  private func passwords() throws -> [[UInt8]] {
    var result = arguments.texts(UnzipOptions.password).map { Array($0.utf8) }
    if let path = arguments.text(UnzipOptions.passwordFile) {
      let bytes = try read(path)
      result.append(Array(bytes.prefix { $0 != 0x0a && $0 != 0x0d }))
    }
    return result
  }

  private func listedMembers() throws -> [String] {
    guard let path = arguments.text(UnzipOptions.filesFrom) else { return [] }
    return try read(path).split(whereSeparator: { $0 == 0x0a || $0 == 0 })
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func read(_ path: String) throws -> [UInt8] {
    do {
      if path == "-" { return try FileDescriptor(borrowing: 0).readToEnd(limit: 64 << 20) }
      return try FileDescriptor.open(path).readToEnd(limit: 64 << 20)
    } catch {
      throw CommandFailure(
        path, "expected a file to read, found \"\(error.reason)\"", status: ExitStatus(.badOptions))
    }
  }
}
