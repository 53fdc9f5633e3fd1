import Glibc

/// A condition that threads wait for, told by others that something changed.
@safe
package final class ThreadSignal: Sendable {
  // Safety: the C objects live on the heap, never move, and are made for use from many threads.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private nonisolated(unsafe) let condition: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe condition = .allocate(capacity: 1)
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe condition.deallocate()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Wakes all waiting threads, to look again.
  package func notify() {
    unsafe pthread_mutex_lock(mutex)
    unsafe pthread_cond_broadcast(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Blocks until `check` gives a value; it runs now and after each ``notify()``.
  package func wait<Value>(until check: () -> Value?) -> Value {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let value = check() { return value }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }
}
