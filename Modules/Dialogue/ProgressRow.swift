package import ProgressReporting

/// One line of progress, as numbers and words that every renderer uses.
package struct ProgressRow: Sendable, Equatable {
  package var label: String
  package var completed: UInt64
  package var total: UInt64?
  package var unit: WorkUnit
  package var fraction: Double?
  /// Units a second.
  package var speed: Double?
  /// Bytes a second of parts that count bytes, where the whole counts something else.
  package var partsSpeed: Double?
  package var remaining: Duration?
  package var elapsed: Duration
  /// Whether `completed` and `total` are worth showing.
  package var hasAmount = true

  /// Takes a snapshot and what its rate makes of it.
  package init(
    _ snapshot: WorkSnapshot, speed: Double? = nil, remaining: Duration? = nil,
    elapsed: Duration = .zero
  ) {
    label = snapshot.label
    total = snapshot.total
    unit = snapshot.unit
    fraction = snapshot.fraction
    completed = snapshot.completed
    self.speed = speed
    self.remaining = remaining
    self.elapsed = elapsed
    if !snapshot.children.isEmpty { addUp(snapshot) }
  }

  /// Counts what the meters below did, which reaches their parent as a share only.
  ///
  /// Weights are the parent's total unless it was told another, so they are no amount to show: bytes
  /// add up where all below count bytes; otherwise the parent has a number only if it counts itself.
  private mutating func addUp(_ snapshot: WorkSnapshot) {
    let children = snapshot.children
    guard unit == .bytes, children.allSatisfy({ $0.unit == .bytes }) else {
      hasAmount = snapshot.counted > 0 || unit == .files
      return
    }
    completed = snapshot.counted
    let rows = children.map { ProgressRow($0) }
    let announced = total
    var whole: UInt64? = 0
    for (child, row) in zip(children, rows) {
      let done = child.isFinished ? max(row.completed, row.total ?? 0) : row.completed
      completed = completed.addingSaturated(done)
      let size = row.total ?? (child.isFinished ? done : nil)
      whole = size.flatMap { size in whole.map { $0.addingSaturated(size) } }
    }
    // A total larger than the parts so far stands for parts that did not begin yet.
    total = whole.map { max($0, announced ?? 0, completed) }
    if total == nil, let announced, announced > completed { total = announced }
  }

  /// `12.3 of 27.1 MB`, `3 of 7 files`, `12.3 MB`; empty where there is nothing of a kind to count.
  package var amount: String {
    guard hasAmount else { return "" }
    guard unit == .bytes else {
      let noun = "\(unit)"
      return total.map { "\(completed) of \($0) \(noun)" } ?? "\(completed) \(noun)"
    }
    let done = Quantity.describe(bytes: completed)
    guard let total else { return done }
    let whole = Quantity.describe(bytes: total)
    let (first, second) = (done.split(separator: " "), whole.split(separator: " "))
    // The unit is said once where both have the same.
    return first.last == second.last ? "\(first[0]) of \(whole)" : "\(done) of \(whole)"
  }

  /// `3.21 MB/s`; empty while unknown and where no bytes are counted.
  package var pace: String {
    guard let speed = unit == .bytes ? speed : partsSpeed, speed >= 0,
      let bytes = UInt64(exactly: speed.rounded())
    else {
      return ""
    }
    return "\(Quantity.describe(bytes: bytes))/s"
  }

  /// `0:05 left`; where nobody knows the whole, the time gone by.
  package var time: String {
    if let remaining { return "\(Quantity.describe(remaining)) left" }
    return fraction == nil ? Quantity.describe(elapsed) : ""
  }

  /// `45%`; empty while unknown.
  package var percent: String { fraction.map(Quantity.describe(fraction:)) ?? "" }

  /// All of it in words: `Downloading: 45%, 12.3 of 27.1 MB, 3.21 MB/s, 0:05 left`.
  package var sentence: String {
    let facts = [percent, amount, pace, time].filter { !$0.isEmpty }.joined(separator: ", ")
    return label.isEmpty ? facts : "\(label): \(facts)"
  }

  /// All of it for programs.
  package var json: JSONValue { json(named: "label") }

  /// All of it for programs, the label under a name of their own.
  package func json(named name: String) -> JSONValue {
    [
      "event": "progress", name: .string(label), "unit": .string("\(unit)"),
      "completed": .init(completed), "total": total.map { .init($0) } ?? .null,
      "fraction": fraction.map { .double($0) } ?? .null,
      "per_second": speed.flatMap { UInt64(exactly: $0.rounded()) }.map { .init($0) } ?? .null,
      "seconds_left": remaining.map { .init($0.components.seconds) } ?? .null,
      "seconds": .double(Double(Int(elapsed / .milliseconds(1))) / 1000),
    ]
  }
}

extension UInt64 {
  fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
