import Dialogue

/// What a command line asks for.
package enum CommandRequest: Sendable, Equatable {
  /// To do the work.
  case run(ParsedArguments)
  /// Help: the screen of `-h`, or the long one of `--help` and `-hh`.
  case help(CommandSpec, isLong: Bool)
  case version(CommandSpec)
  /// The hidden `--generate`.
  case generate(CommandSpec, GeneratedDocument)
}

extension CommandSpec {
  /// Reads a command line; a pure function of its arguments.
  ///
  /// - Parameters:
  ///   - arguments: Without the name of the program.
  ///   - programName: Last component of that name; it may choose an alternate.
  ///   - environment: Looks up a variable, for commands that take options from there.
  /// - Returns: What to do: work, help, version or a generated document.
  /// - Throws: ``UsageError`` about the first argument that does not fit.
  package func parse(
    _ arguments: [String], programName: String = "", environment: (String) -> String? = { _ in nil }
  ) throws(UsageError) -> CommandRequest {
    if let (alternate, rest) = alternate(arguments, programName: programName) {
      return try alternate.parse(rest, environment: environment)
    }
    let variable = optionVariables.lazy.compactMap(environment).first { !$0.isEmpty }
    let prepended = variable.map(CommandParser.words) ?? []
    if arguments.isEmpty, showsHelpWhenEmpty { return .help(self, isLong: false) }
    var parser = CommandParser(self, prepended + arguments)
    return try parser.run()
  }

  /// The command that a command line is for, with what is left of its arguments.
  private func alternate(_ arguments: [String], programName: String) -> (CommandSpec, [String])? {
    for alternate in alternates {
      if programName == alternate.spec.name { return (alternate.spec, arguments) }
      guard let first = arguments.first, first.hasPrefix(alternate.prefix) else { continue }
      let rest = first.dropFirst(alternate.prefix.count)
      return (alternate.spec, (rest.isEmpty ? [] : ["-\(rest)"]) + arguments.dropFirst())
    }
    return nil
  }
}

/// One pass over the arguments, left to right.
struct CommandParser {
  private let spec: CommandSpec
  private var rest: ArraySlice<String>
  private var parsed: ParsedArguments
  private var helpLevel = 0
  private var request: CommandRequest?

  init(_ spec: CommandSpec, _ arguments: [String]) {
    self.spec = spec
    rest = arguments[...]
    parsed = ParsedArguments(command: spec.name)
  }

