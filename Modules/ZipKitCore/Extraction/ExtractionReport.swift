/// What became of each entry of an extraction or a test.
public struct ExtractionReport: Sendable {
  /// What became of one entry.
  public enum Status: UInt8, Sendable {
    /// Not asked for.
    case notSelected
    /// A file is whole and in place, or was found whole by a test.
    case done
    /// A directory was made.
    case directoryMade
    /// A directory that is there already, from before or for another entry's sake.
    case directory
    /// A symbolic link was made.
    case link
    /// Left out on purpose: the existing file stays, a duplicate, no real file.
    case skipped
    /// Against the rules of placement, before anything was decoded.
    case refused
    /// Could not be decoded or written.
    case failed
    /// Not begun or not ended when the work was cancelled.
    case cancelled
  }

  /// One entry's outcome.
  public struct Outcome: Sendable {
    /// The entry's number in the central directory.
    public var entryIndex: Int
    /// What became of it.
    public var status: Status
    /// Where it was put, below the target; nil where it was not.
    public var path: String?
    /// The rule that stopped it, or warnings about an entry that was done.
    public var problems: [ZipError]
    /// Whether ``problems`` holds no more than the rule of the last one, because too many entries before this one
    /// have problems; see ``ZipProblems``.
    public var isAbridged = false
  }

  private(set) var statuses: [Status]
  private var problems: ProblemLog
  private(set) var renamed: [Int: String] = [:]
  /// Bytes of content that are in place or passed the test.
  public private(set) var bytes: UInt64 = 0
  /// What concerns no single entry: limits, the target, cancellation.
  public internal(set) var general: [ZipError] = []
  let paths: ExtractionPaths?

  /// Begins with what was found while planning.
  init(count: Int, problems: ProblemLog? = nil, paths: ExtractionPaths?) {
    statuses = Array(repeating: .notSelected, count: count)
    self.problems = problems ?? ProblemLog(count: count)
    self.paths = paths
  }

  mutating func set(_ index: Int, _ status: Status) { statuses[index] = status }

  mutating func note(_ index: Int, _ problem: ZipError) { problems.note(index, problem) }

  mutating func rename(_ index: Int, to path: String) { renamed[index] = path }

  mutating func add(bytes count: UInt64) {
    bytes = bytes.addingReportingOverflow(count).partialValue
  }

  /// The number of entries with a status.
  public func count(of status: Status) -> Int { statuses.count { $0 == status } }

  /// The outcome of one entry, by its number in the central directory.
  public func outcome(of entry: Int) -> Outcome {
    let status = statuses[entry]
    let isPlaced =
      switch status {
      case .done, .directory, .directoryMade, .link: true
      default: false
      }
    let own = problems.problems(of: entry)
    return Outcome(
      entryIndex: entry, status: status,
      path: isPlaced ? renamed[entry] ?? paths?.path(entry) : nil,
      problems: own.problems, isAbridged: own.isAbridged)
  }

  /// Outcomes of all entries that were asked for, in the order of the directory.
  public var outcomes: some Sequence<Outcome> {
    statuses.indices.lazy.filter { statuses[$0] != .notSelected }.map { outcome(of: $0) }
  }

  /// Problems with entries, in the order of the directory: all counted, the first 10,000 kept.
  public var allProblems: ZipProblems { problems.all }

  /// Whether everything asked for is whole and in place, or passed.
  public var isComplete: Bool {
    general.isEmpty
      && !statuses.contains { $0 == .refused || $0 == .failed || $0 == .cancelled }
  }
}

/// Looks up where entries are put; kept apart from the plan, whose memory it shares.
struct ExtractionPaths: Sendable {
  let plan: ExtractionPlan

  func path(_ entry: Int) -> String? { plan.path(ofEntry: entry) }
}
