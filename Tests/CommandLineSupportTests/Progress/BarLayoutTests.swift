import CommandLineSupport
import Dialogue
import ProgressReporting
import TestSupport
import Testing

@Suite struct BarLayoutTests {
  private func row(
    _ label: String = "Downloading a.zip", _ completed: UInt64 = 12_300_000,
    of total: UInt64? = 27_100_000, unit: WorkUnit = .bytes, speed: Double? = 3_210_000,
    remaining: Duration? = .seconds(5)
  ) -> ProgressRow {
    let fraction = total.map { $0 == 0 ? 0 : Double(completed) / Double($0) }
    return ProgressRow(
      WorkSnapshot(
        label: label, completed: completed, total: total, unit: unit, fraction: fraction),
      speed: speed, remaining: remaining, elapsed: .seconds(4))
  }

  @Test func `lays out all there is room for`() throws {
    var text = ""
    let rows = [row(), row("b", 5, of: 10), row("日本語のとても長い名前のファイル.zip", 1, of: nil)]
    for columns in [120, 100, 80, 60, 50, 40, 30, 20, 10, 5, 1] {
      text += "\(columns):\n"
      for line in BarLayout().lines(rows, columns: columns, tick: 3) { text += "|\(line)|\n" }
    }
    text += "ascii:\n"
    for line in BarLayout(glyphs: .ascii).lines(rows, columns: 80, tick: 3) {
      text += "|\(line)|\n"
    }
    try Golden.expect(text, "bars.txt")
  }

  @Test(arguments: 1...130) func `fits every width`(_ columns: Int) {
    let rows = [
      row(), row("部分🇩🇪e\u{301}", 0, of: 0), row("", 7, of: nil, remaining: nil),
      row("pages", 3, of: 7, unit: .pages), row(String(repeating: "長", count: 100), .max, of: .max),
    ]
    for layout in [BarLayout(), BarLayout(glyphs: .ascii)] {
      for tick in [0, 1, 38] {
        for line in layout.lines(rows, columns: columns, tick: tick) {
          #expect(DisplayWidth.of(line) <= max(columns - (columns < 20 ? 1 : 3), 1), "\(line)")
        }
      }
    }
  }

  @Test func `shows the full bar only when all is done`() {
    let almost = row("a", 999_999, of: 1_000_000)
    let done = row("a", 1_000_000, of: 1_000_000)
    #expect(BarLayout(glyphs: .ascii).lines([almost], columns: 80, tick: 0)[0].contains("-]"))
    #expect(BarLayout(glyphs: .ascii).lines([done], columns: 80, tick: 0)[0].contains("##]"))
    #expect(BarLayout().lines([done], columns: 80, tick: 0)[0].contains("░") == false)
  }

  @Test func `moves a block where the total is unknown`() {
    let rows = [row("a", 5, of: nil, remaining: nil)]
    let lines = (0..<200).map { BarLayout().lines(rows, columns: 80, tick: $0)[0] }
    #expect(Set(lines).count > 10)
    #expect(lines.allSatisfy { $0.contains("███") && !$0.contains("%") })
  }

  @Test func `keeps the bar where it is when facts appear`() {
    let early = BarLayout().lines([row(speed: nil, remaining: nil)], columns: 80, tick: 0)[0]
    let late = BarLayout().lines([row()], columns: 80, tick: 0)[0]
    #expect(late.hasPrefix(early.split(separator: "MB")[0]))
  }

  @Test func `counts the rows it leaves out`() {
    let rows = (0..<20).map { row("part \($0)") }
    let lines = BarLayout(limit: 3).lines(rows, columns: 80, tick: 0)
    #expect(lines.count == 5)
    #expect(lines.last == "  and 16 more")
  }

  @Test func `writes out what a label must not do`() {
    let line = BarLayout().lines([row("a\u{1B}[2J\nb")], columns: 80, tick: 0)[0]
    #expect(line.hasPrefix("a\\x1B[2J\\nb"))
  }

  @Test func `colors the bar alone`() {
    let line = BarLayout(hasColor: true).lines([row()], columns: 80, tick: 0)[0]
    #expect(line.split(separator: "\u{1B}[").count == 3)
  }
}
