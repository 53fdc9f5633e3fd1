internal import SystemIO

/// MS-DOS times, which have no zone, read in this process's time zone.
enum LocalTime {
  /// The moment that local clocks showed a date and time; nonsense is carried over into the next unit
  /// as the C library does.
  static func instant(of time: DOSDateTime) -> EntryInstant {
    EntryInstant(
      seconds: LocalClock.seconds(
        year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
        second: time.second))
  }
}
