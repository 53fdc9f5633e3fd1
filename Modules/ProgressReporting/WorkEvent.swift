/// Something that happened to a tree of work, as opposed to counts, which are pulled.
public struct WorkEvent: Sendable, Equatable {
  /// What happened.
  public enum Kind: Sendable, Equatable {
    /// A meter began from a share.
    case began
    /// A meter got another label.
    case labelled
    /// A meter starts again; the first attempt is 1.
    case restarted(attempt: Int)
    /// A meter was finished.
    case finished
    /// Whoever does the work has something to say.
    case message(String)
  }

  /// What happened.
  public var kind: Kind
  /// The label of the meter it happened to.
  public var label: String

  /// Creates an event.
  public init(_ kind: Kind, label: String) {
    self.kind = kind
    self.label = label
  }
}

/// The observers that all meters of a tree share.
final class WorkEventHub: Sendable {
  private struct State: Sendable {
    var actions: [Int: @Sendable (WorkEvent) -> Void] = [:]
    var nextKey = 0
  }

  private let state = Guarded(State())

  func add(_ action: @escaping @Sendable (WorkEvent) -> Void) -> Int {
    state.withLock { state in
      state.nextKey += 1
      state.actions[state.nextKey] = action
      return state.nextKey
    }
  }

  func remove(_ key: Int) {
    state.withLock { _ = $0.actions.removeValue(forKey: key) }
  }

  /// Runs the actions in the order of their registration, on this thread and without the lock.
  func post(_ event: @autoclosure () -> WorkEvent) {
    let actions = state.withLock { $0.actions }
    guard !actions.isEmpty else { return }
    let event = event()
    for (_, action) in actions.sorted(by: { $0.key < $1.key }) { action(event) }
  }
}

/// The handle of an observer, which is dropped when the handle's life ends.
public final class WorkObservation: Sendable {
  private let end: Guarded<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = Guarded(end) }

  deinit { cancel() }

  /// Drops the observer; it may still be running on another thread when this returns.
  public func cancel() {
    let end = end.withLock { $0.take() }
    end?()
  }
}
