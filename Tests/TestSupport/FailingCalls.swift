import Glibc
import SystemIO

/// Has one system call of a program come back with an error, through `strace`'s injection.
///
/// `strace` joins a program that waits for its standard input, so that the calls by which it was loaded are past.
/// It counts the calls of each thread by itself: a fault may strike in several.
package enum FailingCalls {
  /// Which call, and how it ends.
  package struct Fault: Sendable, CustomStringConvertible {
    /// The kernel's name of the call.
    package var call: String
    /// The name of the error number.
    package var error: String
    /// The number of the call in its thread that does not come to pass, from 1.
    package var place: Int
    /// Only calls on these files and directories count; all where there are none.
    package var paths: [String] = []
    /// Calls that a file system lacks, with the error it has for them each time.
    package var lacking: [String: String] = [:]

    package init(_ call: String, _ error: String, at place: Int, on paths: [String] = []) {
      (self.call, self.error, self.place, self.paths) = (call, error, place, paths)
    }

    package var description: String { "\(error) of \(call) number \(place)" }
  }

  /// What came of a run.
  package struct Outcome: Sendable {
    package var status: Int32
    package var output: String
    package var errors: String
    /// The calls that did not come to pass, as `strace` writes them; none when the program made fewer.
    package var strikes: [String]
  }

  private static let program = "/usr/bin/strace"

  /// Whether there is an `strace` that may join a program.
  package static let isAvailable =
    FileSystem.exists(program) && FileSystem.exists("/proc/self/syscall") && mayAttach

  private static var mayAttach: Bool {
    // Yama lets a process trace its descendants only, unless it is root's.
    guard let file = try? FileDescriptor.open("/proc/sys/kernel/yama/ptrace_scope"),
      let bytes = try? file.readToEnd(limit: 16)
    else { return true }
    return bytes.first == UInt8(ascii: "0") || geteuid() == 0
  }

  /// Runs a program that reads its standard input to the end before it does anything else.
  ///
  /// - Parameters:
  ///   - name: Of an executable target.
  ///   - arguments: Without the program's name.
  ///   - input: What it reads.
  ///   - fault: What does not come to pass.
  /// - Returns: How it ended; status -1 is a signal's.
  /// - Throws: `SystemError`, or `RunningProgram.NothingSeen` where `strace` does not start.
  package static func run(
    _ name: String, _ arguments: [String], input: String, _ fault: Fault
  ) async throws -> Outcome {
    let directory = try TemporaryDirectory()
    let running = try RunningProgram(name, arguments)
    try await waitForRead(of: running.id)
    let tracer = try RunningProgram(
      program, Self.arguments(fault, process: running.id, log: directory.path("log")))
    try await tracer.waitFor("attached")
    try running.type(input)
    running.endInput()
    // A program that hangs is ended, which shows in its status.
    let guardian = Task {
      try await Task.sleep(for: .seconds(300))
      try running.send(Signal(SIGKILL))
    }
    let ending = try await running.finish()
    guardian.cancel()
    try await tracer.finish()
    var status: Int32 = -1
    if case .exited(let code) = ending { status = code }
    let log = String(decoding: try directory.read("log"), as: UTF8.self)
    return Outcome(
      status: status, output: running.outputText, errors: running.errorText,
      strikes: log.split(separator: "\n").filter { $0.hasSuffix("(INJECTED)") }.map(String.init))
  }

  private static func arguments(_ fault: Fault, process: Int32, log: String) -> [String] {
    var result = ["-f", "-y", "-p", "\(process)", "-o", log, "-e", "signal=none"]
    for path in fault.paths { result += ["-P", path] }
    let calls = [fault.call] + fault.lacking.keys
    result += ["-e", "trace=" + calls.joined(separator: ",")]
    for (call, error) in fault.lacking { result += ["-e", "inject=\(call):error=\(error)"] }
    return result + ["-e", "inject=\(fault.call):error=\(fault.error):when=\(fault.place)"]
  }

  /// Waits until a thread of the process is in `read(2)` of descriptor 0.
  private static func waitForRead(of process: Int32) async throws {
    let isReading = try await eventually {
      let threads = (try? FileSystem.names(in: "/proc/\(process)/task")) ?? []
      return threads.contains { thread in
        guard let file = try? FileDescriptor.open("/proc/\(process)/task/\(thread)/syscall"),
          let bytes = try? file.readToEnd(limit: 4096)
        else { return false }
        return String(decoding: bytes, as: UTF8.self).hasPrefix("\(readNumber) 0x0 ")
      }
    }
    guard isReading else { throw SystemError(errno: ETIMEDOUT, call: "read") }
  }

  #if arch(x86_64)
    private static let readNumber = 0
  #else
    private static let readNumber = 63
  #endif
}
