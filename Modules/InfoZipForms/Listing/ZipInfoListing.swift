internal import SystemIO
package import ZipKitCore

/// The lines of `zipinfo`, as Info-ZIP prints them.
package struct ZipInfoListing {
  /// How long a line is.
  package enum Form: Sendable {
    case short, medium, long
  }

  /// How long lines are.
  package let form: Form
  /// Whether dates are decimal and sortable.
  package let hasDecimalTime: Bool
  /// Entries so far.
  package private(set) var count = 0
  private var size: UInt64 = 0
  private var compressed: UInt64 = 0

  /// Starts a list.
  package init(form: Form, hasDecimalTime: Bool) {
    self.form = form
    self.hasDecimalTime = hasDecimalTime
  }

  /// Counts an entry for the totals.
  package mutating func count(_ entry: ZipEntry) {
    count += 1
    size = size.addingReportingOverflow(entry.size).partialValue
    compressed = compressed.addingReportingOverflow(entry.countedCompressedSize).partialValue
  }

  /// Appends an entry's line; `name` is it as it is to be shown.
  package mutating func append(_ entry: ZipEntry, name: String, to output: inout [UInt8]) {
    count(entry)
    output.append(contentsOf: Self.permissions(entry).utf8)
    output.append(contentsOf: " \(Self.host(entry.host)) ".utf8)
    ListingText.right(entry.size, 8, &output)
    output.append(0x20)
    output.append(contentsOf: Self.flags(entry).utf8)
    let packed = entry.countedCompressedSize
    switch form {
    case .short: break
    case .medium:
      let savings = ListingText.savings(size: entry.size, compressed: packed)
      // Rounded towards zero where the file grew, as there.
      ListingText.right("\((savings + 5) / 10)%", 4, &output)
    case .long:
      output.append(0x20)
      ListingText.right(entry.compressedSize, 8, &output)
    }
    output.append(contentsOf: " \(Self.method(entry)) ".utf8)
    date(entry, &output)
    output.append(0x20)
    output.append(contentsOf: name.utf8)
    output.append(0x0a)
  }

  /// The line of totals.
  package var totals: String {
    let savings = ListingText.savings(size: size, compressed: compressed)
    let sign = savings < 0 ? "-" : ""
    return "\(count) file\(count == 1 ? "" : "s"), \(size) bytes uncompressed, "
      + "\(compressed) bytes compressed:  \(sign)\(savings.magnitude / 10)."
      + "\(savings.magnitude % 10)%\n"
  }

  private func date(_ entry: ZipEntry, _ output: inout [UInt8]) {
    let moment = ListingText.moment(entry)
    if hasDecimalTime {
      ListingText.zeros(moment.year, 4, &output)
      ListingText.zeros(moment.month, 2, &output)
      ListingText.zeros(moment.day, 2, &output)
      output.append(UInt8(ascii: "."))
      ListingText.zeros(moment.hour, 2, &output)
      ListingText.zeros(moment.minute, 2, &output)
      ListingText.zeros(moment.second, 2, &output)
      return
    }
    ListingText.zeros(moment.year % 100, 2, &output)
    output.append(contentsOf: "-\(ListingText.month(moment.month))-".utf8)
    ListingText.zeros(moment.day, 2, &output)
    output.append(0x20)
    ListingText.clock(moment.hour, moment.minute, &output)
  }

  // MARK: Columns

  static func permissions(_ entry: ZipEntry) -> String {
    let version = "\(entry.versionMadeBy / 10).\(entry.versionMadeBy % 10)"
    let attributes = entry.externalAttributes
    let mode = attributes >> 16
    let isPlausible =
      mode & 0o700 == 0o400 | (attributes & 1 == 0 ? 0o200 : 0) | (attributes & 0x10) << 2
    let letters: String
    switch entry.host.rawValue {
    case 0 where isPlausible: letters = ModeLetters.unix(mode)
    case 0, 4, 6, 11, 13, 14, 15: letters = dosAttributes(attributes, name: entry.name)
    case 1: letters = ModeLetters.amiga(mode)
    case 2:
      letters = ModeLetters.vms(mode).joined(separator: ",")
      // Where all rights are given, the version has no room.
      if letters.utf8.count > 12 { return letters + " " }
    case 18: letters = ModeLetters.theos(mode, isLong: false)
    default: letters = ModeLetters.unix(mode)
    }
    return letters + String(repeating: " ", count: max(0, 12 - letters.utf8.count)) + version
  }

  private static func dosAttributes(_ attributes: UInt32, name: String) -> String {
    let isDirectory = attributes & 0x10 != 0
    let isLabel = attributes & 8 != 0
    let suffix = name.lowercased().split(separator: ".").last.map { $0.prefix(3) } ?? ""
    let runs =
      isDirectory
      || !isLabel && name.contains(".") && ["com", "exe", "btm", "cmd", "bat"].contains(suffix)
    return (isLabel ? "V" : isDirectory ? "d" : "-") + "r" + (attributes & 1 != 0 ? "-" : "w")
      + (runs ? "x" : "-") + (attributes & 0x20 != 0 ? "a" : "-")
      + (attributes & 2 != 0 ? "h" : "-") + (attributes & 4 != 0 ? "s" : "-")
  }

  private static let hosts = [
    "fat", "ami", "vms", "unx", "cms", "atr", "hpf", "mac", "zzz", "cpm", "t20", "ntf", "qds",
    "aco", "vft", "mvs", "be ", "nsk", "ths", "osx",
  ]

  private static func host(_ host: HostSystem) -> String {
    let number = Int(host.rawValue)
    return number < hosts.count ? hosts[number] : number == 30 ? "ath" : "???"
  }

  private static func flags(_ entry: ZipEntry) -> String {
    let kind = entry.isText ? "t" : "b"
    let hasDescriptor = entry.flags.contains(.dataDescriptor)
    // One bit of the attributes tells of a field that stands in the local header only.
    let hasLocalExtra =
      entry.externalAttributes & 0x8000 != 0 && [3, 6, 11].contains(entry.host.rawValue)
    let hasExtra = entry.extraLength > 0 || hasLocalExtra
    return (entry.isEncrypted ? kind.uppercased() : kind)
      + (hasExtra ? hasDescriptor ? "X" : "x" : hasDescriptor ? "l" : "-")
  }

  private static func method(_ entry: ZipEntry) -> String {
    let level = ["N", "X", "F", "S"][Int(entry.flags.rawValue >> 1 & 3)]
    switch entry.method {
    case .stored: return "stor"
    case .shrunk: return "shrk"
    case .reduced1, .reduced2, .reduced3, .reduced4: return "re:\(entry.method.rawValue - 1)"
    case .imploded:
      return "i\(entry.flags.contains(.methodBit1) ? 8 : 4):"
        + "\(entry.flags.contains(.methodBit2) ? 3 : 2)"
    case .deflated: return "def\(level)"
    case .deflate64: return "d64\(level)"
    case .dclImploded: return "dcli"
    case .bzip2: return "bzp2"
    case .lzma: return "lzma"
    case .wavPack: return "wavp"
    case .ppmd: return "ppmd"
    default:
      let number = String(entry.method.rawValue)
      return "u" + String(repeating: "0", count: max(0, 3 - number.utf8.count)) + number
    }
  }
}
