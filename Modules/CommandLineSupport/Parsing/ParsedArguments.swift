/// What a command line says, checked against its ``CommandSpec``: a value without any effect.
///
/// The accessors take the option's declaration. Of an option given several times the last counts.
package struct ParsedArguments: Sendable, Equatable {
  /// A value of an option, as its kind reads it.
  package enum Value: Sendable, Equatable {
    /// Of a flag; negative where Info-ZIP's `--q` takes one back.
    case count(Int)
    case off
    case text(String)
    case integer(Int)
    case size(UInt64)
    case duration(Duration)
    case list([String])
    /// The option was given without its optional value.
    case absent
  }

  /// One option as given.
  package struct Occurrence: Sendable, Equatable {
    /// The option's ``OptionSpec/key``.
    package var key: String
    package var value: Value

    package init(_ key: String, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// Name of the command that was chosen, which may be an alternate's.
  package var command: String
  /// Options in the order given.
  package var occurrences: [Occurrence]
  /// Arguments that are no options, in the order given.
  package var operands: [String]

  package init(command: String, occurrences: [Occurrence] = [], operands: [String] = []) {
    self.command = command
    self.occurrences = occurrences
    self.operands = operands
  }

  /// Whether an option was given, and not taken back since.
  package func isSet(_ option: OptionSpec) -> Bool {
    switch option.kind {
    case .flag: count(option) > 0
    case .negatableFlag: isOn(option, default: false)
    default: last(option) != nil
    }
  }

  /// Whether a flag was given last, or taken back last; nil where neither was.
  package func state(_ option: OptionSpec) -> Bool? {
    if case .count(let number) = last(option) { return number > 0 }
    return nil
  }

  /// How often a flag was given.
  package func count(_ option: OptionSpec) -> Int {
    var total = 0
    for case let occurrence in occurrences where occurrence.key == option.key {
      if case .count(let number) = occurrence.value { total = max(0, total + number) }
    }
    return total
  }

  /// The state of a flag with a `--no-` form.
  package func isOn(_ option: OptionSpec, default standard: Bool) -> Bool {
    switch last(option) {
    case nil: standard
    case .off: false
    default: true
    }
  }

  /// The last value as text; that of a choice or a word beside an integer too.
  package func text(_ option: OptionSpec) -> String? { last(option)?.text }

  /// All values of a repeatable option or a list.
  package func texts(_ option: OptionSpec) -> [String] {
    occurrences.filter { $0.key == option.key }.flatMap { occurrence in
      if case .list(let items) = occurrence.value { return items }
      return occurrence.value.text.map { [$0] } ?? []
    }
  }

  /// The last value as a number; `nil` for a word beside it, such as `auto`.
  package func integer(_ option: OptionSpec) -> Int? {
    if case .integer(let number) = last(option) { return number }
    return nil
  }

  /// The last value in bytes.
  package func size(_ option: OptionSpec) -> UInt64? {
    if case .size(let bytes) = last(option) { return bytes }
    return nil
  }

  /// The last value as a length of time.
  package func duration(_ option: OptionSpec) -> Duration? {
    if case .duration(let duration) = last(option) { return duration }
    return nil
  }

  /// The last value as a case of an enumeration whose raw values are the option's words.
  package func choice<Choice: RawRepresentable<String>>(
    _ option: OptionSpec, as type: Choice.Type = Choice.self
  ) -> Choice? {
    text(option).flatMap(Choice.init(rawValue:))
  }

  /// The last value, read by the app's own rule.
  ///
  /// - Parameters:
  ///   - option: An option of the kind `text`.
  ///   - expected: What the rule accepts, as a noun phrase for the message.
  ///   - read: The rule; `nil` means no.
  /// - Returns: What the rule made of it; `nil` when the option was not given.
  /// - Throws: ``UsageError`` with the code `badValue`.
  package func value<Result>(
    _ option: OptionSpec, expected: String, _ read: (String) -> Result?
  ) throws(UsageError) -> Result? {
    guard let text = text(option) else { return nil }
    guard let result = read(text) else {
      throw .badValue(text, of: option, expected: expected)
    }
    return result
  }

  /// Which of several options that override each other was given last.
  package func last(of options: [OptionSpec]) -> OptionSpec? {
    let keys = occurrences.map(\.key)
    let latest = options.compactMap { option in
      keys.lastIndex(of: option.key).map { (index: $0, option: option) }
    }
    return latest.max { $0.index < $1.index }?.option
  }

  private func last(_ option: OptionSpec) -> Value? {
    occurrences.last { $0.key == option.key }?.value
  }
}

extension ParsedArguments.Value {
  var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }
}
