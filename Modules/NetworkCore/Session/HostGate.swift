import Synchronization
import SystemIO

/// Lets the requests of a session pass, host by host, as ``HostConcurrency`` has it.
///
/// May be called from any thread. Whoever was let in, or waits for it, holds a pass and gives it back.
final class HostGate: Sendable {
  /// Stands for one request, under way or waiting.
  struct Pass: Hashable, Sendable {
    let host: String
    fileprivate let number: Int
  }

  private struct Host {
    var policy = HostConcurrency()
    /// When each of the requests under way was made.
    var running: [Int: Duration] = [:]
    var waiting: [(number: Int, admit: @Sendable () -> Void)] = []
  }

  private struct State {
    var hosts: [String: Host] = [:]
    var counter = 0
  }

  private let state = Mutex(State())
  private let loop: TransferLoop

  init(_ loop: TransferLoop) { self.loop = loop }

  /// Lets a request in if it may start at once.
  func enter(_ host: String) -> Pass? {
    state.withLock { state in
      let now = Environment.monotonicNow
      var entry = state.hosts[host] ?? Host()
      defer { state.hosts[host] = entry }
      guard entry.waiting.isEmpty,
        entry.policy.allowsAnother(running: entry.running.count, now: now)
      else { return nil }
      state.counter += 1
      entry.running[state.counter] = now
      return Pass(host: host, number: state.counter)
    }
  }

  /// Whether a further request would be let in.
  func isOpen(_ host: String) -> Bool {
    state.withLock { state in
      guard var entry = state.hosts[host] else { return true }
      defer { state.hosts[host] = entry }
      return entry.waiting.isEmpty
        && entry.policy.allowsAnother(
          running: entry.running.count, now: Environment.monotonicNow)
    }
  }

  /// Calls a function when a request has been let in, at once or later, on any thread.
  func wait(_ host: String, _ admit: @escaping @Sendable () -> Void) -> Pass {
    let pass = state.withLock { state in
      state.counter += 1
      state.hosts[host, default: Host()].waiting.append((state.counter, admit))
      return Pass(host: host, number: state.counter)
    }
    admitWaiting(host)
    return pass
  }

  /// What became of a request that gives its pass back.
  enum End {
    case served
    /// It failed; the wait is what the server asked for, where it will be kept to.
    case failed(NetworkError, wait: Duration?)
    case dropped
  }

  /// Gives a pass back; a second time does nothing.
  func leave(_ pass: Pass?, _ end: End = .dropped) {
    guard let pass else { return }
    state.withLock { state in
      guard var entry = state.hosts[pass.host] else { return }
      let now = Environment.monotonicNow
      entry.waiting.removeAll { $0.number == pass.number }
      if let began = entry.running.removeValue(forKey: pass.number) {
        switch end {
        case .served: entry.policy.succeeded(now: now)
        case .failed(let error, let wait):
          entry.policy.failed(
            error, running: entry.running.count + 1, began: began, wait: wait, now: now)
        case .dropped: break
        }
      }
      state.hosts[pass.host] = entry
    }
    admitWaiting(pass.host)
  }

  private func admitWaiting(_ host: String) {
    let (admitted, pause) = state.withLock { state in
      guard var entry = state.hosts[host], !entry.waiting.isEmpty else {
        return ([@Sendable () -> Void](), Duration?.none)
      }
      let now = Environment.monotonicNow
      var admitted: [@Sendable () -> Void] = []
      while !entry.waiting.isEmpty,
        entry.policy.allowsAnother(running: entry.running.count, now: now)
      {
        let next = entry.waiting.removeFirst()
        entry.running[next.number] = now
        admitted.append(next.admit)
      }
      state.hosts[host] = entry
      // Nobody comes back who would open: the clock has to.
      let isLeftAlone = !entry.waiting.isEmpty && entry.running.isEmpty
      return (admitted, isLeftAlone ? entry.policy.opens(now: now).map { $0 - now } : nil)
    }
    for admit in admitted { admit() }
    if let pause { loop.after(pause) { [weak self] in self?.admitWaiting(host) } }
  }
}
