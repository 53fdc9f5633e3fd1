/// What a meter counts.
public enum WorkUnit: Sendable, Equatable, CaseIterable {
  /// Bytes that reached their destination.
  case bytes
  /// Whole files.
  case files
  /// Pages of a document.
  case pages
  /// Anything else.
  case items
}
