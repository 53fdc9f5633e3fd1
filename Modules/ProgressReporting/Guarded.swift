import Synchronization

/// A value behind a lock, whose order of use the thread sanitizer can see.
///
/// When threads wait for a `Mutex` on Linux the kernel hands it from one to the next
/// (`FUTEX_LOCK_PI`). The sanitizer does not see that, and reports a race between two holders of the
/// same lock. The atomic says what the kernel did in words that it understands; it costs next to
/// nothing beside the lock.
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let handover = Atomic<Bool>(false)

  init(_ value: Value) { mutex = Mutex(value) }

  borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { value in
      _ = handover.load(ordering: .acquiring)
      defer { handover.store(true, ordering: .releasing) }
      return body(&value)
    }
  }
}
