internal import CLinux

/// Gives freed memory back to the system.
package enum MemoryRelease {
  /// Returns the free parts of the C library's heap.
  ///
  /// The corresponding C function is `malloc_trim`.
  package static func trim() { malloc_trim(0) }
}
