/// A moment as an extra field tells it: seconds since 1970 UTC and nanoseconds.
public struct EntryInstant: Hashable, Comparable, Sendable {
  /// Whole seconds since 1970-01-01 00:00 UTC; negative before.
  public var seconds: Int64
  /// 0 to 999,999,999.
  public var nanoseconds: Int32

  /// Creates a moment.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Orders by time.
  public static func < (left: EntryInstant, right: EntryInstant) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

/// The times that extra fields carry, the most precise of each.
struct TimeFields: Equatable {
  var modified: EntryInstant?
  var accessed: EntryInstant?
  var created: EntryInstant?

  /// Reads the NTFS, extended timestamp and old Unix fields (Info-ZIP's and PKWARE's); a field cut short counts as far as it goes.
  init(_ extra: RawSpan) {
    if let range = ExtraFields.find(.ntfs, in: extra) {
      readNTFS(extra.extracting(range))
    }
    if modified == nil, let range = ExtraFields.find(.extendedTimestamp, in: extra) {
      readTimestamp(extra.extracting(range))
    }
    for id in [ExtraFieldID.unix1, .pkwareUnix] where modified == nil {
      guard let range = ExtraFields.find(id, in: extra) else { continue }
      let field = extra.extracting(range)
      accessed = field.uint32(at: 0).map(Self.unixTime)
      modified = field.uint32(at: 4).map(Self.unixTime)
    }
  }

  /// Takes seconds below 1970 for those past 2038 that overflowed.
  mutating func unwrap() {
    func later(_ instant: EntryInstant?) -> EntryInstant? {
      guard var instant, instant.seconds < 0, instant.seconds >= Int64(Int32.min) else {
        return instant
      }
      instant.seconds += 1 << 32
      return instant
    }
    (modified, accessed, created) = (later(modified), later(accessed), later(created))
  }

  // 0x000a: four reserved bytes, then attributes of (tag, size, data); tag 1 holds three times in
  // 100 ns since 1601.
  private mutating func readNTFS(_ field: RawSpan) {
    var offset = 4
    while let tag = field.uint16(at: offset), let size = field.uint16(at: offset + 2) {
      if tag == 1, size >= 24, let range = field.range(at: offset + 4, count: Int(size)) {
        let data = field.extracting(range)
        modified = data.uint64(at: 0).flatMap(Self.windowsTime)
        accessed = data.uint64(at: 8).flatMap(Self.windowsTime)
        created = data.uint64(at: 16).flatMap(Self.windowsTime)
        return
      }
      offset += 4 + Int(size)
    }
  }

  // 0x5455: a byte of flags, then those of modification, access, creation that are flagged. The
  // central header holds the modification only, whatever the flags say.
  private mutating func readTimestamp(_ field: RawSpan) {
    guard let flags = field.byte(at: 0) else { return }
    var offset = 1
    func next() -> EntryInstant? {
      defer { offset += 4 }
      return field.uint32(at: offset).map(Self.unixTime)
    }
    if flags & 1 != 0 { modified = next() }
    if flags & 2 != 0 { accessed = next() }
    if flags & 4 != 0 { created = next() }
  }

  // Signed, as Info-ZIP reads it.
  private static func unixTime(_ value: UInt32) -> EntryInstant {
    EntryInstant(seconds: Int64(Int32(bitPattern: value)))
  }

  private static func windowsTime(_ value: UInt64) -> EntryInstant? {
    guard value != 0, value < UInt64(Int64.max) else { return nil }
    let ticks = Int64(value) - 116_444_736_000_000_000
    let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: 10_000_000)
    return rest < 0
      ? EntryInstant(seconds: seconds - 1, nanoseconds: Int32((rest + 10_000_000) * 100))
      : EntryInstant(seconds: seconds, nanoseconds: Int32(rest * 100))
  }
}