  mutating func run() throws(UsageError) -> CommandRequest {
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.operands += rest
        break
      } else if argument.hasPrefix("--") {
        try readLong(argument)
      } else if argument.hasPrefix("-"), argument != "-" {
        try readLetters(argument.dropFirst())
      } else {
        parsed.operands.append(argument)
      }
      if let request { return request }
      if helpLevel > 0 { return .help(spec, isLong: helpLevel > 1) }
    }
    try checkOperands()
    return .run(parsed)
  }

  // MARK: - Long options

  private mutating func readLong(_ argument: String) throws(UsageError) {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if let option = spec.options.first(where: { $0.longNames.contains(name) }) {
      return try readLong(option, attached)
    }
    if name.hasPrefix("no-"), let option = negatable(String(name.dropFirst(3))) {
      if let attached { throw .unexpectedValue(option, attached) }
      return record(option, .off)
    }
    if spec.grammar == .infoZip, isNegation(name) { return try readLetters(argument.dropFirst()) }
    throw .unknownOption("--\(name)", nearest: nearest(to: name))
  }

  private mutating func readLong(
    _ option: OptionSpec, _ attached: String?
  ) throws(UsageError) {
    if option.takesValue {
      if let attached { return record(option, try value(attached, of: option)) }
      if option.isValueOptional { return record(option, .absent) }
      guard let next = rest.popFirst() else {
        throw .missingValue(option, spelling: option.spelling)
      }
      return record(option, try value(next, of: option))
    }
    if option.kind == .list { return record(option, .list((attached.map { [$0] } ?? []) + list())) }
    if let attached { throw .unexpectedValue(option, attached) }
    if option.key == SharedOptions.help.key { return helpLevel = 2 }
    record(option, .count(1))
  }

  private func negatable(_ name: String) -> OptionSpec? {
    spec.options.first { $0.kind == .negatableFlag && $0.longNames.contains(name) }
  }

  private func nearest(to name: String) -> String? {
    let negations = spec.options.filter { $0.kind == .negatableFlag }
      .flatMap { $0.longNames.map { "no-\($0)" } }
    let names = spec.shownOptions.flatMap(\.longNames) + negations
    return NearestMatch.find(name, among: names).map { "--\($0)" }
  }

  /// Whether letters after two dashes take occurrences back, as in `--q`.
  private func isNegation(_ letters: String) -> Bool {
    !letters.isEmpty
      && letters.allSatisfy { letter in
        letter == "-"
          || spec.options.contains { $0.letters.contains(letter) && $0.kind == .flag }
      }
  }

  // MARK: - Letters

  private mutating func readLetters(_ cluster: Substring) throws(UsageError) {
    var cluster = cluster
    var negations = 0
    while let letter = cluster.popFirst() {
      if letter == "-", spec.grammar == .infoZip {
        negations += 1
        continue
      }
      guard let option = spec.options.first(where: { $0.letters.contains(letter) }) else {
        let long = nearest(to: letter.description + cluster)
        throw .unknownOption("-\(letter)", nearest: cluster.isEmpty ? nil : long)
      }
      if option.key == SharedOptions.help.key {
        helpLevel += 1
      } else if option.takesValue {
        // The whole rest belongs to the option, so the loop ends here.
        try readValue(of: option, letter: letter, attached: &cluster)
      } else if option.kind == .list {
        readList(option, attached: &cluster)
      } else {
        record(option, .count(negations > 0 ? -negations : 1))
      }
      negations = 0
    }
  }

  private mutating func readValue(
    of option: OptionSpec, letter: Character, attached: inout Substring
  ) throws(UsageError) {
    defer { attached = "" }
    if !attached.isEmpty { return record(option, try value(String(attached), of: option)) }
    if option.isValueOptional { return record(option, .absent) }
    guard let next = rest.popFirst() else { throw .missingValue(option, spelling: "-\(letter)") }
    record(option, try value(next, of: option))
  }

  private mutating func readList(_ option: OptionSpec, attached: inout Substring) {
    // "unzip -x a.zip" says "extract" in Info-ZIP's tradition and excludes nothing.
    if spec.grammar == .infoZip, parsed.operands.isEmpty { return }
    let first = attached.isEmpty ? [] : [String(attached)]
    attached = ""
    record(option, .list(first + list()))
  }

  /// Takes arguments up to the next option.
  private mutating func list() -> [String] {
    let items = rest.prefix { $0 == "-" || !$0.hasPrefix("-") }
    rest = rest.dropFirst(items.count)
    return Array(items)
  }

  // MARK: - Values

  private mutating func record(_ option: OptionSpec, _ value: ParsedArguments.Value) {
    parsed.occurrences.append(.init(option.key, value))
    if option.key == SharedOptions.version.key, value == .count(1) { request = .version(spec) }
    if option.key == SharedOptions.generate.key, case .text(let word) = value,
      let document = GeneratedDocument(rawValue: word)
    {
      request = .generate(spec, document)
    }
  }

  private func value(
    _ text: String, of option: OptionSpec
  ) throws(UsageError) -> ParsedArguments.Value {
    let value: ParsedArguments.Value? =
      switch option.kind {
      case .flag, .negatableFlag, .list: nil
      case .text: .text(text)
      case .choice(let choices): choices.contains { $0.word == text } ? .text(text) : nil
      case .integer(_, let words) where words.contains(text): .text(text)
      case .integer(let range, _): Int(text).flatMap { range.contains($0) ? .integer($0) : nil }
      case .size: Quantity.size(text).map { .size($0) }
      case .duration: Quantity.duration(text).map { .duration($0) }
      }
    guard let value else { throw .badValue(text, of: option) }
    return value
  }

  private func checkOperands() throws(UsageError) {
    let waiving = Set(spec.options.filter(\.waivesOperands).map(\.key))
    let isWaived = parsed.occurrences.contains { waiving.contains($0.key) }
    var given = parsed.operands.count
    for operand in spec.operands where operand.arity == .one || operand.arity == .oneOrMore {
      if given == 0, !isWaived { throw .missingOperand(operand) }
      given -= min(given, 1)
    }
    let isOpen = spec.operands.contains { $0.arity == .any || $0.arity == .oneOrMore }
    let limit = spec.operands.count
    guard isOpen || parsed.operands.count <= limit else {
      throw .unexpectedOperand(parsed.operands[limit], allowed: limit)
    }
  }

  /// Splits the value of an options variable: blanks separate, quotes and backslashes protect.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
