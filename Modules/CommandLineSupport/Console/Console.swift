package import Dialogue
package import ProgressReporting
import Synchronization
package import SystemIO

/// The one owner of standard output, standard error and the lines that are redrawn.
///
/// Results go to standard output, all else to standard error. Calls may come from any thread and
/// block while the reader of a pipe is slow. Trouble with standard output is remembered, reported
/// once at the end by ``CommandMain``, and cancels ``outputLost`` at once.
package final class Console: Sendable {
  private struct State {
    /// Bytes for standard output that were not written yet.
    var pending: [UInt8] = []
    var failure: SystemError?
    /// Whether the last byte on a terminal's standard output left a line open.
    var isLineOpen = false
    /// The redrawn lines as they stand on the terminal.
    var drawn: [String] = []
    var isSuspended = false
  }

  /// Name of the command, before each message.
  package let name: String
  /// Thrown when standard output is closed or cannot be written; work should stop then.
  package let outputLost = WorkCancellation()
  /// How often `--quiet` was given.
  package let quietness: Int
  /// Standard output's and standard error's properties.
  package let output: ConsoleStream, errors: ConsoleStream
  /// Whether results are colored.
  package let outputHasColor: Bool
  /// Whether messages and progress are colored.
  package let errorsHaveColor: Bool
  private let state = Mutex(State())
  /// Counts beginnings and ends of writes to standard output: odd while one is going on.
  private let writes = Atomic<Int>(0)

  private static let capacity = 64 << 10

  /// Creates a console over two streams.
  package init(
    name: String, output: ConsoleStream, errors: ConsoleStream, looks: ConsoleLooks,
    quietness: Int = 0
  ) {
    self.name = name
    self.output = output
    self.errors = errors
    self.quietness = quietness
    outputHasColor = looks.hasColor(isTerminal: output.isTerminal)
    errorsHaveColor = looks.hasColor(isTerminal: errors.isTerminal)
  }

  /// Creates the console of this process.
  package convenience init(name: String, settings: SharedSettings = SharedSettings()) {
    let looks = ConsoleLooks.current(settings.color)
    self.init(
      name: name, output: .descriptor(1, term: looks.term),
      errors: .descriptor(2, term: looks.term),
      looks: looks, quietness: settings.quietness)
  }

  // MARK: - Results

  /// Writes a line to standard output.
  package func print(_ text: ConsoleText, terminator: String = "\n") {
    let bytes = text.rendered(isTerminal: output.isTerminal, hasColor: outputHasColor)
    append(bytes + terminator.utf8, flushing: output.isTerminal)
  }

  /// Writes a JSON value as a line to standard output.
  ///
  /// - Parameters:
  ///   - value: What to write.
  ///   - isUrgent: Whether the reader should see it now rather than when a buffer is full.
  package func printJSON(_ value: JSONValue, isUrgent: Bool = true) {
    append(Array("\(value.text)\n".utf8), flushing: isUrgent || output.isTerminal)
  }

  /// Writes bytes to standard output as they are.
  ///
  /// - Throws: `CancellationError` when standard output is lost; there is no use in going on.
  package func write(_ bytes: RawSpan) throws {
    try unsafe write(bytes.withUnsafeBytes { unsafe Array($0) })
  }

  /// Writes bytes to standard output as they are.
  ///
  /// - Throws: `CancellationError` when standard output is lost; there is no use in going on.
  package func write(_ bytes: [UInt8]) throws {
    append(bytes, flushing: output.isTerminal)
    try outputLost.check()
  }

  /// Writes out what is buffered.
  package func flush() { append([], flushing: true) }

  /// What went wrong with standard output; `EPIPE` when its reader went away.
  package var outputFailure: SystemError? { state.withLock { $0.failure } }

  /// A number that stays the same while one write to standard output does not come back.
  var stuckWrite: Int? {
    let count = writes.load(ordering: .relaxed)
    return count % 2 == 1 ? count : nil
  }

  private func append(_ bytes: [UInt8], flushing: Bool) {
    let isLost = state.withLock { state -> Bool in
      guard state.failure == nil else { return true }
      state.pending += bytes
      if flushing || state.pending.count >= Console.capacity { flush(&state) }
      return state.failure != nil
    }
    if isLost { outputLost.cancel() }
  }

  private func flush(_ state: inout State) {
    guard !state.pending.isEmpty, state.failure == nil else { return }
    let lines = output.isTerminal ? erase(&state) : []
    writes.wrappingAdd(1, ordering: .relaxed)
    do {
      try output.write(state.pending)
    } catch {
      state.failure = error
    }
    writes.wrappingAdd(1, ordering: .relaxed)
    if output.isTerminal { state.isLineOpen = state.pending.last != UInt8(ascii: "\n") }
    state.pending.removeAll(keepingCapacity: true)
    draw(lines, &state)
  }

  // MARK: - Messages

  /// Tells what went wrong: `name: subject: message` on standard error.
  ///
  /// - Parameters:
  ///   - subject: What it is about: a URL, a file; left out when empty.
  ///   - message: A lower-case clause.
  package func error(_ subject: String, _ message: String) {
    say(.red, subject, message)
  }

  /// Tells what is odd but was dealt with; `--quiet` leaves it out.
  package func warning(_ subject: String, _ message: String) {
    if quietness == 0 { say(.yellow, subject, "warning: \(message)") }
  }

  /// Tells what is good to know; `--quiet` leaves it out.
  package func note(_ subject: String, _ message: String) {
    if quietness == 0 { say(.bold, subject, message) }
  }

  /// Writes a line to standard error as it is, for the forms that an old command has.
  package func printError(_ text: ConsoleText, terminator: String = "\n") {
    let bytes = text.rendered(isTerminal: errors.isTerminal, hasColor: errorsHaveColor)
    state.withLock { state in
      // What was printed before should be seen before, where both streams meet in one file.
      flush(&state)
      let lines = erase(&state)
      // Nobody is left to be told that standard error is gone.
      try? errors.write(bytes + terminator.utf8)
      draw(lines, &state)
    }
    if outputFailure != nil { outputLost.cancel() }
  }

  private func say(_ style: ConsoleText.Style, _ subject: String, _ message: String) {
    let subject: ConsoleText = subject.isEmpty ? "" : "\(subject): "
    printError("\(style, name): \(subject)\(message)")
  }

  // MARK: - Redrawn lines

  /// Whether ``redraw(_:)`` does anything.
  package var canRedraw: Bool { errors.canRedraw }

  /// Replaces the lines at the bottom of the terminal; does nothing on other streams.
  ///
  /// Messages and results appear above them. A line that is wider than the terminal would wrap, so
  /// it should be cut with ``DisplayWidth/cut(_:to:)`` before colors are put in.
  package func redraw(_ lines: [String]) {
    guard canRedraw else { return }
    state.withLock { state in
      if state.isSuspended {
        state.drawn = lines
      } else if lines != state.drawn {
        _ = erase(&state, replacement: lines)
      }
    }
  }

  /// Removes the redrawn lines until ``resumeRedraw()``: before a prompt, or a stop by the user.
  package func suspendRedraw() {
    state.withLock { state in
      let lines = erase(&state)
      state.drawn = lines
      state.isSuspended = true
    }
  }

  /// Shows the redrawn lines again; does nothing where they were not suspended.
  package func resumeRedraw() {
    state.withLock { state in
      guard state.isSuspended else { return }
      state.isSuspended = false
      let lines = state.drawn
      state.drawn = []
      draw(lines, &state)
    }
  }

  /// Takes the lines off the terminal, and puts others there in the same write.
  private func erase(_ state: inout State, replacement: [String] = []) -> [String] {
    guard !state.isSuspended else { return [] }
    let lines = state.drawn
    var sequence = ""
    if !lines.isEmpty {
      // A window made narrower has wrapped what was drawn for a wider one.
      let columns = max(errors.columns() ?? 80, 1)
      let rows = lines.reduce(0) { $0 + max(1, (Ansi.width($1) + columns - 1) / columns) }
      sequence = (rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\r\u{1B}[J"
    }
    if !state.isLineOpen { sequence += replacement.joined(separator: "\r\n") }
    if !sequence.isEmpty { try? errors.write(Array(sequence.utf8)) }
    state.drawn = state.isLineOpen ? [] : replacement
    return lines
  }

  private func draw(_ lines: [String], _ state: inout State) {
    if !lines.isEmpty, !state.isSuspended { _ = erase(&state, replacement: lines) }
  }
}

/// Escape sequences inside text of our own.
enum Ansi {
  /// Columns of a text whose escape sequences are of the form `ESC [ … m`.
  static func width(_ text: String) -> Int {
    var plain = ""
    var isEscape = false
    for character in text {
      if character == "\u{1B}" {
        isEscape = true
      } else if isEscape {
        isEscape = character != "m"
      } else {
        plain.append(character)
      }
    }
    return DisplayWidth.of(plain)
  }
}
