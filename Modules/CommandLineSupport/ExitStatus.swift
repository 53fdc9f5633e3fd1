/// What a command tells its parent: 0 for done, anything else for why not.
///
/// A command names its own in an extension: `static let network = ExitStatus(4)`.
package struct ExitStatus: Hashable, Sendable {
  /// The number, as `$?` shows it.
  package let code: UInt8

  package init(_ code: UInt8) { self.code = code }

  package static let success = ExitStatus(0)
  package static let failure = ExitStatus(1)
  /// The command line could not be understood.
  package static let usage = ExitStatus(2)

  /// This one, or the other one where this is success.
  package func or(_ other: ExitStatus) -> ExitStatus { self == .success ? other : self }

  /// The one with the greater number, for commands whose numbers grow with severity.
  package func worse(_ other: ExitStatus) -> ExitStatus { code >= other.code ? self : other }
}

/// A reason to stop with a message and a status, thrown by an app's own code.
package struct CommandFailure: Error, Equatable, Sendable {
  /// What it is about: a URL, a file; empty where there is nothing to name.
  package var subject: String
  /// A lower-case clause that says what was expected and what was found.
  package var message: String
  package var status: ExitStatus

  package init(_ subject: String, _ message: String, status: ExitStatus = .failure) {
    self.subject = subject
    self.message = message
    self.status = status
  }
}
