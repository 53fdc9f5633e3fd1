/// A piece of the archive in memory, moved along with the reads of one worker.
///
/// Entries that lie side by side are served by one read of the source.
final class SourceWindow {
  /// What a read fetches at least, in bytes, where reads go on from each other.
  static let readAhead = 256 << 10
  /// The most bytes that are skipped between reads that go on from each other.
  private static let nearby: UInt64 = 32 << 10

  private(set) var storage: [UInt8] = []
  private var start: UInt64 = 0
  private var filled = 0
  private let source: any ArchiveSource

  init(_ source: any ArchiveSource) { self.source = source }

  /// Makes bytes available and tells where in ``storage`` they are, until the next call.
  ///
  /// There are between `enough` and `count` of them, `enough` being what the caller is content with when
  /// that many are here already; fewer only where the source ends.
  func load(at offset: UInt64, count: Int, enough: Int? = nil) throws(ZipError) -> Range<Int> {
    if offset >= start, offset - start <= UInt64(filled) {
      let position = Int(offset - start)
      let here = min(filled - position, count)
      if here >= min(enough ?? count, count) { return position..<(position + here) }
    }
    // Entries of one directory may be spread over the archive; what is between them is not wanted.
    let end = start + UInt64(filled)
    let goesOn = offset >= start && (offset <= end || offset - end <= Self.nearby)
    let wanted = goesOn ? max(count, Self.readAhead) : count
    if storage.count < wanted {
      storage = [UInt8](repeating: 0, count: max(wanted, Self.readAhead))
    }
    start = offset
    filled = 0
    guard offset < source.size else { return 0..<0 }
    let length = Int(min(UInt64(wanted), source.size - offset))
    filled = try source.fill(&storage, count: length, at: offset)
    return 0..<min(count, filled)
  }
}
