// Whichever of the two C modules a build reads first owns `timespec`.
internal import CLinux
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
    // Waits are not to grow or shrink when somebody sets the clock.
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
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

  /// Wakes one waiting thread, to look again.
  package func notifyOne() {
    unsafe pthread_mutex_lock(mutex)
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Blocks until `check` gives a value, or the time is over; `check` runs now and after each ``notify()``.
  package func wait<Value>(atMost time: Duration, until check: () -> Value?) -> Value? {
    let due = (Environment.monotonicNow + time).components
    var deadline = timespec(
      tv_sec: Int(due.seconds), tv_nsec: Int(due.attoseconds / 1_000_000_000))
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let value = check() { return value }
      let status = unsafe pthread_cond_timedwait(condition, mutex, &deadline)
      if status == ETIMEDOUT { return check() }
    }
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
