/// What a meter and the meters below it said at one moment.
public struct WorkSnapshot: Sendable, Equatable {
  /// What is being done, for people; may be empty.
  public var label: String
  /// Units done in this attempt, those of parts by their weights; never falls within one.
  ///
  /// A part counts in whole units: one that weighs 1 when it is done.
  public var completed: UInt64
  /// Units that the meter counted itself, without those of its parts.
  public var counted: UInt64
  /// Units in all, or `nil` while nobody knows; at least `completed`, whatever was announced.
  public var total: UInt64?
  /// What is counted.
  public var unit: WorkUnit
  /// The share that is done, 0 to 1, the meters below included; `nil` while no total is known.
  ///
  /// It never falls within one attempt and is exactly 1 once the meter is finished.
  public var fraction: Double?
  /// Whether the work has ended.
  public var isFinished: Bool
  /// 1 for the first attempt, one more after each ``WorkMeter/restart(completed:)``.
  public var attempt: Int
  /// The meters below, in the order they began.
  public var children: [WorkSnapshot]

  /// Creates a snapshot from its parts, for tests and renderers; `counted` is `completed` unless said otherwise.
  public init(
    label: String = "", completed: UInt64 = 0, counted: UInt64? = nil, total: UInt64? = nil,
    unit: WorkUnit = .bytes,
    fraction: Double? = nil, isFinished: Bool = false, attempt: Int = 1,
    children: [WorkSnapshot] = []
  ) {
    self.label = label
    self.completed = completed
    self.counted = counted ?? completed
    self.total = total
    self.unit = unit
    self.fraction = fraction
    self.isFinished = isFinished
    self.attempt = attempt
    self.children = children
  }
}
