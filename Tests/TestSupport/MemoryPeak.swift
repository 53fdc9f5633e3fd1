import SystemIO

/// The most memory that the test process itself has had.
package enum MemoryPeak {
  /// Lets the peak begin anew at what is in use now.
  ///
  /// The kernel counts a parent's peak as its child's, until the child's program begins: after a test that took much
  /// memory, what children took could not be told.
  package static func forget() throws {
    try FileDescriptor.open("/proc/self/clear_refs", .writeOnly).write(Array("5".utf8))
  }
}
