package import ProgressReporting

/// What a running command works with.
package struct CommandContext: Sendable {
  package let arguments: ParsedArguments
  package let settings: SharedSettings
  package let console: Console
  /// Thrown by SIGINT, SIGTERM and SIGHUP, and when standard output is lost.
  package let cancellation: WorkCancellation
  package let signals: SignalWatch
}
