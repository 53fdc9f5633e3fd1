package import Dialogue

// How amounts are read from a command line; the counterpart of how they are written.

extension Quantity {
  /// Reads bytes: `1500`, `10K`, `1.5M` (powers of 1000), `64KiB`, `2GiB` (powers of 1024).
  ///
  /// Letters may be of either case, and a `B` may follow them.
  /// - Returns: `nil` for anything else, and for more than 64 bits hold.
  package static func size(_ text: String) -> UInt64? {
    let (number, unit) = split(text)
    let factors: [String: UInt64] = [
      "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000,
      "g": 1_000_000_000, "gb": 1_000_000_000, "t": 1_000_000_000_000, "tb": 1_000_000_000_000,
      "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]
    guard let factor = factors[unit.lowercased()] else { return nil }
    return scaled(number, by: factor)
  }

  /// Reads a length of time: `500ms`, `10s`, `2m`, `1h`, `1.5s`; a bare number is seconds.
  ///
  /// - Returns: `nil` for anything else, and for more than 292 years.
  package static func duration(_ text: String) -> Duration? {
    let (number, unit) = split(text)
    let factors: [String: UInt64] = [
      "ms": 1_000_000, "": 1_000_000_000, "s": 1_000_000_000, "m": 60_000_000_000,
      "min": 60_000_000_000, "h": 3_600_000_000_000, "d": 86_400_000_000_000,
    ]
    guard let factor = factors[String(unit)], let nanoseconds = scaled(number, by: factor),
      let signed = Int64(exactly: nanoseconds)
    else { return nil }
    return .nanoseconds(signed)
  }

  private static func split(_ text: String) -> (number: Substring, unit: Substring) {
    let end = text.firstIndex { !("0"..."9").contains($0) && $0 != "." } ?? text.endIndex
    return (text[..<end], text[end...])
  }

  /// Multiplies a decimal number by a factor, exactly, rounding down below one.
  private static func scaled(_ number: Substring, by factor: UInt64) -> UInt64? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = UInt64(parts[0]) else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
    if overflow { return nil }
    guard parts.count == 2 else { return product }
    // More digits than these say nothing: no unit is 10^18 of another, and 10^18 fits in 64 bits.
    let digits = parts[1].prefix(18)
    guard let fraction = UInt64(digits), parts[1].allSatisfy({ ("0"..."9").contains($0) }) else {
      return nil
    }
    let divisor = digits.reduce(UInt64(1)) { power, _ in power * 10 }
    let wide = factor.multipliedFullWidth(by: fraction)
    let (sum, carried) = product.addingReportingOverflow(divisor.dividingFullWidth(wide).quotient)
    return carried ? nil : sum
  }
}
