// What the thread sanitizer is told in every program of the package; what tests start has an environment of its own.
//
// The greater part tells it of Swift's Mutex. A Mutex that one thread wants is locked and unlocked by atomic operations
// that are compiled into our code, where the sanitizer sees them. When several threads meet, the runtime library lets
// the kernel pass the word on (FUTEX_LOCK_PI), which the sanitizer does not see: it would call what the Mutex guards a
// race. These functions stand in for those of the library, call them, and say what they have done. They hide no race:
// of whoever does not lock nothing is said.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

const char *__tsan_default_options(void) {
  return "exitcode=86";
}

// Each with its reason.
const char *__tsan_default_suppressions(void) {
  return
      // Whoever resumes a continuation says so to the sanitizer, and a task that is woken for it hears of that; a task
      // that awaits what was resumed already goes on at once, and nobody says so. It takes no more than a thread that
      // makes an array and resumes with it, and a task that reads it: with a sleep in the task before it awaits the
      // reading is reported, with a sleep in the thread before it resumes nothing is. An acquire of the
      // task's address before swift_continuation_await ends the reports, and none of true races beside it. A lane makes
      // a page's answer anew, resumes, and forgets it.
      "race:PdfThumbCore12IsolatedLaneC4page\n";
}

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(
    "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT bool try_lock_slow(SELF void *handle) __asm__(
    "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT void unlock_slow(SELF void *handle) __asm__(
    "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

typedef SWIFT void (*lock_function)(uint32_t, SELF void *);
typedef SWIFT bool (*try_lock_function)(SELF void *);
typedef SWIFT void (*unlock_function)(SELF void *);

static lock_function next_lock;
static try_lock_function next_try_lock;
static unlock_function next_unlock;

__attribute__((constructor)) static void find(void) {
  next_lock = (lock_function)dlsym(
      RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  next_try_lock = (try_lock_function)dlsym(
      RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
  next_unlock = (unlock_function)dlsym(
      RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
}

SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
  next_lock(thread, handle);
  __tsan_acquire(handle);
}

SWIFT bool try_lock_slow(SELF void *handle) {
  bool is_locked = next_try_lock(handle);
  if (is_locked) __tsan_acquire(handle);
  return is_locked;
}

SWIFT void unlock_slow(SELF void *handle) {
  __tsan_release(handle);
  next_unlock(handle);
}
