/// The text of `-h` and `--help`.
package struct HelpScreen {
  private let spec: CommandSpec
  private let width: Int

  /// - Parameters:
  ///   - spec: The command.
  ///   - width: Columns of the screen; text uses at most 100 and at least 40 of them.
  package init(_ spec: CommandSpec, width: Int = 80) {
    self.spec = spec
    self.width = min(max(width, 40), 100)
  }

  /// One line an option.
  package var short: String {
    var text = usage + TextLayout.paragraph("\(spec.name): \(spec.summary)", width: width)
    for section in spec.sections {
      text += "\n\(section.title):\n"
      for option in section.options {
        text += TextLayout.entry(
          HelpScreen.term(option), option.summary, column: column, width: width)
      }
    }
    return text + "\n" + TextLayout.paragraph("More with: \(spec.name) --help", width: width)
  }

  /// Everything that the manual page says as well.
  package var long: String {
    var text = usage + TextLayout.paragraph("\(spec.name): \(spec.summary)", width: width)
    for paragraph in spec.description {
      text += "\n" + TextLayout.paragraph(paragraph, width: width)
    }
    if !spec.operands.isEmpty {
      text += "\nArguments:\n"
      for operand in spec.operands {
        text += TextLayout.entry(operand.name, operand.summary, column: column, width: width)
      }
    }
    for section in spec.sections {
      text += "\n\(section.title):\n"
      for option in section.options { text += longEntry(option) }
    }
    if !spec.examples.isEmpty {
      text += "\nExamples:\n"
      for example in spec.examples {
        text += "  \(example.command)\n"
        text += TextLayout.paragraph(example.explanation, indent: 6, width: width)
      }
    }
    if !spec.outcomes.isEmpty {
      text += "\nExit status:\n"
      for outcome in spec.outcomes {
        text += TextLayout.entry("\(outcome.status.code)", outcome.meaning, column: 8, width: width)
      }
    }
    return text
  }

  /// Where the text of an entry begins; on a narrow screen it stands below its term.
  private var column: Int { width < 60 ? 8 : 28 }

  private var usage: String {
    spec.usageLines.enumerated().map { index, line in
      (index == 0 ? "Usage: " : "       ") + "\(spec.name) \(line)\n"
    }.joined()
  }

  private func longEntry(_ option: OptionSpec) -> String {
    var text = "  \(HelpScreen.term(option))\n"
    text += TextLayout.paragraph(option.explanation, indent: 10, width: width)
    for choice in option.choices {
      text += TextLayout.paragraph(choice.description, indent: 12, width: width)
    }
    return text
  }

  /// The left column: `-o, --output FILE`, with the long names below one another.
  static func term(_ option: OptionSpec) -> String {
    let letters = option.letters.map { "-\($0)" }
    let long = option.name.isEmpty ? [] : ["--\(negation(option))\(option.name)"]
    let names = (letters + long).joined(separator: ", ")
    let indented = letters.isEmpty ? "    \(names)" : names
    if option.kind == .list { return "\(indented) \(option.metavar)" }
    guard option.takesValue else { return indented }
    if option.isValueOptional { return "\(indented)[=\(option.metavar)]" }
    return "\(indented) \(option.metavar)"
  }

  private static func negation(_ option: OptionSpec) -> String {
    option.kind == .negatableFlag ? "[no-]" : ""
  }
}
