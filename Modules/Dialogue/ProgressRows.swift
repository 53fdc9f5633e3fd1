package import ProgressReporting

/// Makes rows from snapshots, remembering how fast each meter went.
package struct ProgressRows<Time: InstantProtocol>: Sendable
where Time.Duration == Duration, Time: Sendable {
  private var whole = WorkRate<Time>()
  /// Rates of the meters below, by their place in the tree.
  private var parts: [[Int]: WorkRate<Time>] = [:]

  package init() {}

  /// The row of the whole, then one for each meter at work below it when there are several.
  ///
  /// A single meter at work below lends the whole its label, so that a job in steps shows one row
  /// that says which step it is.
  package mutating func update(_ root: WorkSnapshot, at time: Time) -> [ProgressRow] {
    let snapshot = ProgressRows.core(of: root)
    whole.update(snapshot, at: time)
    let first = ProgressRow(
      snapshot, speed: whole.unitsPerSecond, remaining: whole.remaining, elapsed: whole.elapsed)
    let active = ProgressRows.active(snapshot, path: [])
    var rates: [[Int]: WorkRate<Time>] = [:]
    var rows: [ProgressRow] = []
    for (path, leaf) in active {
      var rate = parts[path] ?? WorkRate()
      rate.update(leaf, at: time)
      rates[path] = rate
      rows.append(
        ProgressRow(
          leaf, speed: rate.unitsPerSecond, remaining: rate.remaining, elapsed: rate.elapsed))
    }
    parts = rates
    // One file of many is not the whole of them.
    let isOneOfMany = snapshot.unit == .files && (snapshot.total ?? 0) > 1
    guard rows.count == 1, !isOneOfMany else { return [summed(first, rows)] + rows }
    return [merged(first, rows[0])]
  }

  /// The meter that the work is divided below: a root that has handed all of it on says nothing.
  private static func core(of snapshot: WorkSnapshot) -> WorkSnapshot {
    guard let only = snapshot.children.first, snapshot.children.count == 1,
      snapshot.counted == 0, snapshot.fraction == only.fraction, !only.children.isEmpty
    else { return snapshot }
    return core(of: only)
  }

  /// The only step at work, told as the state of the whole.
  private func merged(_ whole: ProgressRow, _ step: ProgressRow) -> ProgressRow {
    var row = whole
    if !step.label.isEmpty { row.label = step.label }
    row.fraction = whole.fraction ?? step.fraction
    row.remaining = whole.remaining ?? step.remaining
    (row.completed, row.total, row.unit) = (step.completed, step.total, step.unit)
    (row.speed, row.hasAmount) = (step.speed, step.hasAmount)
    return row
  }

  /// The whole with the speed of its parts together.
  private func summed(_ whole: ProgressRow, _ parts: [ProgressRow]) -> ProgressRow {
    guard !parts.isEmpty, parts.allSatisfy({ $0.unit == .bytes }) else { return whole }
    var row = whole
    let speed = parts.compactMap(\.speed).reduce(0, +)
    if whole.unit == .bytes { row.speed = speed } else { row.partsSpeed = speed }
    return row
  }

  /// The meters without meters at work below them that are not finished, with their places.
  private static func active(
    _ snapshot: WorkSnapshot, path: [Int]
  ) -> [(path: [Int], leaf: WorkSnapshot)] {
    snapshot.children.enumerated().flatMap { index, child -> [(path: [Int], leaf: WorkSnapshot)] in
      if child.isFinished { return [] }
      let place = path + [index]
      let below = active(child, path: place)
      return below.isEmpty ? [(place, child)] : below
    }
  }
}
