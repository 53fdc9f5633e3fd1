/// One option of a command, as parser, help, manual page and completions know it.
///
/// An app keeps its options as static constants and asks ``ParsedArguments`` with the constant, so
/// that a misspelt option does not compile.
package struct OptionSpec: Sendable, Equatable {
  /// What an option takes and how that is checked.
  package enum Kind: Sendable, Equatable {
    /// Nothing; each occurrence counts.
    case flag
    /// Nothing; `--no-NAME` takes it back.
    case negatableFlag
    /// Any text.
    case text
    /// One of the listed words.
    case choice([Choice])
    /// A whole number of the range, or one of the words that stand beside it, such as `auto`.
    case integer(ClosedRange<Int>, words: [String] = [])
    /// Bytes, as ``Quantity/size(_:)`` reads them.
    case size
    /// A length of time, as ``Quantity/duration(_:)`` reads it.
    case duration
    /// All arguments up to the next option, as `-x` of Info-ZIP takes them.
    case list
  }

  /// A word that a choice accepts.
  package struct Choice: Sendable, Equatable, ExpressibleByStringLiteral {
    package var word: String
    /// Explains the word in the long help; may be empty.
    package var summary: String

    package init(_ word: String, _ summary: String = "") {
      self.word = word
      self.summary = summary
    }

    package init(stringLiteral word: String) { self.init(word) }
  }

  /// What a shell offers for the value.
  package enum Completion: Sendable, Equatable {
    case nothing, file, directory
  }

  /// Long name without dashes; empty for an option that has only a short one.
  package var name: String
  /// Other long names, accepted and completed but not shown.
  package var aliases: [String] = []
  /// Letter after one dash.
  package var short: Character?
  /// Other letters with the same meaning, such as `-I` beside `-O`.
  package var shortAliases: [Character] = []
  package var kind: Kind
  /// Name of the value in help, in capitals.
  package var metavar: String
  /// Heading under which help lists it; the command's first heading when empty.
  package var section: String
  /// Half a line for `-h` and completions: lower case, no full stop.
  package var summary: String
  /// Sentences for `--help` and the manual page; the summary stands before them.
  package var details: String
  package var completion: Completion
  /// Whether every occurrence counts rather than only the last.
  package var isRepeatable: Bool
  /// Whether the value may be missing; then it can only be given as `--name=VALUE`.
  package var isValueOptional: Bool
  /// Whether help, manual page and completions leave it out.
  package var isHidden: Bool
  /// Whether the command needs no operands when this is given.
  package var waivesOperands: Bool
  /// Whether the value is nobody else's business: it is shown in no message and no list of processes.
  package var isSecret: Bool

  /// Declares an option.
  package init(
    _ name: String, _ short: Character? = nil, _ kind: Kind = .flag, metavar: String = "",
    section: String = "", summary: String, details: String = "", completion: Completion = .nothing,
    isRepeatable: Bool = false, isValueOptional: Bool = false, isHidden: Bool = false,
    waivesOperands: Bool = false, isSecret: Bool = false, aliases: [String] = [],
    shortAliases: [Character] = []
  ) {
    self.name = name
    self.short = short
    self.kind = kind
    self.metavar = metavar.isEmpty ? kind.metavar : metavar
    self.section = section
    self.summary = summary
    self.details = details
    self.completion = completion
    self.isRepeatable = isRepeatable || kind == .list
    self.isValueOptional = isValueOptional
    self.isHidden = isHidden
    self.waivesOperands = waivesOperands
    self.isSecret = isSecret
    self.aliases = aliases
    self.shortAliases = shortAliases
  }

  /// What identifies it in a command: the long name, or the letter where there is none.
  package var key: String { name.isEmpty ? short.map { String($0) } ?? "" : name }

  /// As messages call it: `--name`, or `-n` where there is no long name.
  package var spelling: String { name.isEmpty ? "-\(key)" : "--\(name)" }

  /// Whether it is followed by a value.
  package var takesValue: Bool {
    switch kind {
    case .flag, .negatableFlag, .list: false
    default: true
    }
  }

  /// All its letters.
  package var letters: [Character] { (short.map { [$0] } ?? []) + shortAliases }

  /// All its long names; those that begin with `no-` of a negatable one are not among them.
  package var longNames: [String] { (name.isEmpty ? [] : [name]) + aliases }

  /// Words that a shell can offer for the value.
  package var words: [Choice] {
    switch kind {
    case .choice(let choices): choices
    case .integer(_, let words): words.map { Choice($0) }
    default: []
    }
  }
}

extension OptionSpec.Kind {
  fileprivate var metavar: String {
    switch self {
    case .flag, .negatableFlag: ""
    case .text: "TEXT"
    case .choice(let choices): choices.map(\.word).joined(separator: "|")
    case .integer(_, let words): (words + ["N"]).joined(separator: "|")
    case .size: "SIZE"
    case .duration: "TIME"
    case .list: "NAME..."
    }
  }
}
