/// Amounts as they are written for people.
package enum Quantity {
  /// Bytes with a decimal unit and three digits: `999 B`, `1.23 MB`, `45.6 GB`.
  package static func describe(bytes: UInt64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    var divisor: UInt64 = 1
    var index = 0
    while bytes / divisor >= 1000 {
      divisor *= 1000
      index += 1
    }
    return index == 0 ? "\(bytes) B" : "\(digits(bytes, over: divisor)) \(units[index])"
  }

  /// Three digits of a quotient below 1000, rounded down so that no unit shows "1000".
  private static func digits(_ number: UInt64, over divisor: UInt64) -> String {
    let whole = number / divisor
    let thousandths = (number % divisor) / (divisor / 1000)
    let padded = (thousandths < 10 ? "00" : thousandths < 100 ? "0" : "") + String(thousandths)
    return whole >= 100 ? "\(whole)" : "\(whole).\(padded.prefix(whole >= 10 ? 1 : 2))"
  }

  /// A length of time in minutes and seconds: `0:05`, `12:34`, `1:02:03`, `3d 04:00`.
  package static func describe(_ duration: Duration) -> String {
    let seconds = max(duration.components.seconds, 0)
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    if hours >= 48 { return "\(hours / 24)d \(twoDigits(hours % 24)):\(twoDigits(minutes))" }
    if hours > 0 { return "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" }
    return "\(minutes):\(twoDigits(rest))"
  }

  /// A share as whole percent, 100 only when nothing is missing.
  package static func describe(fraction: Double) -> String {
    "\(Int(min(max(fraction, 0), 1) * 100))%"
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
