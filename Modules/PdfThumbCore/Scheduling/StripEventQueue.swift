internal import Synchronization

/// Events on their way from a strip to its reader.
///
/// What a slow reader has not seen does not pile up: a picture that was let go of before it was seen is never
/// delivered, and of layouts only the last is.
final class StripEventQueue: Sendable {
  private struct State {
    var events: [StripEvent] = []
    var first = 0
    var reader: CheckedContinuation<StripEvent?, Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  /// The events, for one reader.
  var stream: AsyncStream<StripEvent> {
    AsyncStream(unfolding: { await self.next() }, onCancel: { self.finish() })
  }

  /// Adds an event; none counts after the end.
  func send(_ event: StripEvent) {
    let reader = state.withLock { state -> CheckedContinuation<StripEvent?, Never>? in
      guard !state.isFinished else { return nil }
      if let reader = state.reader.take() { return reader }
      Self.add(event, to: &state)
      return nil
    }
    reader?.resume(returning: event)
  }

  /// Ends the events behind those that are on their way.
  func finish() {
    let reader = state.withLock { state in
      state.isFinished = true
      return state.reader.take()
    }
    reader?.resume(returning: nil)
  }

  private func next() async -> StripEvent? {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> StripEvent?? in
        if state.first < state.events.count {
          let event = state.events[state.first]
          state.first += 1
          if state.first == state.events.count { (state.events, state.first) = ([], 0) }
          return .some(event)
        }
        if state.isFinished { return .some(nil) }
        state.reader = continuation
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }

  private static func add(_ event: StripEvent, to state: inout State) {
    var waiting = Array(state.events[state.first...])
    var added: StripEvent? = event
    switch event {
    case .layout:
      waiting.removeAll { if case .layout = $0 { true } else { false } }
    case .picture(let picture):
      waiting.removeAll {
        if case .picture(let old) = $0 { old.page == picture.page } else { false }
      }
    case .failure(let page, _):
      waiting.removeAll { if case .failure(page, _) = $0 { true } else { false } }
    case .memory:
      waiting.removeAll { if case .memory = $0 { true } else { false } }
    case .discarded(let pages):
      let gone = Set(pages)
      waiting.removeAll {
        if case .picture(let old) = $0 { gone.contains(old.page) } else { false }
      }
      // Two in a row are one.
      if case .discarded(let before)? = waiting.last {
        waiting.removeLast()
        added = .discarded(gone.union(before).sorted())
      }
    }
    if let added { waiting.append(added) }
    (state.events, state.first) = (waiting, 0)
  }
}
