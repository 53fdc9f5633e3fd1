import CommandLineSupport
import ZipKitCore

/// What a command line of `unzip` asks for.
struct UnzipSettings: Equatable {
  enum Action: Equatable {
    case extract, list, verboseList, test, pipe, print, comment, stamp, version
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

  /// Reads what was parsed; `listed` are members out of `--files-from`.
  init(_ arguments: ParsedArguments, listed: [String] = []) {
    typealias Options = UnzipOptions
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
    switch arguments.last(of: [Options.overwrite, Options.never]) {
    case Options.overwrite: existing = .replace
    case Options.never: existing = .skip
    default:
      // Who asks for backups wants files replaced.
      if arguments.isSet(Options.backup), existing == .ask { existing = .replace }
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
  }

  private static func action(_ arguments: ParsedArguments) -> Action {
    typealias Options = UnzipOptions
    if arguments.operands.isEmpty { return .version }
    if arguments.isSet(Options.comment) { return .comment }
    if arguments.isSet(Options.test) { return .test }
    if arguments.isSet(Options.pipe) { return .pipe }
    if arguments.isSet(Options.print) { return .print }
    if arguments.isSet(Options.stamp) { return .stamp }
    if arguments.isSet(Options.verbose) { return .verboseList }
    return arguments.isSet(Options.list) ? .list : .extract
  }
}
