import SystemIO

// More than one connection for a file: the planner decides, the run performs.
extension DownloadRun {
  /// Looks at where everything stands.
  func tick() { spread() }

  /// Does what the planner says: asks for gaps, divides what a connection has before it, replaces one
  /// that stands still.
  func spread() {
    guard failure == nil, finalTotal == nil, !isPaused, pendingStartOver == nil,
      !segments.isEmpty, book.mayAskRanges, let total = book.version.total,
      book.openPlace?.part != nil
    else { return }
    for action in planner.plan(samples(total), gaps: gaps(total), now: Environment.monotonicNow) {
      switch action {
      case .open(let range): open(range)
      case .split(let id, let at):
        // Between the look and now the connection may have passed the place.
        let range = segments[id]?.receiver.giveAway(from: at, knownEnd: total)
        if let range { open(range) }
      case .replace(let id):
        guard let segment = segments[id] else { continue }
        replaced.insert(id)
        loop.cancel(segment.transfer)
      }
    }
  }

  private func open(_ range: Range<UInt64>) {
    options.onEvent?(
      .segment(start: range.lowerBound, end: range.upperBound, connections: segments.count + 1))
    startRange(range, known: book.version)
  }

  private func samples(_ total: UInt64) -> [SegmentPlanner.Sample] {
    segments.map { id, segment in
      let receiver = segment.receiver
      return SegmentPlanner.Sample(
        id: id, start: segment.start, position: receiver.position, end: min(receiver.end, total),
        isReceiving: receiver.isReceiving)
    }
  }

  /// Ranges that are not stored and that no connection works on.
  private func gaps(_ total: UInt64) -> [Range<UInt64>] {
    var claimed = book.stored
    for segment in segments.values {
      let receiver = segment.receiver
      let (start, end) = (min(segment.start, receiver.position), min(receiver.end, total))
      if start < end { claimed.insert(start..<end) }
    }
    return claimed.gaps(upTo: total)
  }
}

extension DownloadOptions {
  /// The planner for what is wanted; a limited rate needs no second connection.
  var planner: SegmentPlanner {
    if transfer.rateLimit != nil { return SegmentPlanner(limit: 1, isFixed: true) }
    return switch connections {
    case .automatic: SegmentPlanner(limit: SegmentPlanner.maximum, isFixed: false)
    case .fixed(let count): SegmentPlanner(limit: count, isFixed: true)
    }
  }
}
