// What the address sanitizer is told in every program of the package; what tests start has an environment of its own.

#include <sys/prctl.h>

const char *__asan_default_options(void) {
  return "detect_leaks=1:exitcode=86";
}

const char *__lsan_default_options(void) {
  return "print_suppressions=0";
}

// A confined worker may not start the thread that looks for leaks: its filter of system calls would kill it. It knows
// itself by the answer to a call that the filter does not know. What it draws with is looked at where tests draw.
int __lsan_is_turned_off(void) {
  return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == -1;
}

// Each with its reason.
const char *__lsan_default_suppressions(void) {
  return
      // XCTest keeps the suite that swift test makes of no XCTest case at all.
      "leak:libXCTest.so\n"
      // Fontconfig keeps what it read of its configuration and fonts until the process ends.
      "leak:libfontconfig.so\n";
}
