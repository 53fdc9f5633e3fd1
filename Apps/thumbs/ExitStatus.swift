import CommandLineSupport
import ThumbsJobs

extension ExitStatus {
  /// Some pages are missing.
  static let incomplete = ExitStatus(1)
  /// Not a PDF, or unreadable.
  static let unreadable = ExitStatus(3)
  /// A password is needed or wrong.
  static let locked = ExitStatus(4)
  /// No page was rendered.
  static let nothing = ExitStatus(5)

  init(_ outcome: RunOutcome) {
    switch outcome {
    case .complete: self = .success
    case .incomplete: self = .incomplete
    case .misused: self = .usage
    case .unreadable: self = .unreadable
    case .locked: self = .locked
    case .nothing: self = .nothing
    }
  }
}
