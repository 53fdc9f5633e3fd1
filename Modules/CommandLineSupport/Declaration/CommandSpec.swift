/// Everything a command promises on its command line, in one value.
///
/// The parser, `-h`, `--help`, the manual page and the completions of three shells are folds over it.
/// Options that all commands share, and `-h`, `--help` and `--version`, are added to the table here.
package struct CommandSpec: Sendable, Equatable {
  /// Rules that command lines of this command follow.
  package enum Grammar: Sendable, Equatable {
    /// Options anywhere, `--` ends them, `--name=value`, clusters of letters.
    case gnu
    /// As `gnu`, and as Info-ZIP has it: a dash before a letter, or after the first one, takes one
    /// occurrence back (`--q`, `-t--q`), and a list option before the first operand takes nothing.
    case infoZip
  }

  /// An operand: an argument that is no option.
  package struct Operand: Sendable, Equatable {
    package enum Arity: Sendable, Equatable {
      case one, optional, oneOrMore, any
    }

    /// Name in help, in capitals or lower case as the command's tradition has it.
    package var name: String
    package var arity: Arity
    package var summary: String
    package var completion: OptionSpec.Completion

    package init(
      _ name: String, _ arity: Arity = .one, summary: String,
      completion: OptionSpec.Completion = .nothing
    ) {
      self.name = name
      self.arity = arity
      self.summary = summary
      self.completion = completion
    }
  }

  /// A command line to learn from.
  package struct Example: Sendable, Equatable {
    package var command: String
    package var explanation: String

    package init(_ command: String, _ explanation: String) {
      self.command = command
      self.explanation = explanation
    }
  }

  /// A row of the exit status table.
  package struct Outcome: Sendable, Equatable {
    package var status: ExitStatus
    package var meaning: String

    package init(_ status: ExitStatus, _ meaning: String) {
      self.status = status
      self.meaning = meaning
    }
  }

  /// A section of the manual page beyond the usual ones, such as DIFFERENCES.
  package struct ManualSection: Sendable, Equatable {
    package var title: String
    package var paragraphs: [String]

    package init(_ title: String, _ paragraphs: [String]) {
      self.title = title
      self.paragraphs = paragraphs
    }
  }

  /// Another command in the same binary.
  package struct Alternate: Sendable, Equatable {
    /// First argument that chooses it; what follows in that argument stays: `-Z1` leaves `-1`.
    package var prefix: String
    package var spec: CommandSpec

    package init(prefix: String, spec: CommandSpec) {
      self.prefix = prefix
      self.spec = spec
    }
  }

  package var name: String
  package var version: String
  /// What `--version` adds of this machine; not part of generated documents.
  package var versionDetail: String?
  /// Half a line: lower case, no full stop.
  package var summary: String
  /// Paragraphs for `--help` and the manual page.
  package var description: [String]
  /// What follows the name in the usage line; made from options and operands when empty.
  package var synopses: [String]
  package var operands: [Operand]
  /// The command's own options, in the order of help.
  package let ownOptions: [OptionSpec]
  package var examples: [Example]
  package var outcomes: [Outcome]
  package var manualSections: [ManualSection]
  package var seeAlso: [String]
  package var grammar: Grammar
  /// Status after a command line that cannot be understood.
  package var usageStatus: ExitStatus
  /// Status when standard output could not be written.
  package var outputStatus: ExitStatus
  /// Status after an error that nobody foresaw, such as one that keeps the work from being begun.
  package var failureStatus: ExitStatus
  /// Whether to show help instead of an error when there are no arguments at all.
  package var showsHelpWhenEmpty: Bool
  /// Environment variables with options to put before the others; the first that is set counts.
  package var optionVariables: [String]
  /// Commands chosen by the first argument or by the name of the binary.
  package var alternates: [Alternate]
  /// All options: the command's own, the shared ones, then help and version.
  ///
  /// A shared one loses a letter, or goes, where the command has the letter or name for itself.
  package let options: [OptionSpec]

  /// Declares a command; two options of one name or letter are a programmer's error.
  package init(
    name: String, version: String, summary: String, description: [String] = [],
    synopses: [String] = [], operands: [Operand] = [], options ownOptions: [OptionSpec],
    examples: [Example] = [], outcomes: [Outcome] = [], manualSections: [ManualSection] = [],
    seeAlso: [String] = [], grammar: Grammar = .gnu, usageStatus: ExitStatus = .usage,
    outputStatus: ExitStatus = .failure, failureStatus: ExitStatus = .failure,
    showsHelpWhenEmpty: Bool = false,
    optionVariables: [String] = [], alternates: [Alternate] = []
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.description = description
    self.synopses = synopses
    self.operands = operands
    self.ownOptions = ownOptions
    self.examples = examples
    self.outcomes = outcomes
    self.manualSections = manualSections
    self.seeAlso = seeAlso
    self.grammar = grammar
    self.usageStatus = usageStatus
    self.outputStatus = outputStatus
    self.failureStatus = failureStatus
    self.showsHelpWhenEmpty = showsHelpWhenEmpty
    self.optionVariables = optionVariables
    self.alternates = alternates
    options = CommandSpec.complete(ownOptions)
  }

  private static func complete(_ own: [OptionSpec]) -> [OptionSpec] {
    var letters: Set<Character> = []
    var names: Set<String> = []
    for option in own {
      precondition(!option.key.isEmpty, "an option needs a name or a letter")
      for letter in option.letters {
        precondition(letters.insert(letter).inserted, "two options have the letter '\(letter)'")
      }
      for name in option.longNames {
        precondition(names.insert(name).inserted, "two options have the name '\(name)'")
      }
    }
    var all = own
    let heading = own.first?.section ?? ""
    for index in all.indices where all[index].section.isEmpty {
      all[index].section = heading.isEmpty ? "Options" : heading
    }
    for var shared in SharedOptions.all where !names.contains(shared.name) {
      if let short = shared.short, letters.contains(short) { shared.short = nil }
      all.append(shared)
    }
    return all
  }

  /// The options that help, manual page and completions show.
  package var shownOptions: [OptionSpec] { options.filter { !$0.isHidden } }

  /// Shown options by heading, headings in the order of their first option.
  package var sections: [(title: String, options: [OptionSpec])] {
    var sections: [(title: String, options: [OptionSpec])] = []
    for option in shownOptions {
      if let index = sections.firstIndex(where: { $0.title == option.section }) {
        sections[index].options.append(option)
      } else {
        sections.append((option.section, [option]))
      }
    }
    return sections
  }

  /// Usage lines without the command's name.
  package var usageLines: [String] {
    if !synopses.isEmpty { return synopses }
    let words = operands.map { operand in
      switch operand.arity {
      case .one: operand.name
      case .optional: "[\(operand.name)]"
      case .oneOrMore: "\(operand.name)..."
      case .any: "[\(operand.name)...]"
      }
    }
    return [(["[options]"] + words).joined(separator: " ")]
  }
}
