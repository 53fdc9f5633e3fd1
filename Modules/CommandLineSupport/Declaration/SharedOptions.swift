/// Options that all commands have, declared once.
package enum SharedOptions {
  private static let outputSection = "Messages and progress"
  private static let helpSection = "Help"

  package static let quiet = OptionSpec(
    "quiet", "q", section: outputSection, summary: "only errors on standard error",
    details: "Progress, notes and warnings are left out. Results are not.")
  package static let progress = OptionSpec(
    "progress", nil,
    .choice([
      .init("auto", "a bar on a terminal, plain lines elsewhere when the work takes long"),
      .init("bar", "a bar that is redrawn, on terminals only"),
      .init("plain", "lines of text, one every few seconds"),
      .init("json", "one JSON object a line on standard error"),
      .init("none", "nothing"),
    ]),
    metavar: "HOW", section: outputSection, summary: "how progress is shown (default auto)")
  package static let color = OptionSpec(
    "color", nil,
    .choice([
      .init("auto", "on a terminal, unless NO_COLOR is set or TERM is dumb"),
      .init("always", "everywhere"),
      .init("never", "nowhere"),
    ]),
    metavar: "WHEN", section: outputSection, summary: "when to use color (default auto)")
  package static let json = OptionSpec(
    "json", nil, section: outputSection, summary: "results as JSON, one object a line")
  package static let help = OptionSpec(
    "help", "h", section: helpSection, summary: "short help with -h, long help with --help",
    waivesOperands: true)
  package static let version = OptionSpec(
    "version", nil, section: helpSection, summary: "name and version", waivesOperands: true)
  /// Prints what packagers install; hidden because users have no need of it.
  package static let generate = OptionSpec(
    "generate", nil, .choice(["man", "bash", "zsh", "fish"]), section: helpSection,
    summary: "print the manual page or a shell's completions", isHidden: true, waivesOperands: true)

  /// In the order of help.
  package static let all = [quiet, progress, color, json, help, version, generate]
}

/// What the shared options say.
package struct SharedSettings: Sendable, Equatable {
  /// When color is used.
  package enum ColorChoice: String, Sendable {
    case auto, always, never
  }

  /// How progress is shown.
  package enum ProgressChoice: String, Sendable {
    case auto, bar, plain, json, none
  }

  /// How often `--quiet` was given.
  package var quietness = 0
  package var progress = ProgressChoice.auto
  package var color = ColorChoice.auto
  package var isJSON = false

  package init() {}

  package init(_ arguments: ParsedArguments) {
    quietness = arguments.count(SharedOptions.quiet)
    progress = arguments.choice(SharedOptions.progress) ?? .auto
    color = arguments.choice(SharedOptions.color) ?? .auto
    isJSON = arguments.isSet(SharedOptions.json)
  }
}
