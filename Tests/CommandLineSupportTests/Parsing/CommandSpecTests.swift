import CommandLineSupport
import Testing

@Suite struct CommandSpecTests {
  @Test func `gives every command the shared options`() {
    for option in SharedOptions.all { #expect(Sample.spec.options.contains(option)) }
    #expect(Sample.spec.sections.map(\.title).suffix(2) == ["Messages and progress", "Help"])
  }

  @Test func `lets a command keep its letters and names`() throws {
    let own = OptionSpec("quick", "q", summary: "soon")
    let json = OptionSpec("json", nil, .text, summary: "file")
    let spec = CommandSpec(name: "x", version: "1", summary: "", options: [own, json])
    #expect(spec.options.filter { $0.letters.contains("q") } == [spec.options[0]])
    #expect(spec.options.filter { $0.name == "json" }.count == 1)
    #expect(try parsed(["--quiet", "-q"], by: spec).count(SharedOptions.quiet) == 1)
  }

  @Test(arguments: [
    (CommandSpec.Operand.Arity.one, "X"), (.optional, "[X]"), (.oneOrMore, "X..."),
    (.any, "[X...]"),
  ])
  func `shows how many operands there are`(_ arity: CommandSpec.Operand.Arity, _ text: String) {
    let spec = CommandSpec(
      name: "x", version: "1", summary: "", operands: [.init("X", arity, summary: "")], options: [])
    #expect(spec.usageLines == ["[options] \(text)"])
  }

  @Test func `refuses two options of one letter`() async {
    await #expect(processExitsWith: .failure) {
      let options = [OptionSpec("a", "x", summary: ""), OptionSpec("b", "x", summary: "")]
      _ = CommandSpec(name: "x", version: "1", summary: "", options: options)
    }
  }

  @Test func `refuses two options of one name`() async {
    await #expect(processExitsWith: .failure) {
      let options = [OptionSpec("a", summary: ""), OptionSpec("a", summary: "")]
      _ = CommandSpec(name: "x", version: "1", summary: "", options: options)
    }
  }

  @Test func `combines exit statuses`() {
    #expect(ExitStatus.success.or(.usage) == .usage)
    #expect(ExitStatus.failure.or(.usage) == .failure)
    #expect(ExitStatus(3).worse(ExitStatus(11)) == ExitStatus(11))
  }
}
