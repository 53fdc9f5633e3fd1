/// A part of a meter's work, handed to exactly one callee.
///
/// The callee turns it into a meter with ``begin(_:total:unit:)``. One that is dropped unused counts
/// as done, so that a step left out does not leave the bar short of its end.
public struct WorkShare: ~Copyable, Sendable {
  private let parent: WorkMeter?
  private let key: Int
  /// The name by which the parent can weigh this part anew once the share is gone.
  public var part: WorkPart { WorkPart(owner: parent.map(ObjectIdentifier.init), key: key) }
  private let cancellation: WorkCancellation

  init(parent: WorkMeter, key: Int) {
    self.parent = parent
    self.key = key
    cancellation = parent.cancellation
  }

  private init(detached cancellation: WorkCancellation) {
    parent = nil
    key = 0
    self.cancellation = cancellation
  }

  /// A share of nothing, for callers that do not watch.
  ///
  /// - Parameter cancellation: A switch to stop the work with all the same.
  /// - Returns: A share without a parent.
  public static func detached(
    cancellation: WorkCancellation = WorkCancellation()
  ) -> WorkShare {
    WorkShare(detached: cancellation)
  }

  // Does nothing once a meter began from the share.
  deinit { parent?.credit(key) }

  /// Makes the meter that counts this part of the work.
  ///
  /// - Parameters:
  ///   - label: What is being done, for people.
  ///   - total: Units in all; `nil` while nobody knows.
  ///   - unit: What is counted; the parent sees only the fraction.
  /// - Returns: The meter to count on.
  public consuming func begin(
    _ label: String, total: UInt64? = nil, unit: WorkUnit = .bytes
  ) -> WorkMeter {
    guard let parent else {
      return WorkMeter(label, total: total, unit: unit, cancellation: cancellation)
    }
    let meter = WorkMeter(label, total: total, unit: unit, below: parent)
    parent.begin(key, meter)
    return meter
  }
}

/// The name of one share of one meter.
public struct WorkPart: Sendable, Equatable {
  let owner: ObjectIdentifier?
  let key: Int
}
