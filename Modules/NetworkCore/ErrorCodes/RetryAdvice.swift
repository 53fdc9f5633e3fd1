/// Whether another attempt makes sense, and how.
public enum RetryAdvice: String, Hashable, Sendable, CaseIterable {
  /// The same would happen again.
  case never
  /// Worth trying, from the last verified byte on.
  case again
  /// Worth trying a single time more.
  case once
  /// Worth trying from the first byte on; what was kept cannot be used.
  case restart
  /// Worth trying over HTTP/1.1.
  case onHTTP1
  /// Worth trying a single time more, asking for the content without a coding.
  case withoutCoding

  /// Whether there is a way to go on without a change from outside.
  public var isRetryable: Bool { self != .never }
}
