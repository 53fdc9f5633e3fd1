package import Dialogue

/// The terminal, pipe or file that a command is run on, as what its jobs talk through.
extension CommandContext: FrontEnd {
  package func shown(_ text: String) -> String {
    console.output.isTerminal ? NameEscaping.escape(text) : text
  }

  package func tell(_ message: Message) {
    switch message {
    case .result(let line): console.print(ConsoleText(trusted: line))
    case .remark(let line): console.printError(ConsoleText(outside: line))
    case .error(let subject, let text): console.error(subject, text)
    case .warning(let subject, let text): console.warning(subject, text)
    case .note(let subject, let text): console.note(subject, text)
    case .record(let value, let isUrgent): console.printJSON(value, isUrgent: isUrgent)
    }
  }

  package func write(_ bytes: RawSpan) throws { try console.write(bytes) }

  package func answer(to question: String) throws -> String? {
    try askBlocking(ConsoleText(outside: question))
  }

  package func secret(for question: String) async throws -> [UInt8]? {
    try await askSecret(ConsoleText(outside: question))
  }
}
