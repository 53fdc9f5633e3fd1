package import Dialogue
package import ProgressReporting
import Synchronization

/// A front end without process and terminal: keeps what it hears, answers from lists.
package final class MemoryFrontEnd: FrontEnd {
  private struct State {
    var output: [UInt8] = []
    var errors = ""
    var messages: [Message] = []
    var answers: [String]
    var secrets: [String]
    var questions: [String] = []
    var labels: [String] = []
    var progress: WorkSnapshot?
  }

  package let cancellation = WorkCancellation()
  private let name: String
  private let isQuiet: Bool
  private let reaction: @Sendable (Message, WorkCancellation) -> Void
  private let state: Mutex<State>

  /// Creates one that nobody has talked to.
  ///
  /// - Parameters:
  ///   - name: Stands before errors, as the name of a command would.
  ///   - isQuiet: Whether warnings and notes are left out.
  ///   - answers: What is answered, in turn; then nobody is there any more.
  ///   - secrets: The same for passwords.
  ///   - reaction: What is done about a message, as a user would who sees it.
  package init(
    name: String, isQuiet: Bool = false, answers: [String] = [], secrets: [String] = [],
    reaction: @escaping @Sendable (Message, WorkCancellation) -> Void = { _, _ in }
  ) {
    self.name = name
    self.isQuiet = isQuiet
    self.reaction = reaction
    state = Mutex(State(answers: answers, secrets: secrets))
  }

  /// What standard output of a command would have got.
  package var output: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }
  /// What standard error of a command would have got, questions and all.
  package var errors: String { state.withLock { $0.errors } }
  package var messages: [Message] { state.withLock { $0.messages } }
  /// Questions and prompts for secrets.
  package var questions: [String] { state.withLock { $0.questions } }
  /// Labels of the meters that were shown.
  package var labels: [String] { state.withLock { $0.labels } }
  /// How far the last meter was when its work ended.
  package var progress: WorkSnapshot? { state.withLock { $0.progress } }
  /// What programs were told, one line each.
  package var records: [String] {
    messages.compactMap { if case .record(let value, _) = $0 { value.text } else { nil } }
  }

  package func shown(_ text: String) -> String { text }

  package func tell(_ message: Message) {
    state.withLock { state in
      state.messages.append(message)
      switch message {
      case .result(let line): state.output += "\(line)\n".utf8
      case .record(let value, _): state.output += "\(value.text)\n".utf8
      case .remark(let line): state.errors += "\(line)\n"
      case .error(let subject, let text): state.errors += line(subject, text)
      case .warning(let subject, let text):
        if !isQuiet { state.errors += line(subject, "warning: \(text)") }
      case .note(let subject, let text):
        if !isQuiet { state.errors += line(subject, text) }
      }
    }
    reaction(message, cancellation)
  }

  private func line(_ subject: String, _ text: String) -> String {
    "\(name): \(subject.isEmpty ? "" : "\(subject): ")\(text)\n"
  }

  package func write(_ bytes: RawSpan) throws {
    try cancellation.check()
    unsafe bytes.withUnsafeBytes { bytes in
      state.withLock { unsafe $0.output += bytes }
    }
  }

  package func answer(to question: String) -> String? {
    state.withLock { state in
      state.questions.append(question)
      state.errors += question
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
  }

  package func secret(for question: String) -> [UInt8]? {
    state.withLock { state in
      state.questions.append(question)
      return state.secrets.isEmpty ? nil : Array(state.secrets.removeFirst().utf8)
    }
  }

  package func withProgress<Result>(
    _ meter: WorkMeter, _ work: () async throws -> Result
  ) async throws -> Result {
    state.withLock { $0.labels.append(meter.snapshot().label) }
    defer { state.withLock { $0.progress = meter.snapshot() } }
    return try await work()
  }
}
