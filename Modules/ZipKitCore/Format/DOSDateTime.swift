/// A date and time as MS-DOS packs it: local time without a zone, to two seconds, from 1980 to 2107.
public struct DOSDateTime: Hashable, Sendable {
  /// Bits 0-4 seconds halved, 5-10 minutes, 11-15 hours.
  public var time: UInt16
  /// Bits 0-4 day, 5-8 month, 9-15 years since 1980.
  public var date: UInt16

  /// Wraps the two packed values; they may be nonsense.
  public init(date: UInt16, time: UInt16) {
    self.date = date
    self.time = time
  }

  /// 1980 to 2107.
  public var year: Int { Int(date >> 9) + 1980 }
  /// 1 to 12; 0 and 13 to 15 are nonsense that is found in archives.
  public var month: Int { Int(date >> 5 & 15) }
  /// 1 to 31; 0 is nonsense.
  public var day: Int { Int(date & 31) }
  /// 0 to 31, of which 0 to 23 make sense.
  public var hour: Int { Int(time >> 11) }
  /// 0 to 63, of which 0 to 59 make sense.
  public var minute: Int { Int(time >> 5 & 63) }
  /// Even seconds, 0 to 62.
  public var second: Int { Int(time & 31) * 2 }
}
