import Synchronization

/// A switch that stops a tree of work, once and for good.
///
/// Every ``WorkMeter`` of a tree holds the same one. It may be thrown from any thread; work looks at
/// ``isCancelled`` between chunks, or registers an action where it waits for something else.
public final class WorkCancellation: Sendable {
  private struct State: Sendable {
    var actions: [Int: @Sendable () -> Void] = [:]
    var nextKey = 0
  }

  private let flag = Atomic<Bool>(false)
  private let state = Guarded(State())

  /// Creates a switch that has not been thrown.
  public init() {}

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// Throws the switch and runs the registered actions on the calling thread; later calls do nothing.
  public func cancel() {
    let actions = state.withLock { state -> [@Sendable () -> Void] in
      guard !flag.exchange(true, ordering: .acquiringAndReleasing) else { return [] }
      defer { state.actions = [:] }
      return state.actions.sorted { $0.key < $1.key }.map(\.value)
    }
    for action in actions { action() }
  }

  /// Throws `CancellationError` when the switch was thrown.
  public func check() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Registers an action for the moment of cancellation.
  ///
  /// It runs on the thread that calls ``cancel()``, or at once on this one when that already happened.
  /// - Parameter action: What to do; it must not block.
  /// - Returns: A registration to drop the action with when the wait is over.
  @discardableResult
  public func onCancel(_ action: @escaping @Sendable () -> Void) -> Registration {
    let key = state.withLock { state -> Int? in
      guard !flag.load(ordering: .acquiring) else { return nil }
      state.nextKey += 1
      state.actions[state.nextKey] = action
      return state.nextKey
    }
    if key == nil { action() }
    return Registration(owner: self, key: key)
  }

  /// The handle of one registered action.
  public struct Registration: Sendable {
    private let owner: WorkCancellation
    private let key: Int?

    fileprivate init(owner: WorkCancellation, key: Int?) {
      self.owner = owner
      self.key = key
    }

    /// Drops the action; it may still be running on another thread when this returns.
    public func cancel() {
      guard let key else { return }
      owner.state.withLock { _ = $0.actions.removeValue(forKey: key) }
    }
  }
}
