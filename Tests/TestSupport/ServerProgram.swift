import Glibc
import SystemIO

/// A server of Debian's with a configuration of its own, on a free port of loopback, stopped when this
/// value's life ends.
package final class ServerProgram: Sendable {
  /// The servers that tests use, each where Debian puts it.
  package enum Kind: String, Sendable {
    case danted, squid, vsftpd

    /// Where the program is, or `nil` where it is not installed.
    package var path: String? {
      ["/usr/sbin/\(rawValue)", "/usr/local/sbin/\(rawValue)"].first { FileSystem.exists($0) }
    }
  }

  package let port: UInt16
  /// Holds the configuration and what the server writes.
  package let work: TemporaryDirectory
  private let child: ChildProcess

  /// Starts a server and waits until it listens.
  ///
  /// - Parameters:
  ///   - kind: Which.
  ///   - arguments: What follows the name, given the path of the configuration.
  ///   - configuration: Its text, given the port and a directory to write to.
  /// - Throws: A system error where it does not start.
  package init(
    _ kind: Kind, arguments: (String) -> [String], configuration: (UInt16, String) -> String
  ) throws {
    guard let program = kind.path else { throw SystemError(errno: ENOENT, call: kind.rawValue) }
    work = try TemporaryDirectory()
    port = try Loopback.closedPort()
    unsafe chmod(work.path, 0o777)
    let file = try work.write("configuration", text: configuration(port, work.path))
    let nothing = try FileDescriptor.open("/dev/null", [.readWrite])
    let output = try FileDescriptor.open(work.path("output"), [.writeOnly, .create])
    child = try ChildProcess(
      path: program, arguments: [kind.rawValue] + arguments(file),
      environment: ["PATH=/usr/sbin:/usr/bin:/bin"],
      descriptors: [nothing.raw, output.raw, output.raw])
    guard Loopback.isServed(port, by: child) else {
      throw SystemError(errno: ETIMEDOUT, call: kind.rawValue)
    }
  }

  // Its helper processes end with it only when it is asked politely.
  deinit {
    kill(child.id, SIGTERM)
    for _ in 0..<250 {
      var info = unsafe siginfo_t()
      if unsafe waitid(P_PID, id_t(child.id), &info, WEXITED | WNOHANG | WNOWAIT) != 0 { return }
      if unsafe info.si_signo != 0 { return }
      Loopback.sleep(.milliseconds(20))
    }
  }
}

extension TemporaryDirectory {
  /// Sets who may do what with a file in it.
  package func setMode(_ name: String, _ mode: UInt32) { unsafe chmod(path(name), mode_t(mode)) }
}
