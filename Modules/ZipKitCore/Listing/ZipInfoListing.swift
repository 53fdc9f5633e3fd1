internal import SystemIO

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
      ListingText.percent(ListingText.savings(size: entry.size, compressed: packed), &output)
    case .long:
      output.append(0x20)
      ListingText.right(packed, 8, &output)
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
    ListingText.zeros(moment.hour, 2, &output)
    output.append(UInt8(ascii: ":"))
    ListingText.zeros(moment.minute, 2, &output)
  }

  // MARK: Columns

  static func permissions(_ entry: ZipEntry) -> String {
    let version = "\(entry.versionMadeBy / 10).\(entry.versionMadeBy % 10)"
    let attributes = entry.externalAttributes
    let mode = attributes >> 16
    let isPlausible =
      mode & 0o700 == 0o400 | (attributes & 1 == 0 ? 0o200 : 0) | (attributes & 0x10) << 2
    switch entry.host {
    case .dos where isPlausible: break
    case .dos, .hpfs, .ntfsInfoZip, .vfat:
      return dosAttributes(attributes, name: entry.name) + "     " + version
    default: break
    }
    return unixMode(mode) + "  " + version
  }

  private static func dosAttributes(_ attributes: UInt32, name: String) -> String {
    let isDirectory = attributes & 0x10 != 0
    let isLabel = attributes & 0x58 == 8
    let suffix = name.lowercased().split(separator: ".").last.map { $0.prefix(3) } ?? ""
    let runs =
      isDirectory
      || !isLabel && name.contains(".") && ["com", "exe", "btm", "cmd", "bat"].contains(suffix)
    return (isLabel ? "V" : isDirectory ? "d" : "-") + "r" + (attributes & 1 != 0 ? "-" : "w")
      + (runs ? "x" : "-") + (attributes & 0x20 != 0 ? "a" : "-")
      + (attributes & 2 != 0 ? "h" : "-") + (attributes & 4 != 0 ? "s" : "-")
  }

  /// Ten letters as `ls -l` has them.
  package static func unixMode(_ mode: UInt32) -> String {
    let kinds: [UInt32: String] = [
      0o040000: "d", 0o100000: "-", 0o120000: "l", 0o060000: "b", 0o020000: "c", 0o010000: "p",
      0o140000: "s",
    ]
    var text = kinds[mode & 0o170000] ?? "?"
    let specials: [(bit: UInt32, letter: String)] = [(0o4000, "s"), (0o2000, "s"), (0o1000, "t")]
    for (place, special) in specials.enumerated() {
      let bits = mode >> UInt32(6 - 3 * place) & 7
      text += (bits & 4 != 0 ? "r" : "-") + (bits & 2 != 0 ? "w" : "-")
      let runs = bits & 1 != 0
      text +=
        mode & special.bit != 0
        ? (runs ? special.letter : special.letter.uppercased()) : runs ? "x" : "-"
    }
    return text
  }

  static func host(_ host: HostSystem) -> String {
    let names = [
      "fat", "ami", "vms", "unx", "cms", "atr", "hpf", "mac", "zzz", "cpm", "t20", "ntf", "qds",
      "aco", "vft", "mvs", "be ", "nsk", "ths", "osx",
    ]
    let number = Int(host.rawValue)
    return number < names.count ? names[number] : "???"
  }

  private static func flags(_ entry: ZipEntry) -> String {
    let kind = entry.isText ? "t" : "b"
    let hasDescriptor = entry.flags.contains(.dataDescriptor)
    let hasExtra = entry.header.extraLength > 0
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
