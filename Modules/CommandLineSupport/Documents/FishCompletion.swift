/// Completion for fish 3.
struct FishCompletion {
  private let spec: CommandSpec

  init(_ spec: CommandSpec) { self.spec = spec }

  var text: String {
    var text = "# fish completion for \(spec.name)\n"
    let takesFiles = spec.operands.contains { $0.completion != .nothing }
    if !takesFiles { text += "complete -c \(spec.name) -f\n" }
    for option in spec.shownOptions { text += line(option) }
    return text
  }

  private func line(_ option: OptionSpec) -> String {
    var line = "complete -c \(spec.name)"
    for letter in option.letters { line += " -s \(ShellQuoting.fish(String(letter)))" }
    for name in option.longNames { line += " -l \(name)" }
    line += value(option) + " -d \(ShellQuoting.fish(option.summary))\n"
    guard option.kind == .negatableFlag else { return line }
    for name in option.longNames {
      line +=
        "complete -c \(spec.name) -l no-\(name)"
        + " -d \(ShellQuoting.fish("not: \(option.summary)"))\n"
    }
    return line
  }

  private func value(_ option: OptionSpec) -> String {
    guard option.takesValue else { return "" }
    // "-r" would make fish wait for a value that may be missing.
    let required = option.isValueOptional ? " -f" : " -x"
    switch option.completion {
    case .file: return option.isValueOptional ? " -F" : " -r -F"
    case .directory: return "\(required) -a '(__fish_complete_directories)'"
    case .nothing where option.words.isEmpty: return required
    case .nothing:
      // fish splits this text like a command line; an unquoted \t ends word and begins description.
      let words = option.words.map { choice in
        choice.summary.isEmpty
          ? choice.word : "\(choice.word)\\t\(ShellQuoting.fish(choice.summary))"
      }
      return "\(required) -a \(ShellQuoting.fish(words.joined(separator: " ")))"
    }
  }
}
