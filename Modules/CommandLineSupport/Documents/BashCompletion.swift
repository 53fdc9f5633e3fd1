/// Completion for bash 4.4 and later, without the bash-completion package.
struct BashCompletion {
  private let spec: CommandSpec

  init(_ spec: CommandSpec) { self.spec = spec }

  var text: String {
    let function = "_courier_\(ShellQuoting.identifier(spec.name))"
    return """
      # bash completion for \(spec.name)
      \(function)() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=
        ((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD - 1]}
        # bash splits --name=value in three at the sign.
        if [[ $cur == "=" ]]; then
          cur=
        elif [[ $prev == "=" ]] && ((COMP_CWORD > 1)); then
          prev=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        case $prev in
      \(cases)  esac
        if [[ $cur == -* ]]; then
          mapfile -t COMPREPLY < <(compgen -W \(ShellQuoting.posix(words)) -- "$cur")
          return
        fi
      \(operands)}
      complete -F \(function) \(spec.name)

      """
  }

  private var words: String {
    spec.shownOptions.flatMap(\.spellings).joined(separator: " ")
  }

  /// One branch for each option with a value.
  private var cases: String {
    let branches = spec.shownOptions.filter { $0.takesValue && !$0.isValueOptional }.map { option in
      "    \(option.spellings.joined(separator: " | ")))\n"
        + "\(reply(option.completion, option.words, indent: "      "))      return\n      ;;\n"
    }
    return branches.joined()
  }

  private var operands: String {
    let completion = spec.operands.map(\.completion).first { $0 != .nothing } ?? .nothing
    return reply(completion, [], indent: "  ")
  }

  private func reply(
    _ completion: OptionSpec.Completion, _ words: [OptionSpec.Choice], indent: String
  ) -> String {
    let command: String
    switch completion {
    case .file: command = "compgen -f"
    case .directory: command = "compgen -d"
    case .nothing where words.isEmpty: return "\(indent)COMPREPLY=()\n"
    case .nothing:
      let list = ShellQuoting.posix(words.map(\.word).joined(separator: " "))
      return "\(indent)mapfile -t COMPREPLY < <(compgen -W \(list) -- \"$cur\")\n"
    }
    return "\(indent)compopt -o filenames 2>/dev/null\n"
      + "\(indent)mapfile -t COMPREPLY < <(\(command) -- \"$cur\")\n"
  }
}
