/// A date in one of the three forms that HTTP has had.
///
/// Source: RFC 9110 section 5.6.7.
package struct HTTPDate: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01 00:00:00 UTC.
  package var secondsSinceEpoch: Int64

  package init(secondsSinceEpoch: Int64) {
    self.secondsSinceEpoch = secondsSinceEpoch
  }

  package static func < (left: HTTPDate, right: HTTPDate) -> Bool {
    left.secondsSinceEpoch < right.secondsSinceEpoch
  }

  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
  /// `Sun Nov  6 08:49:37 1994`.
  ///
  /// - Parameters:
  ///   - text: The date.
  ///   - century: The year that years of two digits are near to; the form with them is obsolete.
  /// - Throws: What was found instead.
  package init(_ text: String, near century: Int = 2026) throws(InputError) {
    let words = text.split(whereSeparator: { " ,-".contains($0) }).map(String.init)
    let bad = InputError(.httpDate, found: text)
    let day: String
    let month: String
    let year: String
    let time: String
    switch words.count {
    case 6 where words[5] == "GMT":
      (day, month, year, time) = (words[1], words[2], words[3], words[4])
    case 5: (month, day, time, year) = (words[1], words[2], words[3], words[4])
    default: throw bad
    }
    guard Self.days.contains(where: { words[0].hasPrefix($0) }),
      let monthIndex = Self.months.firstIndex(of: month), (1...2).contains(day.utf8.count),
      let dayNumber = decimal(Array(day.utf8)), (1...31).contains(dayNumber),
      let clock = Self.clock(time), var yearNumber = decimal(Array(year.utf8)).map(Int.init)
    else { throw bad }
    switch year.utf8.count {
    case 4: break
    case 2:
      // RFC 9110: a date that seems more than 50 years ahead lies in the past.
      yearNumber += century / 100 * 100
      if yearNumber > century + 50 { yearNumber -= 100 }
    default: throw bad
    }
    let monthNumber = monthIndex + 1
    guard Int(dayNumber) <= Self.length(of: monthNumber, year: yearNumber) else { throw bad }
    let days = Self.daysSinceEpoch(year: yearNumber, month: monthNumber, day: Int(dayNumber))
    secondsSinceEpoch = Int64(days) * 86400 + Int64(clock)
  }

  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds of the day; a leap second is taken for the one before.
  private static func clock(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
    let numbers = parts.compactMap { decimal(Array($0.utf8)).map(Int.init) }
    guard numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] <= 60 else { return nil }
    return numbers[0] * 3600 + numbers[1] * 60 + min(numbers[2], 59)
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && year % 100 != 0 || year % 400 == 0
  }

  private static func length(of month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days in the proleptic Gregorian calendar.
  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let past = year - 1
    let leaps = past / 4 - past / 100 + past / 400
    let monthDays = (1..<month).reduce(0) { $0 + length(of: $1, year: year) }
    return past * 365 + leaps + monthDays + day - 1 - 719_162
  }
}

/// A `Retry-After` field.
///
/// Source: RFC 9110 section 10.2.3.
package enum RetryAfter {
  /// How long to wait from now on; a date in the past is no wait.
  ///
  /// - Parameters:
  ///   - value: Seconds, or a date.
  ///   - now: The server's own `Date` where it sent one, as its clock may differ from ours.
  /// - Returns: The wait; more than a hundred years counts as a hundred.
  /// - Throws: What was found instead.
  package static func parse(_ value: String, now: HTTPDate) throws(InputError) -> Duration {
    let text = value.trimmed
    let longest: Int64 = 100 * 366 * 86400
    if !text.isEmpty, text.utf8.allSatisfy(isDigit) {
      let seconds = decimal(Array(text.utf8)) ?? .max
      return .seconds(Int64(min(seconds, UInt64(longest))))
    }
    let date: HTTPDate
    do { date = try HTTPDate(text) } catch { throw InputError(.retryAfter, found: value) }
    return .seconds(min(max(0, date.secondsSinceEpoch - now.secondsSinceEpoch), longest))
  }
}
