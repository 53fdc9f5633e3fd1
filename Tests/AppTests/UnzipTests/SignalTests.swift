import SystemIO
import TestSupport
import Testing

@Suite("unzip and signals") struct SignalTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A gigabyte of zeros that takes seven megabytes, between two small files.
  private func archive() throws -> String {
    // All but the ends of a stream of one long match after the other has a period of 13 bytes.
    let some = TestDeflate.encode([UInt8](repeating: 0, count: 1 + 258 * 64))
    var coded = Array(some[..<15])
    let period = Array(some[2..<15])
    for _ in 0..<(7 << 20) / 13 { coded += period }
    let long = ZipBuilder.Entry(bytes: Array("long".utf8), [], method: 8).with {
      $0.coded = coded
      $0.local = { $0.size = 1 << 30 }
      $0.central = { $0.size = 1 << 30 }
    }
    return try folder.write("a.zip", ZipBuilder([long, .init("z", "small")]).bytes())
  }

  /// Whether the program is in the middle of the large entry, which its part tells.
  private func isInTheMiddle(_ out: String) -> Bool {
    (try? FileSystem.names(in: out).contains { $0.hasSuffix(".part") }) == true
  }

  @Test(arguments: [Signal.interrupt, .terminate])
  func `a signal leaves whole files only and a list of what is missing`(
    signal: Signal
  ) async throws {
    let out = folder.path("out")
    let program = try RunningProgram("unzip", [try archive(), "-d", out])
    try #require(try await eventually { isInTheMiddle(out) }, "\(program.errorText)")
    try program.send(signal)
    #expect(try await program.finish() == .signalled(signal.number))
    #expect(try Set(FileSystem.names(in: out)).isSubset(of: ["z"]))
    if FileSystem.exists(out + "/z") { #expect(try folder.read("out/z") == Array("small".utf8)) }
    #expect(program.errorText.contains("missing: long"))
  }

  @Test func `JSON tells each entry that is missing`() async throws {
    let out = folder.path("out")
    let program = try RunningProgram("unzip", ["--json", try archive(), "-d", out])
    try #require(try await eventually { isInTheMiddle(out) }, "\(program.errorText)")
    try program.send(.interrupt)
    #expect(try await program.finish() == .signalled(Signal.interrupt.number))
    #expect(program.outputText.contains("\"status\":\"cancelled\""))
    #expect(program.outputText.contains("\"rule\":\"cancelled\""))
  }

  @Test(arguments: [[], ["-P", "wrong"]])
  func `nobody is asked where no terminal is`(password: [String]) async throws {
    let path = try folder.write(
      "e.zip",
      ZipBuilder([.init("a", "123456789012345").with { $0.flags = 1 }]).bytes())
    try folder.write("out/a", text: "old")
    let ended = try await BuiltProgram.run(
      "unzip", password + [path, "-d", folder.path("out")])
    #expect([1, 5, 82].contains(ended.status))
    #expect(try folder.read("out/a") == Array("old".utf8))
  }

  // CVE-2018-1000035: the question holds the name.
  @Test func `a password is asked for by the longest of names`() async throws {
    let name = String(repeating: "n", count: 65_535)
    let path = try folder.write(
      "e.zip",
      ZipBuilder([.init(name, "123456789012345").with { $0.flags = 1 }]).bytes())
    // In a session of its own, where the terminal of whoever runs the tests is not at hand.
    let program = try RunningProgram(
      "/usr/bin/setsid", [BuiltProgram.path("unzip"), "-p", path],
      on: .terminal(columns: 80, rows: 24))
    try await program.waitFor("nnn password: ")
    try program.type("wrong\n")
    #expect(try await program.finish() == .exited(status: 82), "\(program.outputText.suffix(200))")
  }
}
