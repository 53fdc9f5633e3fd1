import SystemIO
import TestSupport
import Testing

/// One option at work on the built command.
struct OptionCase: Sendable, CustomTestStringConvertible {
  /// What a case has to do with.
  struct Bench: Sendable {
    var world: FetchWorld
    /// A directory for what the option needs.
    var aside: TemporaryDirectory

    var folder: TemporaryDirectory { world.folder }
    var server: FaultServer { world.server }
    var url: String { world.server.url("/f") }
    /// The request that came last.
    var last: FaultServer.Request? { world.server.requests.last }

    /// Runs `fetch -q` into the folder.
    func fetch(_ arguments: String..., environment: [String] = []) async throws
      -> BuiltProgram.Outcome
    {
      try await BuiltProgram.run(
        "fetch", ["-q", "-d", world.folder.path] + arguments, environment: environment)
    }

    /// Runs it and expects a status.
    @discardableResult
    func expect(
      _ status: Int32, _ arguments: String..., environment: [String] = [],
      location: SourceLocation = #_sourceLocation
    ) async throws -> BuiltProgram.Outcome {
      let ended = try await BuiltProgram.run(
        "fetch", ["-q", "-d", world.folder.path] + arguments, environment: environment)
      #expect(ended.status == status, "\(ended.errors)", sourceLocation: location)
      return ended
    }
  }

  /// The long names that it is about.
  var names: [String]
  /// How the server answers; `nil` leaves it to be a good one.
  var script: @Sendable (FaultServer.Request) -> [FaultServer.Step]?
  var check: @Sendable (Bench) async throws -> Void

  init(
    _ names: String...,
    script: @escaping @Sendable (FaultServer.Request) -> [FaultServer.Step]? = {
      _ in nil
    }, check: @escaping @Sendable (Bench) async throws -> Void
  ) {
    (self.names, self.script, self.check) = (names, script, check)
  }

  var testDescription: String { names.map { "--\($0)" }.joined(separator: ", ") }

  static var all: [OptionCase] { files + lists + patience + request + connection + knowing }
}
