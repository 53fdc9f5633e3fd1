import ProgressReporting
import SystemIO

// More than one connection for a file.
extension DownloadRun {
  /// Looks at the rate, adds connections while they pay, and replaces those that stand still.
  func tick() {
    book.openPlace?.part?.settle(now: Environment.monotonicNow)
    guard let total = book.version.total, !segments.isEmpty else { return }
    planner.observe(
      SegmentPlanner.Sample(
        now: Environment.monotonicNow, bytes: meter.snapshot().completed,
        missing: total - min(total, book.stored.count),
        isConnecting: segments.values.contains { $0.receiver.verdict == nil }))
    spread()
    replaceStanding()
  }

  /// Gives idle connections something to do: a gap nobody works on, or half of the largest rest.
  func spread() {
    guard failure == nil, finalTotal == nil, !isPaused, pendingStartOver == nil, !isSwitching,
      !segments.isEmpty, book.mayUseSegments, let total = book.version.total
    else { return }
    let missing = total - min(total, book.stored.count)
    let target = planner.target(missing: missing)
    while segments.count < target, hostIsOpen {
      // Without a word of the server about ranges, one request finds out.
      let isTrying = segments.values.contains { $0.receiver.verdict == nil }
      guard book.isSureOfRanges || !isTrying else { return }
      let wanted = target - segments.count
      guard let range = unclaimed(total: total) ?? stolen(total: total, wanted: wanted) else {
        return
      }
      options.onEvent?(
        .segment(
          url: URLRedaction.redact(url), start: range.lowerBound, end: range.upperBound,
          connections: segments.count + 1))
      startRange(range, known: book.version)
    }
  }

  /// A range that is not stored and that no connection works on.
  private func unclaimed(total: UInt64) -> Range<UInt64>? {
    var claimed = book.stored
    for segment in segments.values {
      let receiver = segment.receiver
      let (start, end) = (min(segment.start, receiver.position), min(receiver.end, total))
      if start < end { claimed.insert(start..<end) }
    }
    return claimed.gaps(upTo: total).first
  }

  /// A share of what the connection with the most work has before it.
  ///
  /// - Parameters:
  ///   - total: The size of the file.
  ///   - wanted: How many connections are to be given work; with those that have some they shall have
  ///     the same each.
  /// - Returns: The share, or `nil` when nobody has enough.
  private func stolen(total: UInt64, wanted: Int) -> Range<UInt64>? {
    let givers = segments.values.filter { $0.receiver.isRunning }
      .sorted { rest(of: $0, total) > rest(of: $1, total) }
    let shares = UInt64((wanted + givers.count - 1) / max(1, givers.count)) + 1
    for giver in givers {
      if let range = giver.receiver.giveAway(
        oneOf: shares, atLeast: SegmentPlanner.minimumShare, knownEnd: total)
      {
        return range
      }
    }
    return nil
  }

  private func rest(of segment: Segment, _ total: UInt64) -> UInt64 {
    let end = min(segment.receiver.end, total)
    return end - min(end, segment.receiver.position)
  }

  /// A connection that stands still while others move is made anew: its range goes back to the pool.
  private func replaceStanding() {
    guard peakConnections > 1, book.isSureOfRanges else { return }
    let now = Environment.monotonicNow
    let patience = planner.patience(active: segments.count)
    for (number, segment) in segments {
      var segment = segment
      let position = segment.receiver.position
      if !segment.isAnswered, segment.receiver.verdict != nil {
        segment.isAnswered = true
        planner.answered(after: now - segment.asked)
      }
      if position != segment.lastPosition {
        (segment.lastPosition, segment.lastMove) = (position, now)
      } else if now - segment.lastMove > patience, segment.isAnswered, !segment.isCancelled {
        segment.isCancelled = true
        loop.cancel(segment.transfer)
      }
      segments[number] = segment
    }
  }
}
