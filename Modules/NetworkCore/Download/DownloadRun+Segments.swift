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
    replaceStanding()
    spread()
  }

  /// Gives idle connections something to do: a gap nobody works on, or half of the largest rest.
  func spread() {
    guard failure == nil, finalTotal == nil, !isPaused, pendingStartOver == nil, !isSwitching,
      !segments.isEmpty, book.mayUseSegments, let total = book.version.total
    else { return }
    let missing = total - min(total, book.stored.count)
    while segments.count < planner.target(missing: missing), hostIsOpen {
      guard let range = unclaimed(total: total) ?? stolen(total: total) else { return }
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

  /// Half of what the connection with the most work has before it.
  private func stolen(total: UInt64) -> Range<UInt64>? {
    let largest = segments.values.max { rest(of: $0, total) < rest(of: $1, total) }
    return largest?.receiver.giveAway(atLeast: SegmentPlanner.minimumShare, knownEnd: total)
  }

  private func rest(of segment: Segment, _ total: UInt64) -> UInt64 {
    let end = min(segment.receiver.end, total)
    return end - min(end, segment.receiver.position)
  }

  /// A connection that stands still while others move is made anew: its range goes back to the pool.
  private func replaceStanding() {
    guard segments.count > 1 else { return }
    let now = Environment.monotonicNow
    for (number, segment) in segments {
      var segment = segment
      let position = segment.receiver.position
      if position != segment.lastPosition {
        (segment.lastPosition, segment.lastMove) = (position, now)
      } else if now - segment.lastMove > Self.standstill, !segment.isReplaced {
        segment.isReplaced = true
        loop.cancel(segment.transfer)
      }
      segments[number] = segment
    }
  }

  /// How long one of several connections may bring nothing.
  static let standstill: Duration = .seconds(3)
}
