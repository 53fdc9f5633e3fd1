internal import SystemIO

/// Where a password is, for it never stands in a command line.
package enum PasswordPlace: Sendable, Equatable {
  /// The first line of a file.
  case file(String)
  /// The value of a variable of the environment.
  case variable(String)

  /// Reads it.
  ///
  /// - Throws: ``RunFailure`` when it is not there.
  package func read() throws(RunFailure) -> String {
    switch self {
    case .variable(let name):
      guard let password = Environment[name] else { throw .unset(name) }
      return password
    case .file(let path):
      do {
        let file = try FileDescriptor.open(path)
        let bytes = try file.readToEnd(limit: 1 << 16)
        return String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
      } catch {
        throw .noPassword(in: path, reason: error.reason)
      }
    }
  }
}
