package import ProgressReporting
import Synchronization
package import SystemIO

/// Turns signals into a clean stop, and the others into calls.
///
/// The first of SIGINT, SIGTERM and SIGHUP cancels the work; the second has its default effect.
/// After the clean stop ``CommandMain`` ends the process by the signal it got, so that a shell sees
/// what happened. A signal that the parent made the process ignore stays ignored, as `nohup` wants.
/// SIGTSTP takes the redrawn lines away before the process stops, SIGCONT brings them back.
package final class SignalWatch: Sendable {
  private struct State {
    var received: Signal?
    var actions: [Int: (signal: Signal, run: @Sendable () -> Void)] = [:]
    var nextKey = 0
  }

  private static let deadly: [Signal] = [.interrupt, .terminate, .hangUp]

  private let cancellation: WorkCancellation
  private let console: Console
  private let state = Mutex(State())

  /// Creates a watch that does nothing until ``start()``.
  package init(cancelling cancellation: WorkCancellation, console: Console) {
    self.cancellation = cancellation
    self.console = console
  }

  /// The signal that asked the process to end, if one did.
  package var received: Signal? { state.withLock { $0.received } }

  /// Starts to listen; for the rest of the process, since handlers are global.
  package func start() throws {
    let pipe = try SignalRelay.open().release()
    for signal in SignalWatch.deadly where !signal.isIgnored {
      SignalRelay.relay(signal, once: true)
    }
    for signal in [Signal.user1, .resume, .windowChange] where !signal.isIgnored {
      SignalRelay.relay(signal)
    }
    if console.canRedraw, !Signal.terminalStop.isIgnored { SignalRelay.relay(.terminalStop) }
    _ = try OwnedThread(named: "signals") { [self] in
      let descriptor = FileDescriptor(owning: pipe)
      while let number = SignalWatch.next(descriptor) { handle(Signal(Int32(number))) }
    }
  }

  /// Registers an action for SIGUSR1 (tell the state), SIGCONT or SIGWINCH (draw again).
  ///
  /// - Returns: A key for ``remove(_:)``.
  package func on(_ signal: Signal, _ run: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextKey += 1
      state.actions[state.nextKey] = (signal, run)
      return state.nextKey
    }
  }

  /// Drops an action.
  package func remove(_ key: Int) {
    state.withLock { _ = $0.actions.removeValue(forKey: key) }
  }

  private func handle(_ signal: Signal) {
    if SignalWatch.deadly.contains(signal) {
      state.withLock { $0.received = $0.received ?? signal }
      for other in SignalWatch.deadly where !other.isIgnored { other.restoreDefault() }
      Signal.terminalStop.restoreDefault()
      cancellation.cancel()
      return dieIfStuck(signal)
    }
    if signal == .terminalStop { return stop() }
    if signal == .resume { console.resumeRedraw() }
    let actions = state.withLock { state in
      state.actions.sorted { $0.key < $1.key }.map(\.value).filter { $0.signal == signal }
    }
    for action in actions { action.run() }
  }

  /// Ends the process once one write to standard output has blocked for two seconds.
  ///
  /// Whoever waits there, for a reader that does not read, cannot see that the work was cancelled.
  private func dieIfStuck(_ signal: Signal) {
    var (before, times) = (console.stuckWrite, 0)
    while true {
      // The rest of the process ends it long before, unless there is such a write.
      _ = try? Readiness.wait(for: [], timeout: .milliseconds(100))
      let now = console.stuckWrite
      times = now != nil && now == before ? times + 1 : 0
      before = now
      if times >= 20 { signal.die() }
    }
  }

  /// Stops the process as SIGTSTP would have, and comes back when it is continued.
  private func stop() {
    console.suspendRedraw()
    Signal.terminalStop.restoreDefault()
    Signal.terminalStop.raise()
    SignalRelay.relay(.terminalStop)
    console.resumeRedraw()
  }

  private static func next(_ descriptor: borrowing FileDescriptor) -> UInt8? {
    var byte: UInt8 = 0
    let count = try? unsafe withUnsafeMutableBytes(of: &byte) {
      try unsafe descriptor.read(into: $0)
    }
    return count == 1 ? byte : nil
  }
}
