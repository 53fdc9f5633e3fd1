/// A document that `--generate` prints.
package enum GeneratedDocument: String, Sendable, CaseIterable {
  case man, bash, zsh, fish

  /// The text of the document for a command.
  package func text(for spec: CommandSpec) -> String {
    switch self {
    case .man: ManualPage(spec).text
    case .bash: BashCompletion(spec).text
    case .zsh: ZshCompletion(spec).text
    case .fish: FishCompletion(spec).text
    }
  }
}

extension OptionSpec.Choice {
  /// The word, and what it means where that is said.
  var description: String { summary.isEmpty ? word : "\(word): \(summary)" }
}

extension OptionSpec {
  /// All spellings, shortest first: `-o`, `--output`, and `--no-resume` of a negatable one.
  var spellings: [String] {
    letters.map { "-\($0)" } + longNames.map { "--\($0)" }
      + (kind == .negatableFlag ? longNames.map { "--no-\($0)" } : [])
  }

  /// The words of a choice; those beside a number are in its metavar already.
  var choices: [Choice] {
    if case .choice(let choices) = kind { return choices }
    return []
  }

  /// The summary, and the details as sentences after it.
  var explanation: String {
    let sentence = summary.prefix(1).uppercased() + summary.dropFirst() + "."
    return details.isEmpty ? sentence : "\(sentence) \(details)"
  }
}
