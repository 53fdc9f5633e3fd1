/// A command line that cannot be understood.
package struct UsageError: Error, Equatable, Sendable {
  /// What is wrong with it.
  package enum Code: Sendable, Equatable {
    case unknownOption
    case missingValue
    case unexpectedValue
    case badValue
    case missingOperand
    case unexpectedOperand
    case conflict
  }

  package var code: Code
  /// The argument or option it is about.
  package var subject: String
  /// A lower-case clause that says what was expected and what was found.
  package var message: String

  package init(_ code: Code, subject: String, message: String) {
    self.code = code
    self.subject = subject
    self.message = message
  }
}
