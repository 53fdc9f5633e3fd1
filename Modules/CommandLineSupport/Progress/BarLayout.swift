package import Dialogue
import ProgressReporting

/// Lays rows of progress out as lines of a terminal; a pure function of rows and columns.
///
///     Downloading a.zip  ███████▌░░░░░░░░   45%  12.3 of 27.1 MB  3.21 MB/s  0:05 left
///
/// When the window is narrow, time, speed and amount are left out in this order, then the bar; label
/// and percentage are cut last.
package struct BarLayout: Sendable {
  /// What bars are drawn with.
  package enum Glyphs: Sendable {
    case blocks, ascii
  }

  package var glyphs: Glyphs
  package var hasColor: Bool
  /// Rows below the first that are shown; the rest is counted.
  package var limit: Int

  package init(glyphs: Glyphs = .blocks, hasColor: Bool = false, limit: Int = 8) {
    self.glyphs = glyphs
    self.hasColor = hasColor
    self.limit = limit
  }

  private static let barWidth = 10...30
  private static let labelWidth = 40
  /// A label is never cut below this for the sake of a fact or a bar.
  private static let leastLabel = 12

  /// The lines, none wider than `columns - 3`.
  ///
  /// Many terminals wrap at the last column, and all of them echo `^C` and `^Z` behind the cursor,
  /// which would otherwise begin a row that nobody takes away. Very narrow ones spare one column.
  ///
  /// - Parameters:
  ///   - rows: The whole, then its parts.
  ///   - columns: Width of the terminal.
  ///   - tick: Counts drawings, to move the bar of an unknown total.
  /// - Returns: One line a row, and one that counts the rows left out.
  package func lines(_ rows: [ProgressRow], columns: Int, tick: Int) -> [String] {
    let width = columns < 20 ? max(columns - 1, 1) : columns - 3
    let shown = Array(rows.prefix(limit + 1))
    var lines = lines(shown, width: width, tick: tick)
    if rows.count > shown.count {
      lines.append(DisplayWidth.cut("  and \(rows.count - shown.count) more", to: width))
    }
    return lines
  }

  /// Lines with columns in common, so that bars stand below one another.
  private func lines(_ rows: [ProgressRow], width: Int, tick: Int) -> [String] {
    let labels = rows.enumerated().map { index, row in
      (index == 0 ? "" : "  ") + NameEscaping.escape(row.label)
    }
    let widest = min(labels.map { DisplayWidth.of($0) }.max() ?? 0, BarLayout.labelWidth)
    let facts = fittingFacts(rows, label: min(widest, BarLayout.leastLabel), width: width)
    // Two blanks stand after the label, and two after the bar.
    let room = width - (facts.map { DisplayWidth.of($0) }.max() ?? 0)
    var bar = min(room - widest - 4, BarLayout.barWidth.upperBound)
    if bar < BarLayout.barWidth.lowerBound {
      let least = BarLayout.barWidth.lowerBound
      bar = room - min(widest, BarLayout.leastLabel) - 4 >= least ? least : 0
    }
    let label = min(max(room - (bar > 0 ? bar + 4 : 2), 0), widest)
    return zip(rows, zip(labels, facts)).map { row, texts in
      var line = label > 0 ? DisplayWidth.fit(texts.0, to: label) + "  " : ""
      if bar > 0 { line += drawn(row, width: bar, tick: tick) + "  " }
      return BarLayout.trimmed(line + DisplayWidth.cut(texts.1, to: width))
    }
  }

  /// As many facts as leave room for a label, or the percentage alone.
  ///
  /// Facts of one kind stand below one another, and have room kept for them before they are known,
  /// so that the bar does not change its length when they appear.
  private func fittingFacts(_ rows: [ProgressRow], label: Int, width: Int) -> [String] {
    let all = rows.map { row in
      [BarLayout.padded(row.percent), row.amount, row.pace, row.time]
    }
    let countsBytes = rows.contains { $0.unit == .bytes }
    let isFinite = rows.contains { $0.fraction != nil }
    let kept = [0, 0, countsBytes ? "1.23 MB/s".count : 0, isFinite ? "0:00 left".count : 0]
    let widths = kept.indices.map { column in
      all.reduce(kept[column]) { max($0, DisplayWidth.of($1[column])) }
    }
    for count in [4, 3, 2] {
      let columns = (0..<count).filter { widths[$0] > 0 }
      let widest = columns.reduce(0) { $0 + widths[$1] } + 2 * max(columns.count - 1, 0)
      guard label + 2 + widest <= width else { continue }
      return all.map { facts in
        columns.map { DisplayWidth.fit(facts[$0], to: widths[$0]) }.joined(separator: "  ")
      }
    }
    return rows.map { row in
      let fact = row.percent.isEmpty ? row.amount : row.percent
      // Half a number would be another number.
      if DisplayWidth.of(fact) > width { return "…" }
      return width < 5 ? fact : BarLayout.padded(fact)
    }
  }

  private static func padded(_ percent: String) -> String {
    percent.isEmpty ? "" : String(repeating: " ", count: max(0, 4 - percent.count)) + percent
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }

  // MARK: - Bars

  private func drawn(_ row: ProgressRow, width: Int, tick: Int) -> String {
    let bar = row.fraction.map { filled($0, width: width) } ?? moving(tick, width: width)
    guard hasColor else { return bar }
    return "\u{1B}[\(ConsoleText.Style.cyan.rawValue)m\(bar)\u{1B}[0m"
  }

  private func filled(_ fraction: Double, width: Int) -> String {
    switch glyphs {
    case .ascii:
      let inner = width - 2
      let full = Int(fraction * Double(inner))
      return "[" + String(repeating: "#", count: full)
        + String(repeating: "-", count: inner - full) + "]"
    case .blocks:
      let eighths = Int(fraction * Double(width * 8))
      let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
      let used = eighths / 8 + (partial.isEmpty ? 0 : 1)
      return String(repeating: "█", count: eighths / 8) + partial
        + String(repeating: "░", count: width - used)
    }
  }

  /// A block that runs to and fro.
  private func moving(_ tick: Int, width: Int) -> String {
    let room = (glyphs == .ascii ? width - 2 : width) - 3
    let step = tick % (2 * room)
    let place = step <= room ? step : 2 * room - step
    let (block, ground) = glyphs == .ascii ? ("#", "-") : ("█", "░")
    let bar =
      String(repeating: ground, count: place) + String(repeating: block, count: 3)
      + String(repeating: ground, count: room - place)
    return glyphs == .ascii ? "[\(bar)]" : bar
  }
}
