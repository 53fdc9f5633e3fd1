internal import Synchronization

/// The work of a run, cut into pieces: large entries first and one by one, then small ones in batches that
/// stay within one directory where they can.
///
/// Workers take batches from both ends, so that two of them seldom create files in the same directory, whose
/// lock they would wait for.
final class WorkQueue: Sendable {
  /// The files in a batch at most.
  static let batchCount = 64
  /// The compressed bytes in a batch at most.
  static let batchSize: UInt64 = 2 << 20

  private struct State {
    var large: Int = 0
    var front: Int = 0
    var back: Int
  }

  private let large: [Int32]
  private let small: [Int32]
  private let batches: [Range<Int32>]
  private let state: Mutex<State>

  /// Sorts items into pieces.
  init(_ core: ArchiveCore, _ items: [ExtractionPlan.Item], _ numbers: [Int32]) {
    var large: [(size: UInt64, number: Int32)] = []
    var small: [(directory: Int32, number: Int32, size: UInt32)] = []
    small.reserveCapacity(numbers.count)
    for number in numbers {
      let item = items[Int(number)]
      let header = core.directory.header(Int(item.entry)) ?? .lost
      if header.size > EntryReader.wholeLimit || header.compressedSize > EntryReader.wholeLimit {
        large.append((header.size, number))
      } else {
        small.append((item.directory, number, UInt32(header.compressedSize)))
      }
    }
    large.sort { ($0.size, $1.number) > ($1.size, $0.number) }
    small.sort { ($0.directory, $0.number) < ($1.directory, $1.number) }
    var batches: [Range<Int32>] = []
    var start = 0
    var size: UInt64 = 0
    for place in small.indices {
      let isFull = place - start >= Self.batchCount || size >= Self.batchSize
      if place > start,
        isFull || small[place].directory != small[start].directory && place - start >= 8
      {
        batches.append(Int32(start)..<Int32(place))
        (start, size) = (place, 0)
      }
      size += UInt64(small[place].size)
    }
    if start < small.count { batches.append(Int32(start)..<Int32(small.count)) }
    self.large = large.map(\.number)
    self.small = small.map(\.number)
    self.batches = batches
    state = Mutex(State(back: batches.count))
  }

  /// Pieces of work in all.
  var count: Int { large.count + batches.count }

  /// Items with a piece of their own.
  var largeCount: Int { large.count }

  /// Takes the next piece; a worker that says `fromBack` takes batches from the end.
  func next(fromBack: Bool) -> ArraySlice<Int32>? {
    let taken = state.withLock { state -> (isLarge: Bool, place: Int)? in
      if state.large < large.count {
        defer { state.large += 1 }
        return (true, state.large)
      }
      guard state.front < state.back else { return nil }
      if fromBack {
        state.back -= 1
        return (false, state.back)
      }
      defer { state.front += 1 }
      return (false, state.front)
    }
    guard let taken else { return nil }
    if taken.isLarge { return large[taken.place...taken.place] }
    let batch = batches[taken.place]
    return small[Int(batch.lowerBound)..<Int(batch.upperBound)]
  }
}
