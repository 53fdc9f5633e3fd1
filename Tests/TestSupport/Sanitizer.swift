import Glibc
package import Testing

/// Whether the tests were built with the address or the thread sanitizer.
package enum Sanitizer {
  /// The runtime of either is part of the test program.
  package static let isOn = has("__asan_init") || has("__tsan_init")

  /// Why a test is left out that measures memory or limits it.
  ///
  /// Both sanitizers reserve terabytes of address space, keep what was freed for a while, and note each word that is
  /// written to: what a process takes is theirs.
  package static let absence: Comment = "the memory of this process is the sanitizer's"

  private static func has(_ symbol: String) -> Bool { unsafe dlsym(nil, symbol) != nil }
}
