// All wording about command lines.

extension UsageError {
  static func unknownOption(_ spelling: String, nearest: String?) -> UsageError {
    let hint = nearest.map { ", the nearest is \($0)" } ?? ""
    return UsageError(
      .unknownOption, subject: spelling, message: "there is no such option\(hint)")
  }

  static func missingValue(_ option: OptionSpec, spelling: String) -> UsageError {
    UsageError(
      .missingValue, subject: spelling,
      message: "expected \(option.expectation) after it, found nothing")
  }

  static func unexpectedValue(_ option: OptionSpec, _ value: String) -> UsageError {
    UsageError(
      .unexpectedValue, subject: option.spelling, message: "takes no value, found '\(value)'")
  }

  /// A value that is not what the option takes.
  ///
  /// - Parameters:
  ///   - value: What was given.
  ///   - option: The option it was given to.
  ///   - expected: What was expected, as a noun phrase; made from the option's kind if left out.
  /// - Returns: The error to throw; it does not show the value of an option that takes secrets.
  package static func badValue(
    _ value: String, of option: OptionSpec, expected: String? = nil
  ) -> UsageError {
    let words = option.words.map(\.word)
    let found = option.isSecret ? "something else" : "'\(value)'"
    let nearest = NearestMatch.find(value, among: words).map { ", the nearest is \($0)" } ?? ""
    return UsageError(
      .badValue, subject: option.spelling,
      message: "expected \(expected ?? option.expectation), found \(found)\(nearest)")
  }

  static func missingOperand(_ operand: CommandSpec.Operand) -> UsageError {
    UsageError(
      .missingOperand, subject: operand.name, message: "expected this argument, found none")
  }

  static func unexpectedOperand(_ argument: String, allowed: Int) -> UsageError {
    let expected =
      switch allowed {
      case 0: "no arguments beside options"
      case 1: "one argument"
      default: "at most \(allowed) arguments"
      }
    return UsageError(
      .unexpectedOperand, subject: argument, message: "expected \(expected), found one more")
  }

  /// Two options that exclude each other.
  package static func conflict(_ first: OptionSpec, _ second: OptionSpec) -> UsageError {
    UsageError(
      .conflict, subject: first.spelling, message: "cannot be used together with \(second.spelling)"
    )
  }
}

extension OptionSpec {
  /// What a value should have been.
  var expectation: String {
    switch kind {
    case .flag, .negatableFlag: "no value"
    case .text, .list: metavar
    case .choice(let choices): OptionSpec.alternatives(choices.map(\.word))
    case .integer(let range, let words):
      OptionSpec.alternatives(words + [OptionSpec.describe(range)])
    case .size: "a size such as 500, 64K or 2MiB"
    case .duration: "a time such as 500ms, 10s or 2m"
    }
  }

  private static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func describe(_ range: ClosedRange<Int>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (Int.min, Int.max): "a whole number"
    case (let low, Int.max): "a whole number from \(low) up"
    case (let low, let high): "a whole number from \(low) to \(high)"
    }
  }
}
