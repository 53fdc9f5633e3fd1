import CommandLineSupport
import ZipKitCore

/// What a command line of `unzip` asks for.
struct UnzipSettings: Equatable {
  enum Action: Equatable {
    case extract, list, verboseList, test, pipe, print, comment, stamp, version

    var isList: Bool { self == .list || self == .verboseList }
  }

  enum Existing: String {
    case ask, skip, replace, rename, fail
  }

  enum Duplicates: String {
    case last, first, rename, error
  }

  enum TextConversion {
    case none, marked, all
  }

  var action = Action.extract
  var archive = ""
  var members: [NamePattern] = []
  var excluded: [NamePattern] = []
  var directory: String?
  var existing = Existing.ask
  var duplicates = Duplicates.last
  var text = TextConversion.none
  var lowercase = 0
  /// Whether inconsistencies are errors.
  var isStrict = false
  /// Whether what is left of a damaged archive is looked for.
  var recovers = false

  /// What is to be said about options that are without effect beside others.
  var cautions: [String] = []

  /// Reads what was parsed; `listed` are members out of `--files-from`.
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
    archive = arguments.operands.first ?? ""
    let ignoresCase = arguments.isSet(Options.ignoreCase)
    let stops = arguments.isSet(Options.wildStop)
    func patterns(_ words: [String]) -> [NamePattern] {
      words.map { NamePattern($0, ignoresCase: ignoresCase, stopsAtSlash: stops) }
    }
    members = patterns(Array(arguments.operands.dropFirst()) + listed)
    excluded = patterns(arguments.texts(Options.exclude))
    directory = arguments.text(Options.directory)
    existing = arguments.choice(Options.existing) ?? .ask
    if arguments.isSet(Options.never) {
      existing = .skip
      if arguments.isSet(Options.overwrite) {
        cautions.append("caution:  both -n and -o specified; ignoring -o")
      }
    } else if arguments.isSet(Options.overwrite)
      // Who asks for backups wants files replaced.
      || arguments.isSet(Options.backup) && existing == .ask
    {
      existing = .replace
    }
    duplicates = arguments.choice(Options.duplicates) ?? .last
    isStrict = arguments.isSet(Options.strict)
    recovers = arguments.isSet(Options.recover)
    lowercase = arguments.count(Options.lowercase)
    switch arguments.isSet(Options.binary) ? 0 : arguments.count(Options.text) {
    case 0: text = .none
    case 1: text = .marked
    default: text = .all
    }
    action = Self.action(arguments)
    if directory != nil, action != .extract {
      cautions.append("caution:  not extracting; -d ignored")
    }
  }

  private static func action(_ arguments: ParsedArguments) -> Action {
    typealias Options = UnzipOptions
    if arguments.operands.isEmpty { return .version }
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
}
