import Glibc
import Synchronization
import SystemIO
package import TestSupport

/// Servers and folders of one row, gone with it.
package final class TruthStage: Sendable {
  private struct State {
    var servers: [FaultServer] = []
    var sockets: [Int32] = []
    var disk: SmallDisk?
  }

  private let folder: TemporaryDirectory
  private let firstNumber: Int
  private let state = Mutex(State())

  /// Makes an empty stage whose servers number requests from a number on.
  package init(numberingFrom firstNumber: Int = 0) throws {
    folder = try TemporaryDirectory()
    self.firstNumber = firstNumber
    try FileSystem.makeDirectory(directory)
  }

  deinit { state.withLock { for socket in $0.sockets { Glibc.close(socket) } } }

  /// Where the file is to land.
  package var directory: String { folder.path("in") }

  /// Where everything else goes.
  package func path(_ name: String) -> String { folder.path("side/" + name) }

  /// Writes a file beside the directory and returns its path.
  package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try folder.write("side/" + name, bytes)
  }

  package func write(_ name: String, text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  // MARK: Servers

  package func serve(
    greeting: [FaultServer.Step]? = nil, security: ServerSecurity? = nil,
    _ script: @escaping @Sendable (FaultServer.Request) -> [FaultServer.Step]
  ) throws -> FaultServer {
    let server = try FaultServer(
      greeting: greeting, security: security, numberingFrom: firstNumber, script)
    state.withLock { $0.servers.append(server) }
    return server
  }

  /// A secured server whose authority is in the file of the name `authority.pem`.
  package func serveSecurely(
    _ claims: ServerIdentity.Claims = ServerIdentity.Claims(),
    _ change: (inout ServerSecurity) -> Void = { _ in },
    _ script: @escaping @Sendable (FaultServer.Request) -> [FaultServer.Step]
  ) throws -> (server: FaultServer, trust: TruthNeed) {
    let authority = try ServerIdentity.authority()
    var security = ServerSecurity(try ServerIdentity(claims, signedBy: authority))
    change(&security)
    let server = try serve(security: security, script)
    return (server, .authority(try write("authority.pem", authority.pem())))
  }

  /// Keeps a socket open until the end.
  package func hold(_ socket: Int32) { state.withLock { $0.sockets.append(socket) } }

  /// A port on which nobody answers, not even with a refusal: its queue of connections is full.
  package func deafPort(_ family: Loopback.Family = .ipv4, port: UInt16 = 0) throws -> UInt16 {
    let (listener, port) = try Loopback.listen(backlog: 0, family: family, port: port)
    hold(listener)
    for _ in 0..<4 { if let socket = Loopback.connectLater(port, family) { hold(socket) } }
    return port
  }

  /// A small disk as the place of the file.
  package func useSmallDisk(bytes: Int) throws -> String {
    guard SmallDisk.isAvailable else { throw TruthUnavailable(description: "only root may mount") }
    let disk = try SmallDisk(bytes: bytes)
    state.withLock { $0.disk = disk }
    return disk.path
  }

  /// Lets everybody come and write.
  package func open(mode: UInt32 = 0o777) {
    for path in [folder.path, directory] { unsafe chmod(path, mode_t(mode)) }
  }

  package var requests: Int {
    state.withLock { $0.servers.reduce(0) { $0 + $1.requests.count } }
  }

  package var connections: Int {
    state.withLock { $0.servers.reduce(0) { $0 + $1.connectionCount } }
  }
}
