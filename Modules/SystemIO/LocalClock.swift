import Glibc

/// Calendar time in the process's time zone.
package enum LocalClock {
  /// Parts of a date as a local clock and calendar show them.
  package struct Parts: Equatable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int

    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
      self.year = year
      self.month = month
      self.day = day
      self.hour = hour
      self.minute = minute
      self.second = second
    }
  }

  /// Seconds since 1970 UTC of a local date and time; parts out of range are carried over.
  ///
  /// The corresponding C function is `mktime`.
  package static func seconds(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
  ) -> Int64 {
    var parts = unsafe tm()
    unsafe parts.tm_year = Int32(clamping: year - 1900)
    unsafe parts.tm_mon = Int32(clamping: month - 1)
    unsafe parts.tm_mday = Int32(clamping: day)
    unsafe parts.tm_hour = Int32(clamping: hour)
    unsafe parts.tm_min = Int32(clamping: minute)
    unsafe parts.tm_sec = Int32(clamping: second)
    unsafe parts.tm_isdst = -1
    return Int64(unsafe mktime(&parts))
  }

  /// The local date and time of a moment.
  ///
  /// The corresponding C function is `localtime_r`.
  package static func parts(ofSeconds seconds: Int64) -> Parts {
    var moment = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&moment, &parts)
    return unsafe Parts(parts)
  }

  /// The date and time of a moment in UTC.
  ///
  /// The corresponding C function is `gmtime_r`.
  package static func universalParts(ofSeconds seconds: Int64) -> Parts {
    var moment = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&moment, &parts)
    return unsafe Parts(parts)
  }
}

extension LocalClock.Parts {
  fileprivate init(_ parts: tm) {
    unsafe self.init(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }
}
