package import ProgressReporting

/// What a job talks through: a terminal, a window, a program in memory.
///
/// A job says what there is to say and asks what it must know; it never learns where the words go.
/// All of it may be called from any thread.
package protocol FrontEnd: Sendable {
  /// Asks for the end of the work; jobs give it to the meters they make.
  var cancellation: WorkCancellation { get }

  /// A text from outside, such as a name in an archive, as it may stand in a result.
  ///
  /// A terminal has characters written out that it would obey; others get the text as it is.
  func shown(_ text: String) -> String

  /// Takes what a job says; blocks while its reader is slow.
  func tell(_ message: Message)

  /// Takes bytes of a result, which are not to be changed.
  ///
  /// - Throws: `CancellationError` when nobody takes them any more.
  func write(_ bytes: RawSpan) throws

  /// Asks a question and waits for a line; only on a thread that may be blocked.
  ///
  /// - Parameter question: With a blank at its end, and parts from outside as they came.
  /// - Returns: The line without its end; `nil` when nobody is there to answer.
  /// - Throws: `CancellationError` when the work is cancelled meanwhile, or the failure of a read.
  func answer(to question: String) throws -> String?

  /// Asks for a secret, which nobody is to see.
  ///
  /// - Parameter question: As that of ``answer(to:)``.
  /// - Returns: The bytes; `nil` when nobody is there to answer.
  /// - Throws: `CancellationError` when the work is cancelled meanwhile, or the failure of a read.
  func secret(for question: String) async throws -> [UInt8]?

  /// Shows how far work is while it goes on.
  ///
  /// - Parameters:
  ///   - meter: The root of what to show, made with this front end's ``cancellation``.
  ///   - work: What to do.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  func withProgress<Result>(
    _ meter: WorkMeter, _ work: () async throws -> Result
  ) async throws -> Result
}

extension FrontEnd {
  /// Tells a line of the result; see ``Message/result(_:)``.
  package func result(_ line: String) { tell(.result(line)) }

  /// Tells a line beside the result; see ``Message/remark(_:)``.
  package func remark(_ line: String) { tell(.remark(line)) }

  /// Tells what went wrong; see ``Message/error(_:_:)``.
  package func error(_ subject: String, _ text: String) { tell(.error(subject, text)) }

  /// Tells what is odd; see ``Message/warning(_:_:)``.
  package func warning(_ subject: String, _ text: String) { tell(.warning(subject, text)) }

  /// Tells what is good to know; see ``Message/note(_:_:)``.
  package func note(_ subject: String, _ text: String) { tell(.note(subject, text)) }

  /// Tells programs; see ``Message/record(_:isUrgent:)``.
  package func record(_ value: JSONValue, isUrgent: Bool = true) {
    tell(.record(value, isUrgent: isUrgent))
  }
}
