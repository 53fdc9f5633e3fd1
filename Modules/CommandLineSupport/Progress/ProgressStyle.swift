/// How progress is shown, chosen once by what the stream is and what the user wants.
package enum ProgressStyle: Sendable, Equatable {
  /// Lines that are redrawn, ten times a second at most.
  case bar
  /// Lines of text, the first one after the interval.
  case plain(every: Duration)
  /// JSON objects, a line each, twice a second.
  case json
  case silent

  /// Chooses.
  ///
  /// - Parameters:
  ///   - settings: What `--progress` and `--quiet` say; `--quiet` gives way to an explicit choice.
  ///   - canRedraw: Whether standard error is a terminal that understands cursor movement.
  ///   - isTerminal: Whether it is a terminal at all.
  package init(_ settings: SharedSettings, canRedraw: Bool, isTerminal: Bool) {
    switch settings.progress {
    case .none: self = .silent
    case .json: self = .json
    case .plain: self = .plain(every: .seconds(1))
    case .bar: self = canRedraw ? .bar : .plain(every: .seconds(1))
    case .auto where settings.quietness > 0: self = .silent
    case .auto where canRedraw: self = .bar
    // A dumb terminal has a person before it, a log file has not.
    case .auto: self = .plain(every: isTerminal ? .seconds(2) : .seconds(10))
    }
  }
}
