/// A set of byte offsets, kept as sorted ranges that neither overlap nor touch.
package struct ByteRanges: Equatable, Sendable {
  /// Sorted, disjoint, none empty.
  package private(set) var ranges: [Range<UInt64>] = []

  /// The empty set.
  package init() {}

  /// The union of some ranges.
  package init(_ ranges: some Sequence<Range<UInt64>>) {
    for range in ranges { insert(range) }
  }

  /// How many bytes are in the set.
  package var count: UInt64 { ranges.reduce(0) { $0 + UInt64($1.count) } }

  /// The end of the last range; 0 when empty.
  package var upperBound: UInt64 { ranges.last?.upperBound ?? 0 }

  /// The end of the range that starts at 0; 0 when there is none.
  package var prefix: UInt64 {
    guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
    return first.upperBound
  }

  /// Adds a range.
  package mutating func insert(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    // The usual case by far: a stream goes on where it was.
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      return
    }
    var merged = range
    let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
    var end = first
    while end < ranges.endIndex, ranges[end].lowerBound <= range.upperBound {
      merged =
        min(
          merged.lowerBound, ranges[end].lowerBound)..<max(
          merged.upperBound, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: [merged])
  }

  /// Takes a range out.
  package mutating func remove(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    ranges = ranges.flatMap { old -> [Range<UInt64>] in
      guard old.overlaps(range) else { return [old] }
      return [
        old.lowerBound..<max(old.lowerBound, min(old.upperBound, range.lowerBound)),
        max(old.lowerBound, min(old.upperBound, range.upperBound))..<old.upperBound,
      ].filter { !$0.isEmpty }
    }
  }

  /// The bytes that are in both sets.
  package func intersection(_ limit: Range<UInt64>) -> ByteRanges {
    ByteRanges(ranges.map { $0.clamped(to: limit) })
  }

  /// The ranges below an end that are not in the set.
  package func gaps(upTo end: UInt64) -> [Range<UInt64>] {
    var result: [Range<UInt64>] = []
    var start: UInt64 = 0
    for range in ranges where start < end {
      if range.lowerBound > start { result.append(start..<min(range.lowerBound, end)) }
      start = range.upperBound
    }
    if start < end { result.append(start..<end) }
    return result
  }

  /// Whether every byte of a range is in the set.
  package func contains(_ range: Range<UInt64>) -> Bool {
    range.isEmpty
      || ranges.contains {
        $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
      }
  }
}
