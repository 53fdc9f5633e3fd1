/// Why a run did not begin, or its only result is not there.
package struct RunFailure: Error, Sendable, Equatable {
  /// What it is about: a file, a variable.
  package let subject: String
  /// A lower-case clause that says what was expected and what was found.
  package let message: String
  package let outcome: RunOutcome
}
