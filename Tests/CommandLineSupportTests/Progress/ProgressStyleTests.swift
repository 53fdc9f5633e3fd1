import CommandLineSupport
import Testing

@Suite struct ProgressStyleTests {
  @Test(
    arguments: [
      ([], true, true, ProgressStyle.bar), ([], false, true, .plain(every: .seconds(2))),
      ([], false, false, .plain(every: .seconds(10))), (["-q"], true, true, .silent),
      (["--progress=none"], true, true, .silent), (["--progress=json"], true, true, .json),
      (["--progress=bar"], false, false, .plain(every: .seconds(1))),
      (["--progress=plain"], true, true, .plain(every: .seconds(1))),
      (["-q", "--progress=bar"], true, true, .bar),
    ] as [([String], Bool, Bool, ProgressStyle)])
  func `chooses the renderer`(
    _ arguments: [String], _ canRedraw: Bool, _ isTerminal: Bool, _ style: ProgressStyle
  ) throws {
    let settings = SharedSettings(try parsed(arguments + ["url"]))
    #expect(ProgressStyle(settings, canRedraw: canRedraw, isTerminal: isTerminal) == style)
  }
}
