import Glibc
package import SystemIO

/// Runs programs of this package as processes of their own.
package enum BuiltProgram {
  /// How a program ended and what it wrote.
  package struct Outcome: Sendable {
    package var ending: ChildProcess.Ending
    package var output: String
    package var errors: String
    package var peakMemory: UInt64

    /// The exit status, or -1 when a signal ended it.
    package var status: Int32 {
      if case .exited(let status) = ending { status } else { -1 }
    }
  }

  /// A variable by which a program that crashes ends at once.
  ///
  /// The runtime's backtracer would keep its output open, and hangs where a sanitizer is in the program.
  static let withoutBacktracer = "SWIFT_BACKTRACE=enable=no"

  /// The path of a program, which is built beside the tests.
  package static func path(_ name: String) -> String {
    var link = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &link, link.count)
    let own = String(
      decoding: link.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return Path.join(Path.parent(of: own), name)
  }

  /// Runs a program that may have no more than one file open beside its own three.
  ///
  /// It starts, and cannot listen to signals, which takes a pipe.
  package static func runWithoutFiles(
    _ name: String, _ arguments: [String]
  ) async throws -> Outcome {
    try await run(
      "/bin/sh", ["-c", "ulimit -n 4 && exec \"$0\" \"$@\"", path(name)] + arguments)
  }

  /// Runs a program to its end.
  ///
  /// The signals are sent one after the other, each after a wait.
  package static func run(
    _ name: String, _ arguments: [String], environment: [String] = [],
    signals: [(after: Duration, signal: Int32)] = []
  ) async throws -> Outcome {
    try await OwnedThread.run(named: "program") {
      let directory = try TemporaryDirectory()
      let input = try FileDescriptor.open("/dev/null")
      let output = try FileDescriptor.open(directory.path("out"), [.writeOnly, .create])
      let errors = try FileDescriptor.open(directory.path("err"), [.writeOnly, .create])
      try MemoryPeak.forget()
      let child = try ChildProcess(
        path: path(name), arguments: [name] + arguments,
        // The first of two with the same name counts.
        environment: environment
          + ["PATH=/usr/bin:/bin", "HOME=\(directory.path)", withoutBacktracer],
        descriptors: [input.raw, output.raw, errors.raw])
      for (wait, signal) in signals {
        Loopback.sleep(wait)
        kill(child.id, signal)
      }
      let result = child.wait()
      return Outcome(
        ending: result.ending, output: String(decoding: try directory.read("out"), as: UTF8.self),
        errors: String(decoding: try directory.read("err"), as: UTF8.self),
        peakMemory: result.peakMemory)
    }
  }
}
