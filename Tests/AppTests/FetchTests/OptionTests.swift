import SystemIO
import TestSupport
import Testing

@Suite("Every option of fetch", .timeLimit(.minutes(5)))
struct OptionTests {
  @Test(arguments: OptionCase.all)
  func `does what the help says`(_ option: OptionCase) async throws {
    let isLarge = option.names.contains { ["adopt-part", "no-resume"].contains($0) }
    let bench = OptionCase.Bench(
      world: isLarge
        ? try FetchWorld(pattern(1_000_000), script: option.script)
        : try FetchWorld(script: option.script),
      aside: try TemporaryDirectory())
    try await option.check(bench)
  }

  @Test func `has a case here`() async throws {
    let completions = try await BuiltProgram.run("fetch", ["--generate", "fish"]).output
    let declared = completions.matches(of: #/ -l ([a-z0-9.-]+)/#).map { String($0.1) }
    #expect(declared.count > 40)
    #expect(Set(declared).subtracting(OptionCase.all.flatMap(\.names)).isEmpty)
  }
}
