package import ProgressReporting
import SystemIO

extension CommandContext {
  /// Shows a meter while work goes on, in the way that terminal and settings ask for.
  ///
  /// SIGUSR1 has a line about the state printed meanwhile; SIGWINCH and SIGCONT redraw.
  /// - Parameters:
  ///   - meter: The root of the tree to show; make it with this context's `cancellation`.
  ///   - work: What to do.
  /// - Returns: What the work returns; the lines are gone by then.
  /// - Throws: What the work throws.
  package func withProgress<Result>(
    _ meter: WorkMeter, _ work: () async throws -> Result
  ) async throws -> Result {
    let style = ProgressStyle(
      settings, canRedraw: console.canRedraw, isTerminal: console.errors.isTerminal)
    let display = try ProgressDisplay(
      meter, on: console, style: style, glyphs: CommandContext.glyphs)
    // Where the system has no thread left to draw, the work is done unseen.
    try? display.start()
    let keys = [
      signals.on(.user1) { display.tell() },
      signals.on(.windowChange) { display.drawNow() },
      signals.on(.resume) { display.drawNow() },
    ]
    defer {
      for key in keys { signals.remove(key) }
      display.stop()
    }
    return try await work()
  }

  /// Block characters where the locale has them.
  private static var glyphs: BarLayout.Glyphs { hasUnicodeLocale ? .blocks : .ascii }

  /// Whether the locale is a UTF-8 one (locale(7) has the order of the variables).
  package static var hasUnicodeLocale: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment[$0] }
      .first { !$0.isEmpty }
    let name = (locale ?? "").lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}
