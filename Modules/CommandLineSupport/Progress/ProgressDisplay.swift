import Dialogue
package import ProgressReporting
import Synchronization
import SystemIO

/// Shows a meter on a console while work goes on.
///
/// A thread of its own takes a snapshot now and then, so that neither the work nor the tasks of the
/// process wait for a terminal. ``stop()`` ends it and takes the lines away.
package final class ProgressDisplay: Sendable {
  /// What the thread remembers from one drawing to the next.
  private struct State {
    var rows = ProgressRows<ContinuousClock.Instant>()
    var latest: [ProgressRow] = []
    var tick = 0
    var nextLine: ContinuousClock.Instant?
    var lastLine: ProgressRow?
  }

  private let meter: WorkMeter
  private let console: Console
  private let style: ProgressStyle
  private let layout: BarLayout
  private let wake: WakeSignal
  private let isStopping = Atomic<Bool>(false)
  private let state = Mutex(State())
  private let thread = Mutex<OwnedThread?>(nil)

  /// Redrawing more often than this only costs time.
  private static let interval = Duration.milliseconds(100)
  /// Work that is done by then never shows a bar.
  private static let patience = Duration.milliseconds(200)

  /// Prepares to show a meter; nothing is shown before ``start()``.
  package init(
    _ meter: WorkMeter, on console: Console, style: ProgressStyle, glyphs: BarLayout.Glyphs
  ) throws {
    self.meter = meter
    self.console = console
    self.style = style
    layout = BarLayout(glyphs: glyphs, hasColor: console.errorsHaveColor)
    wake = try WakeSignal()
  }

  /// Starts the thread that draws.
  package func start() throws {
    guard style != .silent else { return }
    let started = try OwnedThread(named: "progress") { [self] in
      let begin = ContinuousClock.now
      while !isStopping.load(ordering: .acquiring) {
        if begin.duration(to: .now) >= ProgressDisplay.patience || style == .json { draw() }
        pause(style == .json ? ProgressDisplay.interval * 5 : ProgressDisplay.interval)
      }
    }
    thread.withLock { $0 = started }
  }

  /// Ends the thread and leaves a clean terminal; JSON gets a last object.
  package func stop() {
    isStopping.store(true, ordering: .releasing)
    wake.raise()
    thread.withLock { $0.take() }?.join()
    if style == .json { draw() }
    if style == .bar { console.redraw([]) }
  }

  /// Draws at once, as after a change of the window.
  package func drawNow() { wake.raise() }

  /// Writes one line about the state of the work, as SIGUSR1 asks for.
  package func tell() {
    let rows = state.withLock { $0.rows.update(meter.snapshot(), at: .now) }
    if let row = rows.first { console.printError("\(console.name): \(row.sentence)") }
  }

  private func pause(_ interval: Duration) {
    // Without a pause the loop would be a busy one, so trouble with poll ends the display.
    guard let woken = try? Readiness.wait(for: [wake.descriptor.raw], timeout: interval) else {
      return isStopping.store(true, ordering: .releasing)
    }
    if woken.first == true { wake.lower() }
  }

  private func draw() {
    let now = ContinuousClock.now
    let (rows, tick, line) = state.withLock { state -> ([ProgressRow], Int, ProgressRow?) in
      state.latest = state.rows.update(meter.snapshot(), at: now)
      state.tick += 1
      return (state.latest, state.tick, dueLine(&state, now))
    }
    switch style {
    case .bar:
      console.redraw(layout.lines(rows, columns: console.errors.columns() ?? 80, tick: tick))
    case .json:
      if let row = rows.first { console.printError(ConsoleText(trusted: row.json.text)) }
    case .plain:
      if let line { console.printError("\(console.name): \(line.sentence)") }
    case .silent: break
    }
  }

  /// The line of text that is due, if one is: after the interval, and when a new step begins later.
  private func dueLine(_ state: inout State, _ now: ContinuousClock.Instant) -> ProgressRow? {
    guard case .plain(let interval) = style, let row = state.latest.first else { return nil }
    guard let next = state.nextLine else {
      state.nextLine = now.advanced(by: interval - ProgressDisplay.patience)
      return nil
    }
    guard now >= next, row != state.lastLine else { return nil }
    state.nextLine = now.advanced(by: interval)
    state.lastLine = row
    return row
  }
}
