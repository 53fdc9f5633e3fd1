/// Completion for zsh, through its `_arguments`.
struct ZshCompletion {
  private let spec: CommandSpec

  init(_ spec: CommandSpec) { self.spec = spec }

  var text: String {
    let function = "_\(ShellQuoting.identifier(spec.name))"
    let lines = (spec.shownOptions.flatMap(specifications) + operandSpecifications)
      .map { "    \(ShellQuoting.posix($0))" }
    return """
      #compdef \(spec.name)
      # zsh completion for \(spec.name)
      \(function)() {
        _arguments -s -S : \\
      \(lines.joined(separator: " \\\n"))
      }
      if [[ $funcstack[1] == \(function) ]]; then
        \(function) "$@"
      else
        compdef \(function) \(spec.name)
      fi

      """
  }

  /// One specification for each spelling; those of one option exclude each other.
  private func specifications(_ option: OptionSpec) -> [String] {
    let spellings = option.spellings
    let isMany = option.isRepeatable || option.kind == .flag && option.short != nil
    let prefix = isMany ? "*" : "(\(spellings.joined(separator: " ")))"
    return spellings.map { spelling in
      var sign = ""
      if option.takesValue {
        let isLong = spelling.hasPrefix("--")
        sign = option.isValueOptional ? (isLong ? "=-" : "-") : (isLong ? "=" : "+")
      }
      return "\(prefix)\(spelling)\(sign)[\(escape(option.summary))]\(argument(option))"
    }
  }

  private func argument(_ option: OptionSpec) -> String {
    // "*:" with a pattern takes words up to the next one that begins with a dash.
    if option.kind == .list { return ":*-*:\(escape(option.metavar)):" }
    guard option.takesValue else { return "" }
    let colons = option.isValueOptional ? "::" : ":"
    return "\(colons)\(escape(option.metavar)):\(action(option.completion, option.words))"
  }

  private var operandSpecifications: [String] {
    spec.operands.map { operand in
      let action = action(operand.completion, [])
      switch operand.arity {
      case .one: return ":\(escape(operand.name)):\(action)"
      case .optional: return "::\(escape(operand.name)):\(action)"
      case .oneOrMore, .any: return "*:\(escape(operand.name)):\(action)"
      }
    }
  }

  private func action(
    _ completion: OptionSpec.Completion, _ words: [OptionSpec.Choice]
  ) -> String {
    switch completion {
    case .file: return "_files"
    case .directory: return "_files -/"
    case .nothing where words.isEmpty: return " "
    case .nothing:
      return "(("
        + words.map { "\(escape($0.word))\\:\"\(described($0))\"" }
        .joined(separator: " ") + "))"
    }
  }

  private func described(_ choice: OptionSpec.Choice) -> String {
    let text = choice.summary.isEmpty ? choice.word : choice.summary
    // Inside the double quotes of a value list the shell expands once more.
    var escaped = ""
    for character in text {
      if "\"\\$`:".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  private func escape(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "[]:\\".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
