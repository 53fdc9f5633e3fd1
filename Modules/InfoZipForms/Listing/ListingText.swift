internal import SystemIO
internal import ZipKitCore

/// Pieces of Info-ZIP's tables: numbers in columns, dates, ratios.
enum ListingText {
  /// Appends text, with spaces before it up to a width.
  static func right(_ text: some StringProtocol, _ width: Int, _ output: inout [UInt8]) {
    let count = text.utf8.count
    if count < width { output.append(contentsOf: repeatElement(0x20, count: width - count)) }
    output.append(contentsOf: text.utf8)
  }

  /// Appends a number, with spaces before it up to a width.
  static func right(_ number: UInt64, _ width: Int, _ output: inout [UInt8]) {
    right(String(number), width, &output)
  }

  /// Appends text, with spaces behind it up to a width.
  static func left(_ text: some StringProtocol, _ width: Int, _ output: inout [UInt8]) {
    output.append(contentsOf: text.utf8)
    let count = text.utf8.count
    if count < width { output.append(contentsOf: repeatElement(0x20, count: width - count)) }
  }

  /// Appends a number with zeros before it.
  static func zeros(_ number: Int, _ width: Int, _ output: inout [UInt8]) {
    let text = String(number)
    if text.utf8.count < width {
      output.append(contentsOf: repeatElement(0x30, count: width - text.utf8.count))
    }
    output.append(contentsOf: text.utf8)
  }

  /// Appends hours and minutes, as in `09:05`.
  static func clock(_ hour: Int, _ minute: Int, _ output: inout [UInt8]) {
    zeros(hour, 2, &output)
    output.append(UInt8(ascii: ":"))
    zeros(minute, 2, &output)
  }

  /// Eight hexadecimal digits.
  static func hex(_ value: UInt32, _ output: inout [UInt8]) {
    for shift in stride(from: 28, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: value >> UInt32(shift) & 15)
      output.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }

  /// Lower-case hexadecimal digits, with zeros before them up to a width.
  static func hex(_ value: UInt64, _ width: Int) -> String {
    zeros(String(value, radix: 16), width)
  }

  /// Digits with zeros before them.
  static func zeros(_ digits: String, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Savings in tenths of a percent, rounded as Info-ZIP does; negative where the file grew.
  static func savings(size: UInt64, compressed: UInt64) -> Int {
    guard size > 0 else { return 0 }
    let grew = compressed > size
    let difference = grew ? compressed - size : size - compressed
    let value: UInt64
    if size > 2_000_000 {
      let unit = size / 1000
      value = difference.addingReportingOverflow(unit / 2).partialValue / unit
    } else {
      value = (min(difference, .max / 2000) * 1000 + size / 2) / size
    }
    return grew ? -Int(clamping: value) : Int(clamping: value)
  }

  /// A percentage without fraction, in four columns.
  static func percent(_ savings: Int, _ output: inout [UInt8]) {
    let percent = (savings.magnitude + 5) / 10
    // A file of twice its size is not told from one that shrank to nothing, as there.
    right("\(savings < 0 && percent != 100 ? "-" : "")\(percent)%", 4, &output)
  }

  /// The entry's time on the local clock.
  static func moment(_ entry: ZipEntry) -> LocalClock.Parts {
    if let exact = entry.exactModified { return LocalClock.parts(ofSeconds: exact.seconds) }
    return parts(entry.dosModified)
  }

  static func parts(_ time: DOSDateTime) -> LocalClock.Parts {
    LocalClock.Parts(
      year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
      second: time.second)
  }

  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func month(_ number: Int) -> String {
    number >= 1 && number <= 12 ? months[number - 1] : zeros(String(number), 3)
  }
}

extension ZipEntry {
  /// Compressed bytes as Info-ZIP counts them: without the header of traditional encryption.
  var countedCompressedSize: UInt64 {
    isEncrypted && compressedSize >= 12 ? compressedSize - 12 : compressedSize
  }
}
