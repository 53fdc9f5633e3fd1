internal import SystemIO
package import ZipKitCore

/// The tables of `unzip -l` and `unzip -v`, byte for byte as Debian's Info-ZIP prints them.
package struct TableListing {
  /// Whether it is the wide table of `-v`.
  package let isVerbose: Bool
  /// Entries so far.
  package private(set) var count = 0
  private var size: UInt64 = 0
  private var compressed: UInt64 = 0

  private let lowercases: ExtractionOptions.Lowercasing

  /// Starts a table; names that `lowercases` changes are marked.
  package init(isVerbose: Bool, lowercases: ExtractionOptions.Lowercasing = .none) {
    self.isVerbose = isVerbose
    self.lowercases = lowercases
  }

  /// The head, two lines.
  package var head: String {
    let marks =
      lowercases == .none ? ("", "") : (" (\"^\" ==> case", "   conversion)")
    return isVerbose
      ? " Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\(marks.0)\n"
        + "--------  ------  ------- ---- ---------- ----- --------  ----\(marks.1)\n"
      : "  Length      Date    Time    Name\(marks.0)\n---------  ---------- -----   ----\(marks.1)\n"
  }

  /// Appends an entry's line and its comment; both texts are as they are to be shown.
  package mutating func append(
    _ entry: ZipEntry, name: String, comment: String = "", to output: inout [UInt8]
  ) {
    count += 1
    size = size.addingReportingOverflow(entry.size).partialValue
    let packed = entry.countedCompressedSize
    compressed = compressed.addingReportingOverflow(packed).partialValue
    if isVerbose {
      ListingText.right(entry.size, 8, &output)
      output.append(contentsOf: [0x20, 0x20])
      ListingText.left(Self.method(entry), 7, &output)
      ListingText.right(packed, 8, &output)
      output.append(0x20)
      ListingText.percent(ListingText.savings(size: entry.size, compressed: packed), &output)
      output.append(0x20)
    } else {
      ListingText.right(entry.size, 9, &output)
      output.append(contentsOf: [0x20, 0x20])
    }
    Self.date(entry, &output)
    output.append(0x20)
    if isVerbose { ListingText.hex(entry.crc32, &output) }
    output.append(0x20)
    let isLowered = CaseConversion.changes(entry, lowercases)
    output.append(isLowered ? UInt8(ascii: "^") : 0x20)
    output.append(contentsOf: CaseConversion.name(entry, name, by: lowercases).utf8)
    output.append(0x0a)
    guard !comment.isEmpty else { return }
    output.append(contentsOf: comment.utf8)
    if !comment.hasSuffix("\n") { output.append(0x0a) }
  }

  /// The foot, two lines.
  package var foot: String {
    var line: [UInt8] = []
    let files = "\(count) file\(count == 1 ? "" : "s")\n"
    if isVerbose {
      ListingText.right(size, 8, &line)
      line.append(contentsOf: repeatElement(0x20, count: 9))
      ListingText.right(compressed, 8, &line)
      line.append(0x20)
      ListingText.percent(ListingText.savings(size: size, compressed: compressed), &line)
      line.append(contentsOf: repeatElement(0x20, count: 28))
      return "--------          -------  ---                            -------\n"
        + String(decoding: line, as: UTF8.self) + files
    }
    ListingText.right(size, 9, &line)
    line.append(contentsOf: repeatElement(0x20, count: 21))
    return "---------                     -------\n" + String(decoding: line, as: UTF8.self) + files
  }

  private static func date(_ entry: ZipEntry, _ output: inout [UInt8]) {
    let moment = ListingText.moment(entry)
    ListingText.zeros(moment.year, 4, &output)
    output.append(UInt8(ascii: "-"))
    ListingText.zeros(moment.month, 2, &output)
    output.append(UInt8(ascii: "-"))
    ListingText.zeros(moment.day, 2, &output)
    output.append(0x20)
    ListingText.clock(moment.hour, moment.minute, &output)
  }

  /// The method in at most seven letters.
  static func method(_ entry: ZipEntry) -> String {
    let level = "NXFS".utf8.map { String(UnicodeScalar($0)) }[Int(entry.flags.rawValue >> 1 & 3)]
    switch entry.method {
    case .stored: return "Stored"
    case .shrunk: return "Shrunk"
    case .reduced1, .reduced2, .reduced3, .reduced4: return "Reduce\(entry.method.rawValue - 1)"
    case .imploded: return "Implode"
    case .deflated: return "Defl:\(level)"
    case .deflate64: return "Def64\(level)"
    case .dclImploded: return "ImplDCL"
    case .bzip2: return "BZip2"
    case .lzma: return "LZMA"
    case .wavPack: return "WavPack"
    case .ppmd: return "PPMd"
    default:
      let number = String(entry.method.rawValue)
      return "Unk:" + String(repeating: "0", count: max(0, 3 - number.utf8.count)) + number
    }
  }
}
