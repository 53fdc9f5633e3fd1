/// The exact test for entries that share bytes of the archive, as those of a bomb do.
///
/// Each entry takes the bytes from its local header to the end of its data. Where the local header's extra
/// fields end is known only when it is read, so the check has two halves: this one, over the directory, with
/// the shortest possible extent of each entry, and the worker's, which holds the true end against ``next``.
struct OverlapCheck: Sendable {
  /// For each item, where the next entry or the directory begins; `UInt64.max` where nothing follows.
  private(set) var next: [UInt64]
  /// Items that overlap for certain; see ``problem(_:_:)``.
  private(set) var items: [Int32] = []
  private let core: ArchiveCore

  init(_ core: ArchiveCore, _ items: [ExtractionPlan.Item]) {
    self.core = core
    next = Array(repeating: .max, count: items.count)
    // With their ends: entries may stand in any order, and headers are quickest read in theirs.
    var starts: [(start: UInt64, end: UInt64, item: Int32)] = []
    starts.reserveCapacity(items.count)
    for (number, item) in items.enumerated() {
      guard let header = core.directory.header(Int(item.entry)),
        let start = core.directory.localOffset(header)
      else { continue }
      let end = Self.end(core, header, start) ?? start
      starts.append((start, end, Int32(truncatingIfNeeded: number)))
    }
    starts.sort { ($0.start, $0.item) < ($1.start, $1.item) }
    var following = UInt64.max
    var place = starts.count - 1
    while place >= 0 {
      // All items of one start are one extent when they are one entry listed again.
      var first = place
      while first > 0, starts[first - 1].start == starts[place].start { first -= 1 }
      let start = starts[place].start
      if start < core.directory.start { following = min(following, core.directory.start) }
      for other in first...place {
        let number = Int(starts[other].item)
        next[number] = following
        if starts[other].end > following
          || other > first && !Self.isSame(core, items[number], items[Int(starts[first].item)])
        {
          self.items.append(starts[other].item)
        }
      }
      following = start
      place = first - 1
    }
  }

  // What runs past the source's end is cut off rather than shared; the reader says so.
  private static func end(
    _ core: ArchiveCore, _ header: CentralHeader, _ start: UInt64
  ) -> UInt64? {
    let end = start.adding(UInt64(LocalHeader.fixedSize) + UInt64(header.nameLength))
      .flatMap { $0.adding(header.compressedSize) }
    return end.flatMap { $0 <= core.source.size ? $0 : nil }
  }

  /// What is wrong with one of ``items``; made when asked for, as a bomb may have a million of them.
  func problem(_ item: Int32, _ items: [ExtractionPlan.Item]) -> ZipError {
    let entry = Int(items[Int(item)].entry)
    guard let header = core.directory.header(entry), let start = core.directory.localOffset(header)
    else { return .entryUnreadable(entry) }
    let next = next[Int(item)]
    if let end = Self.end(core, header, start), end > next { return .overlap(end, next: next) }
    return .overlap(start, next: start)
  }

  private static func isSame(
    _ core: ArchiveCore, _ left: ExtractionPlan.Item, _ right: ExtractionPlan.Item
  ) -> Bool {
    let directory = core.directory
    guard let first = directory.header(Int(left.entry)),
      let second = directory.header(Int(right.entry))
    else { return false }
    return first.compressedSize == second.compressedSize && first.size == second.size
      && first.crc32 == second.crc32
      && directory.text.bytes(directory.nameRange(Int(left.entry), first))
        == directory.text.bytes(directory.nameRange(Int(right.entry), second))
  }
}
