/// Problems with entries: the first of them in full, all of them counted.
///
/// Where a million entries each have one, a million texts would take more memory than everything else. Kept are the first
/// 10,000 problems, or fewer where their names and messages take more than 4 MiB; as a collection this is the kept ones.
public struct ZipProblems: RandomAccessCollection, Sendable {
  /// Problems that are kept at most.
  package static let mostKept = 10_000
  /// Memory that the kept ones take at most, in bytes.
  static let mostBytes = 4 << 20

  private var kept: [ZipError] = []
  private var counts: [ZipError.Code: Int] = [:]
  /// Problems that were found, whether kept or not.
  public private(set) var total = 0
  // By entry, the rule of what is not kept.
  private var rules: [ZipError.Code?] = []
  private var bytes = 0

  init() {}

  /// Takes over what a log has kept, in order, and counted.
  init(kept: [ZipError], counts: [ZipError.Code: Int], rules: [ZipError.Code?]) {
    (self.kept, self.counts, self.rules) = (kept, counts, rules)
    total = counts.values.reduce(0, +)
  }

  /// Keeps a problem, unless some that came before were too many.
  mutating func append(_ problem: ZipError) {
    if omitted == 0, kept.count < Self.mostKept, bytes + problem.memory <= Self.mostBytes {
      kept.append(problem)
      bytes += problem.memory
    }
    counts[problem.code, default: 0] += 1
    total += 1
  }

  /// Appends what others kept and counted.
  mutating func append(_ others: ZipProblems) {
    for problem in others { append(problem) }
    for code in others.codes {
      let rest = others.omitted { $0 == code }
      counts[code, default: 0] += rest
      total += rest
    }
  }

  /// The first of the kept problems.
  public var startIndex: Int { 0 }
  /// The number of problems that are kept.
  public var endIndex: Int { kept.count }
  /// One of the kept problems.
  public subscript(index: Int) -> ZipError { kept[index] }

  /// Problems that are only counted.
  public var omitted: Int { total - kept.count }

  /// The rules that were broken, in the order of their identifiers.
  public var codes: [ZipError.Code] { counts.keys.sorted { $0.id < $1.id } }

  /// How often a rule was broken, kept or not.
  public func count(of code: ZipError.Code) -> Int { counts[code] ?? 0 }

  /// Problems that are only counted, of some rules.
  package func omitted(where isMeant: (ZipError.Code) -> Bool) -> Int {
    counts.reduce(0) { $0 + (isMeant($1.key) ? $1.value : 0) } - kept.count { isMeant($0.code) }
  }

  /// What is known of one entry's problems; only of those that stand in the order of entries.
  package func problems(ofEntry entry: Int) -> (problems: [ZipError], isAbridged: Bool) {
    var (low, high) = (0, kept.count)
    while low < high {
      let middle = (low + high) / 2
      if kept[middle].entryIndex ?? 0 < entry { low = middle + 1 } else { high = middle }
    }
    let own = kept[low...].prefix { $0.entryIndex == entry }
    if own.isEmpty, rules.indices.contains(entry), let rule = rules[entry] {
      return ([.abridged(rule, entry: entry)], true)
    }
    return (Array(own), false)
  }
}

extension ZipError {
  /// What a kept problem takes, in bytes, roughly.
  var memory: Int { 128 + message.utf8.count + (entry?.utf8.count ?? 0) }
}

/// Gathers problems of entries in any order, and keeps those that ``ZipProblems`` keeps of them: which these are does not
/// depend on the order in which they come.
struct ProblemLog: Sendable {
  private var kept: [Int: [ZipError]] = [:]
  // The entries of `kept`, the last one on top.
  private var entries = LastEntries()
  // From this entry on nothing is kept.
  private var end = Int.max
  private var keptCount = 0
  private var bytes = 0
  private var counts: [ZipError.Code: Int] = [:]
  private var rules: [ZipError.Code?] = []
  private let count: Int

  /// Gathers for an archive of so many entries.
  init(count: Int) { self.count = count }

  /// Adds a problem; what it lacks, `named` adds to one that may be kept.
  mutating func note(_ entry: Int, _ problem: ZipError, named: (ZipError) -> ZipError = { $0 }) {
    counts[problem.code, default: 0] += 1
    guard entry < end else { return abridge(entry, problem.code) }
    let problem = named(problem)
    if kept[entry] == nil { entries.insert(entry) }
    kept[entry, default: []].append(problem)
    keptCount += 1
    bytes += problem.memory
    while keptCount > ZipProblems.mostKept || bytes > ZipProblems.mostBytes,
      let last = entries.removeLast(), let dropped = kept.removeValue(forKey: last)
    {
      end = last
      keptCount -= dropped.count
      bytes -= dropped.reduce(0) { $0 + $1.memory }
      for problem in dropped { abridge(last, problem.code) }
    }
  }

  private mutating func abridge(_ entry: Int, _ code: ZipError.Code) {
    if rules.isEmpty { rules = Array(repeating: nil, count: count) }
    if rules.indices.contains(entry) { rules[entry] = code }
  }

  /// An entry's problems; where they are not kept, one that tells the rule of the last.
  func problems(of entry: Int) -> (problems: [ZipError], isAbridged: Bool) {
    if let own = kept[entry] { return (own, false) }
    guard entry >= end, rules.indices.contains(entry), let rule = rules[entry] else {
      return ([], false)
    }
    return ([.abridged(rule, entry: entry)], true)
  }

  /// All problems in the order of entries.
  var all: ZipProblems {
    ZipProblems(
      kept: kept.keys.sorted().flatMap { kept[$0] ?? [] }, counts: counts, rules: rules)
  }
}

/// Numbers of entries, of which the greatest is found quickly: a binary heap.
private struct LastEntries: Sendable {
  private var heap: [Int] = []

  mutating func insert(_ entry: Int) {
    heap.append(entry)
    var place = heap.count - 1
    while place > 0, heap[(place - 1) / 2] < heap[place] {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeLast() -> Int? {
    guard let last = heap.first else { return nil }
    let moved = heap.removeLast()
    guard !heap.isEmpty else { return last }
    heap[0] = moved
    var place = 0
    while true {
      var greatest = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && heap[child] > heap[greatest] {
        greatest = child
      }
      guard greatest != place else { return last }
      heap.swapAt(place, greatest)
      place = greatest
    }
  }
}
