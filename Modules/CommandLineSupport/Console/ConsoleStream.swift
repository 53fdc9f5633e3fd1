package import SystemIO

/// Where a console's bytes go, and what is known about the place.
package struct ConsoleStream: Sendable {
  /// What a write throws.
  package typealias Failure = SystemError

  /// Whether somebody looks at it through a terminal.
  package var isTerminal: Bool
  /// Whether the terminal understands cursor movement; never true without `isTerminal`.
  package var canRedraw: Bool
  /// Columns now; asked anew each time because windows change.
  package var columns: @Sendable () -> Int?
  /// Writes all bytes or throws.
  package var write: @Sendable ([UInt8]) throws(Failure) -> Void

  package init(
    isTerminal: Bool, canRedraw: Bool, columns: @escaping @Sendable () -> Int?,
    write: @escaping @Sendable ([UInt8]) throws(Failure) -> Void
  ) {
    self.isTerminal = isTerminal
    self.canRedraw = isTerminal && canRedraw
    self.columns = columns
    self.write = write
  }

  /// A descriptor that stays open, such as 1 or 2.
  ///
  /// - Parameters:
  ///   - descriptor: Its number.
  ///   - term: The value of `TERM`.
  /// - Returns: The stream; the descriptor is not closed with it.
  package static func descriptor(_ descriptor: Int32, term: String?) -> ConsoleStream {
    let isTerminal = FileDescriptor(borrowing: descriptor).isTerminal
    return ConsoleStream(
      isTerminal: isTerminal, canRedraw: !(term ?? "").isEmpty && term != "dumb",
      columns: { Terminal.size(of: descriptor)?.columns },
      write: { (bytes) throws(SystemError) in
        try FileDescriptor(borrowing: descriptor).write(bytes)
      })
  }
}

/// What the environment and `--color` say about looks.
package struct ConsoleLooks: Sendable, Equatable {
  /// The value of `TERM`.
  package var term: String?
  /// The value of `NO_COLOR`; any but the empty one asks for none (no-color.org).
  package var noColor: String?
  package var choice: SharedSettings.ColorChoice

  package init(
    term: String?, noColor: String?, choice: SharedSettings.ColorChoice = .auto
  ) {
    self.term = term
    self.noColor = noColor
    self.choice = choice
  }

  /// What this process was started with.
  package static func current(_ choice: SharedSettings.ColorChoice = .auto) -> ConsoleLooks {
    ConsoleLooks(term: Environment["TERM"], noColor: Environment["NO_COLOR"], choice: choice)
  }

  /// Whether a stream gets color.
  package func hasColor(isTerminal: Bool) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && (noColor ?? "").isEmpty && !(term ?? "").isEmpty && term != "dumb"
    }
  }
}
