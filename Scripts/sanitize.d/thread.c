// What the thread sanitizer is told in every program of the package; what tests start has an environment of its own.
//
// The greater part tells it of Swift's Mutex. A Mutex that one thread wants is locked and unlocked by atomic operations
// that are compiled into our code, where the sanitizer sees them. When several threads meet, the runtime library lets
// the kernel pass the word on (FUTEX_LOCK_PI), which the sanitizer does not see: it would call what the Mutex guards a
// race. These functions stand in for those of the library, call them, and say what they have done. They hide no race:
// of whoever does not lock nothing is said.
//
// The rest tells it of storage that values share until one of them is changed. Whoever finds himself alone with it may
// change it in place, and whoever lets go of it last frees it, because of a reference count that the library keeps and
// the sanitizer does not see: a thread that reads its copy of an array without a lock, and lets go of it, would be in a
// race with the one that then changes the array.
//
// All are weak: in commands, which carry the library within them, its own functions go first.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
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

#define WEAK __attribute__((weak))
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

WEAK SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(
    "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
WEAK SWIFT bool try_lock_slow(SELF void *handle) __asm__(
    "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
WEAK SWIFT void unlock_slow(SELF void *handle) __asm__(
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

typedef void (*release_function)(void *);
typedef bool (*unique_function)(const void *);

static release_function next_release, next_bridge_release;
static unique_function next_is_unique, next_is_unique_or_null;

// Not by a constructor: libraries release what they made in theirs, which come first.
static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static void let_go(void *object) {
  // Whoever lets go last hears of all before.
  __tsan_release(object);
  __tsan_acquire(object);
}

WEAK void swift_release(void *object) {
  if (next_release == NULL) next_release = (release_function)next("swift_release");
  // What is not above 0 is no object.
  if ((intptr_t)object > 0) let_go(object);
  next_release(object);
}

WEAK void swift_bridgeObjectRelease(void *object) {
  if (next_bridge_release == NULL)
    next_bridge_release = (release_function)next("swift_bridgeObjectRelease");
  // The highest bit marks what lives for ever; others beside the address are the library's, too.
  if ((intptr_t)object > 0) let_go((void *)((uintptr_t)object & 0x00fffffffffffff8));
  next_bridge_release(object);
}

WEAK bool swift_isUniquelyReferenced_nonNull_native(const void *object) {
  if (next_is_unique == NULL)
    next_is_unique = (unique_function)next("swift_isUniquelyReferenced_nonNull_native");
  bool is_unique = next_is_unique(object);
  if (is_unique) __tsan_acquire((void *)object);
  return is_unique;
}

WEAK bool swift_isUniquelyReferenced_native(const void *object) {
  if (next_is_unique_or_null == NULL)
    next_is_unique_or_null = (unique_function)next("swift_isUniquelyReferenced_native");
  bool is_unique = next_is_unique_or_null(object);
  if (is_unique) __tsan_acquire((void *)object);
  return is_unique;
}
