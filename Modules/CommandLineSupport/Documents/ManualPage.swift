/// The manual page of a command, in the man(7) macros.
struct ManualPage {
  private let spec: CommandSpec

  init(_ spec: CommandSpec) { self.spec = spec }

  var text: String {
    let title = Roff.quote(spec.name.uppercased())
    var page = ".TH \(title) 1 \"\" \(Roff.quote("Courier \(spec.version)"))\n"
    page += ".nh\n.ad l\n"
    page += ".SH NAME\n\(Roff.escape(spec.name)) \\- \(Roff.escape(spec.summary))\n"
    page += ".SH SYNOPSIS\n"
    let name = "\\fB\(Roff.escape(spec.name))\\fR"
    page += spec.usageLines.map { "\(name) \(Roff.escape($0))\n" }.joined(separator: ".br\n")
    page += section("DESCRIPTION", spec.description)
    if !spec.operands.isEmpty {
      page += ".SH ARGUMENTS\n"
      for operand in spec.operands {
        page += ".TP\n\\fI\(Roff.escape(operand.name))\\fR\n\(Roff.line(operand.summary))"
      }
    }
    page += ".SH OPTIONS\n"
    for section in spec.sections {
      page += ".SS \(Roff.quote(section.title))\n"
      for option in section.options { page += entry(option) }
    }
    page += ending
    return page
  }

  private var ending: String {
    var page = ""
    if !spec.outcomes.isEmpty {
      page += ".SH \"EXIT STATUS\"\n"
      for outcome in spec.outcomes {
        page += ".TP\n\\fB\(outcome.status.code)\\fR\n\(Roff.line(outcome.meaning))"
      }
    }
    for extra in spec.manualSections { page += section(extra.title, extra.paragraphs) }
    if !spec.examples.isEmpty {
      page += ".SH EXAMPLES\n"
      for example in spec.examples {
        page += ".TP\n\\fB\(Roff.escape(example.command))\\fR\n\(Roff.line(example.explanation))"
      }
    }
    if !spec.seeAlso.isEmpty {
      page += section("SEE ALSO", [spec.seeAlso.joined(separator: ", ")])
    }
    return page
  }

  private func section(_ title: String, _ paragraphs: [String]) -> String {
    guard !paragraphs.isEmpty else { return "" }
    return ".SH \(Roff.quote(title))\n"
      + paragraphs.map(Roff.line).joined(separator: ".PP\n")
  }

  private func entry(_ option: OptionSpec) -> String {
    var entry = ".TP\n"
    let value = option.metavar.isEmpty ? "" : "\\fI\(Roff.escape(option.metavar))\\fR"
    let names = option.spellings.map { "\\fB\(Roff.escape($0))\\fR" }.joined(separator: ", ")
    if option.takesValue || option.kind == .list {
      entry += option.isValueOptional ? "\(names)[=\(value)]\n" : "\(names) \(value)\n"
    } else {
      entry += "\(names)\n"
    }
    entry += Roff.line(option.explanation)
    for choice in option.choices {
      let summary = choice.summary.isEmpty ? "" : ": \(Roff.escape(choice.summary))"
      entry += ".br\n\\fB\(Roff.escape(choice.word))\\fR\(summary)\n"
    }
    return entry
  }
}

/// The escapes of groff(7).
enum Roff {
  /// Text that stands inside a line.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "`": escaped += "\\(ga"
      case "\n": escaped += " "
      case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
    return escaped
  }

  /// Text as a line of its own, which no leading dot turns into a request.
  static func line(_ text: String) -> String {
    let escaped = escape(text)
    return (escaped.hasPrefix(".") ? "\\&" : "") + escaped + "\n"
  }

  /// Text as one argument of a macro.
  static func quote(_ text: String) -> String {
    "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .map { escape(String($0)) }.joined(separator: "\\(dq") + "\""
  }
}
