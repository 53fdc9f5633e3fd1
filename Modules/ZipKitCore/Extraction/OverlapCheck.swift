/// The exact test for entries that share bytes of the archive, as those of a bomb do.
///
/// Each entry takes the bytes from its local header to the end of its data. Where the local header's extra
/// fields end is known only when it is read, so the check has two halves: this one, over the directory, with
/// the shortest possible extent of each entry, and the worker's, which holds the true end against ``next``.
struct OverlapCheck: Sendable {
  /// For each item, where the next entry or the directory begins; `UInt64.max` where nothing follows.
  private(set) var next: [UInt64]
  /// Items that overlap for certain.
  private(set) var overlaps: [(item: Int, problem: ZipError)] = []

  init(_ core: ArchiveCore, _ items: [ExtractionPlan.Item]) {
    next = Array(repeating: .max, count: items.count)
    var starts: [(start: UInt64, item: Int32)] = []
    starts.reserveCapacity(items.count)
    for (number, item) in items.enumerated() {
      guard let header = core.directory.header(Int(item.entry)),
        let start = core.directory.localOffset(header)
      else { continue }
      starts.append((start, Int32(truncatingIfNeeded: number)))
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
        guard let header = core.directory.header(Int(items[number].entry)) else { continue }
        let end = start.adding(UInt64(LocalHeader.fixedSize) + UInt64(header.nameLength))
          .flatMap { $0.adding(header.compressedSize) }
        // What runs past the source's end is cut off rather than shared; the reader says so.
        if let end, end > following, end <= core.source.size {
          overlaps.append((number, .overlap(end, next: following)))
        } else if other > first,
          !Self.isSame(core, items[number], items[Int(starts[first].item)])
        {
          overlaps.append((number, .overlap(start, next: start)))
        }
      }
      following = start
      place = first - 1
    }
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
      && directory.bytes[directory.nameRange(Int(left.entry), first)]
        .elementsEqual(directory.bytes[directory.nameRange(Int(right.entry), second)])
  }
}
