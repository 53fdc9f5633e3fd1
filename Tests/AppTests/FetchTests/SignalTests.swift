import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("fetch, interrupted by a person")
struct SignalTests {
  private let body = pattern(1_000_000)
  private static let head =
    "HTTP/1.1 200 OK\nContent-Length: 1000000\nETag: \"v1\"\nAccept-Ranges: bytes\n\n"

  /// A server that sends 600 kB, waits for a word, and then does what the rest says.
  private func world(_ gate: Gate, then rest: [FaultServer.Step]) throws -> FetchWorld {
    let body = body
    return try FetchWorld(body) { request in
      guard request.number == 0 else { return nil }
      return [
        .text(Self.head), .send(Array(body.prefix(600_000))), .until { gate.isOpen },
      ] + rest
    }
  }

  private final class Gate: Sendable {
    private let state = Mutex(false)
    var isOpen: Bool { state.withLock { $0 } }
    func open() { state.withLock { $0 = true } }
  }

  private func screen(_ program: RunningProgram) -> ScreenModel {
    var model = ScreenModel(columns: 100)
    model.feed(program.outputText)
    return model
  }

  @Test(arguments: [true, false])
  func `goes on after it was stopped and continued`(connectionDies: Bool) async throws {
    let gate = Gate()
    let world = try world(
      gate, then: connectionDies ? [.reset] : [.send(Array(body[600_000...]))])
    // Stopped for longer than a stall may last; without a retry where none should be needed.
    let program = try RunningProgram(
      "fetch",
      [
        "--stall-timeout", "5s", "--retry", connectionDies ? "1" : "0", "-d", world.folder.path,
        world.server.url("/f"),
      ], on: .terminal(columns: 100, rows: 24))
    try await program.waitFor("600 kB of 1.00 MB")
    if try await program.stop() {
      #expect(try await eventually { screen(program).lines.isEmpty }, "the bar is away")
    }
    try await Task.sleep(for: .seconds(6))
    gate.open()
    try program.send(.resume)
    #expect(try await program.finish() == .exited(status: 0), "\(program.outputText)")
    #expect(try world.folder.read("f") == body)
    #expect(world.server.requests.count == (connectionDies ? 2 : 1))
    if connectionDies { #expect((world.server.requests[1].range?.first ?? 0) > 500_000) }
    #expect(screen(program).lines.last == "fetch: \(world.folder.path("f")): 1.00 MB")
    #expect(screen(program).unknown.isEmpty)
  }

  @Test(arguments: [RunningProgram.Place.pipes, .terminal(columns: 100, rows: 24)])
  func `says how far it is on SIGUSR1`(place: RunningProgram.Place) async throws {
    let gate = Gate()
    let world = try world(gate, then: [.send(Array(body[600_000...]))])
    let program = try RunningProgram(
      "fetch", ["-q", "-d", world.folder.path, world.server.url("/f")], on: place)
    try #require(
      try await eventually { (try? world.folder.read("f.part").count) ?? 0 >= 600_000 })
    // A file may have bytes that are not counted yet.
    let line = "fetch: \(world.server.url("/f")): 60%, 600 kB of 1.00 MB"
    #expect(
      try await eventually {
        try program.send(.user1)
        return (program.outputText + program.errorText).contains(line)
      })
    gate.open()
    #expect(try await program.finish() == .exited(status: 0))
  }

  @Test(arguments: [Signal.interrupt, .terminate, .hangUp])
  func `keeps the part, says how to go on, and dies by the signal`(signal: Signal) async throws {
    let world = try world(Gate(), then: [])
    let program = try RunningProgram(
      "fetch", ["-d", world.folder.path, world.server.url("/f")],
      on: .terminal(columns: 100, rows: 24))
    try await program.waitFor("600 kB of 1.00 MB")
    try program.send(signal)
    #expect(try await program.finish() == .signalled(signal.number))
    #expect(try world.names == ["f.part", "f.part.journal"])
    #expect(
      screen(program).lines == [
        "fetch: \(world.folder.path("f.part")): 600 kB are kept; the same command goes on from there"
      ])
    let again = try await world.run("-d", world.folder.path, world.server.url("/f"))
    #expect(again.status == 0)
    #expect(try world.folder.read("f") == body)
    #expect((world.server.requests.last?.range?.first ?? 0) > 500_000)
  }

  @Test func `shows a bar for each file and one for all`() async throws {
    let gate = Gate()
    let body = body
    let world = try FetchWorld(body) { _ in
      [
        .text(Self.head), .send(Array(body.prefix(600_000))), .until { gate.isOpen },
        .send(Array(body[600_000...])),
      ]
    }
    let list = try world.folder.write(
      "list", text: ["/a", "/b", "/c"].map { world.server.url($0) + "\n" }.joined())
    let program = try RunningProgram(
      "fetch", ["-i", list, "-j", "2", "-d", world.folder.path],
      on: .terminal(columns: 100, rows: 24))
    // They are drawn again all the time: all is seen in one look.
    #expect(
      try await eventually {
        let rows = screen(program).lines
        guard rows.count == 3 else { return false }
        let halves = rows.filter { $0.contains("600 kB of 1.00 MB") }
        return rows[0].hasPrefix("Downloading") && rows[0].contains("40%  0 of 3 files")
          && halves.count { $0.contains("/a") } == 1 && halves.count { $0.contains("/b") } == 1
      }, "\(screen(program).lines)")
    gate.open()
    #expect(try await program.finish() == .exited(status: 0))
    #expect(
      screen(program).lines.sorted()
        == ["a", "b", "c"].map { "fetch: \(world.folder.path($0)): 1.00 MB" })
  }
}
