import CommandLineSupport
import UnzipJobs
import ZipKitCodecs
import ZipKitCore

extension UnzipRequest {
  /// Reads a command line that has been parsed.
  ///
  /// - Parameters:
  ///   - arguments: What was parsed.
  ///   - listed: Members out of `--files-from`.
  /// - Throws: What is wrong with a value, or that two options exclude each other.
  init(_ arguments: ParsedArguments, listed: [String] = []) throws(UsageError) {
    typealias Options = UnzipOptions
    let conflicts = [
      (Options.print, Options.test), (Options.pipe, Options.test), (Options.print, Options.update),
      (Options.pipe, Options.update), (Options.test, Options.update),
      (Options.freshen, Options.never),
    ]
    for (one, other) in conflicts where arguments.isSet(one) && arguments.isSet(other) {
      throw .conflict(one, other)
    }
    self.init(archive: arguments.operands.first ?? "")
    let ignoresCase = arguments.isSet(Options.ignoreCase)
    let stops = arguments.isSet(Options.wildStop)
    members = .init(
      arguments.operands.dropFirst() + listed, ignoresCase: ignoresCase, stopsAtSlash: stops)
    excluded = .init(
      arguments.texts(Options.exclude), ignoresCase: ignoresCase, stopsAtSlash: stops)
    directory = arguments.text(Options.directory)
    isStrict = arguments.isSet(Options.strict)
    recovers = arguments.isSet(Options.recover)
    setExisting(arguments)
    setPlacement(arguments)
    try setReading(arguments)
    action = Self.action(arguments)
    if directory != nil, action != .extract {
      cautions.append("caution:  not extracting; -d ignored")
    }
  }

  private static func action(_ arguments: ParsedArguments) -> Action {
    typealias Options = UnzipOptions
    if arguments.isSet(Options.comment) { return .comment }
    if arguments.isSet(Options.stamp) { return .stamp }
    if arguments.isSet(Options.test) { return .test }
    if arguments.isSet(Options.pipe) { return .pipe }
    if arguments.isSet(Options.print) { return .print }
    // Twice short is long, as there.
    if arguments.isSet(Options.verbose) || arguments.count(Options.list) > 1 {
      return .verboseList
    }
    return arguments.isSet(Options.list) ? .list : .extract
  }

  private mutating func setExisting(_ arguments: ParsedArguments) {
    typealias Options = UnzipOptions
    asksAboutExisting = false
    switch arguments.text(Options.existing) {
    case "skip": extraction.existing = .skip
    case "replace": extraction.existing = .replace
    case "rename": extraction.existing = .rename
    case "fail": extraction.existing = .fail
    default: asksAboutExisting = true
    }
    if arguments.isSet(Options.never) {
      (asksAboutExisting, extraction.existing) = (false, .skip)
      if arguments.isSet(Options.overwrite) {
        cautions.append("caution:  both -n and -o specified; ignoring -o")
      }
    } else if arguments.isSet(Options.overwrite)
      // Who asks for backups wants files replaced.
      || arguments.isSet(Options.backup) && asksAboutExisting
    {
      (asksAboutExisting, extraction.existing) = (false, .replace)
    }
    extraction.onlyReplacesOlder = arguments.isSet(Options.update)
    extraction.onlyFreshens = arguments.isSet(Options.freshen)
    extraction.keepsBackup = arguments.isSet(Options.backup)
    extraction.duplicates =
      switch arguments.text(Options.duplicates) {
      case "first": .first
      case "rename": .rename
      case "error": .error
      default: .last
      }
  }

  private mutating func setPlacement(_ arguments: ParsedArguments) {
    typealias Options = UnzipOptions
    extraction.onlyRealFiles = arguments.isSet(Options.realFiles)
    extraction.dropsDirectories = arguments.isSet(Options.junkPaths)
    extraction.stripComponents = arguments.integer(Options.strip) ?? 0
    let lowercase = arguments.count(Options.lowercase)
    extraction.lowercases = lowercase > 1 ? .all : lowercase == 1 ? .fromDOS : .none
    extraction.keepsControlCharacters = arguments.isSet(Options.keepControl)
    extraction.usesPortableNames = arguments.isSet(Options.portableNames)
    extraction.resolvesParents = arguments.isSet(Options.parents)
    extraction.allowsUnsafeLinks = arguments.isSet(Options.unsafeLinks)
    extraction.setsDirectoryTimes = !arguments.isSet(Options.noTimes)
    extraction.setsTimes = arguments.count(Options.noTimes) < 2
    extraction.keepsSpecialBits = arguments.isSet(Options.specialBits)
    extraction.setsOwner = arguments.isSet(Options.owner)
    extraction.writesSparse = arguments.isSet(Options.sparse)
    extraction.isDryRun = arguments.isSet(Options.dryRun)
  }

  private mutating func setReading(_ arguments: ParsedArguments) throws(UsageError) {
    typealias Options = UnzipOptions
    let conversions = arguments.isSet(Options.binary) ? 0 : arguments.count(Options.text)
    extraction.convertsText = conversions > 1 ? .all : conversions == 1 ? .marked : .none
    extraction.jobs = arguments.integer(Options.jobs)
    extraction.limits.totalSize = arguments.size(Options.maxSize)
    extraction.limits.ratio = arguments.integer(Options.maxRatio).map(UInt64.init)
    extraction.limits.files = arguments.integer(Options.maxFiles).map(UInt64.init)
    guard let name = arguments.text(Options.encoding) else { return }
    encoding = NameEncoding.charset(name)
    if encoding == nil {
      throw .badValue(name, of: Options.encoding, expected: "a character set that iconv knows")
    }
  }
}

extension [NamePattern] {
  /// Reads words as patterns of one kind.
  init(_ words: some Sequence<String>, ignoresCase: Bool, stopsAtSlash: Bool) {
    self = words.map { .init($0, ignoresCase: ignoresCase, stopsAtSlash: stopsAtSlash) }
  }
}
