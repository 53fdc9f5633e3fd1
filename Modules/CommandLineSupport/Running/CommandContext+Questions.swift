import ProgressReporting
import SystemIO

extension CommandContext {
  /// Asks on standard error and reads a line from standard input.
  ///
  /// The redrawn lines are away meanwhile.
  /// - Parameter question: With a blank at its end.
  /// - Returns: The line without its end; `nil` at the end of the input.
  /// - Throws: `CancellationError` when the work was cancelled, `SystemError` of the read.
  package func ask(_ question: ConsoleText) async throws -> String? {
    try await OwnedThread.run(named: "question") { [self] in try askBlocking(question) }
  }

  /// The same for a thread of our own, which it blocks; not for the cooperative pool.
  package func askBlocking(_ question: ConsoleText) throws -> String? {
    console.suspendRedraw()
    defer { console.resumeRedraw() }
    console.flush()
    console.printError(question, terminator: "")
    let line = try CommandContext.readLine(FileDescriptor(borrowing: 0), cancellation)
    return line.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Asks for a password on the terminal, which does not show what is typed.
  ///
  /// - Parameter question: With a blank at its end.
  /// - Returns: The bytes typed; `nil` where there is no terminal to ask on, and at its end.
  /// - Throws: `CancellationError` when the work was cancelled, `SystemError` of the terminal.
  package func askSecret(_ question: ConsoleText) async throws -> [UInt8]? {
    console.suspendRedraw()
    defer { console.resumeRedraw() }
    let prompt = question.rendered(isTerminal: true, hasColor: false)
    return try await OwnedThread.run(named: "question") { [cancellation] in
      // Standard input may be the archive; it serves only where there is no controlling terminal.
      let terminal =
        (try? FileDescriptor.open("/dev/tty", .readWrite)) ?? FileDescriptor(borrowing: 0)
      guard terminal.isTerminal else { return nil }
      return try Terminal.withoutEcho(terminal) { terminal in
        try terminal.write(prompt)
        defer { try? terminal.write(Array("\n".utf8)) }
        return try CommandContext.readLine(terminal, cancellation)
      }
    }
  }

  /// Reads up to the end of a line and not a byte further, which may belong to another reader.
  private static func readLine(
    _ descriptor: borrowing FileDescriptor, _ cancellation: WorkCancellation
  ) throws -> [UInt8]? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      try cancellation.check()
      let ready = try Readiness.wait(for: [descriptor.raw], timeout: .milliseconds(100))
      guard ready.first == true else { continue }
      let count = try unsafe withUnsafeMutableBytes(of: &byte) { (bytes) throws(SystemError) in
        try unsafe descriptor.read(into: bytes)
      }
      if count == 0 { return line.isEmpty ? nil : line }
      if byte == UInt8(ascii: "\n") { return line }
      // No name and no password is longer; the rest of an endless line is not kept.
      if line.count < 64 << 10 { line.append(byte) }
    }
  }
}
