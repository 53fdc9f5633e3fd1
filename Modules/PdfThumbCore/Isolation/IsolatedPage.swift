/// A page's picture with all that was learnt while drawing it.
public struct IsolatedPage: Sendable, Equatable {
  /// The page's size and label; ``PageGeometry/boxes`` is `nil`.
  public let geometry: PageGeometry
  /// The picture, not encoded.
  public let picture: Picture
  /// What is known about the picture.
  public let report: DrawingReport
  /// The time it took, from the moment the page's turn came.
  public let elapsed: Duration
}
