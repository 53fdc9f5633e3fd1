internal import SystemIO

/// Everything about one entry, as `zipinfo -v` tells it.
package enum VerboseListing {
  /// The paragraph of an entry.
  package static func text(_ entry: ZipEntry, name: String) -> String {
    var text = "Central directory entry #\(entry.index + 1):\n---------------------------\n\n"
    text += "  \(name)\n\n"
    let offset = Int64(entry.localHeaderOffset) &+ entry.core.directory.base
    text += row("offset of local header from start of archive:", "\(offset)")
    text += row("", "(\(hex(UInt64(max(offset, 0)), 16))h) bytes")
    text += row("file system or operating system of origin:", system(entry.host))
    text += row("version of encoding software:", version(entry.versionMadeBy))
    text += row(
      "minimum file system compatibility required:",
      system(HostSystem(rawValue: UInt8(entry.versionNeeded >> 8))))
    text += row(
      "minimum software version required to extract:", version(UInt8(entry.versionNeeded & 0xff)))
    text += row("compression method:", method(entry.method))
    if entry.method == .deflated {
      let level = ["normal", "maximum", "fast", "super fast"]
      text += row(
        "compression sub-type (deflation):", level[Int(entry.flags.rawValue >> 1 & 3)])
    }
    text += row("file security status:", (entry.isEncrypted ? "" : "not ") + "encrypted")
    text += row(
      "extended local header:", entry.flags.contains(.dataDescriptor) ? "yes" : "no")
    text += row("file last modified on (DOS date/time):", dosTime(entry.dosModified))
    if let exact = entry.exactModified {
      text += row(
        "file last modified on (UT extra field modtime):",
        moment(LocalClock.parts(ofSeconds: exact.seconds)) + " local")
    }
    text += row("32-bit CRC value (hex):", hex(UInt64(entry.crc32), 8))
    text += row("compressed size:", "\(entry.compressedSize) bytes")
    text += row("uncompressed size:", "\(entry.size) bytes")
    text += row("length of filename:", "\(entry.nameBytes.count) characters")
    text += row("length of extra field:", "\(entry.header.extraLength) bytes")
    text += row("length of file comment:", "\(entry.header.commentLength) characters")
    text += row("disk number on which file begins:", "disk \(entry.disk + 1)")
    text += row("apparent file type:", entry.isText ? "text" : "binary")
    if entry.host.hasUnixMode {
      let mode = entry.externalAttributes >> 16
      text += row(
        "Unix file attributes (\(octal(mode)) octal):", ZipInfoListing.unixMode(mode))
    }
    let dos = entry.externalAttributes & 0xff
    text += row("MS-DOS file attributes (\(hex(UInt64(dos), 2).uppercased()) hex):", dosBits(dos))
    text += "\n"
    if entry.header.extraLength > 0 { text += extra(entry) }
    text +=
      entry.comment.isEmpty
      ? "  There is no file comment.\n\n"
      : "------------------------- file comment begins ----------------------------\n"
        + entry.comment
        + "\n-------------------------- file comment ends -----------------------------\n\n"
    return text
  }

  private static func row(_ label: String, _ value: String) -> String {
    "  " + label + String(repeating: " ", count: max(1, 48 - label.utf8.count)) + value + "\n"
  }

  private static func version(_ number: UInt8) -> String { "\(number / 10).\(number % 10)" }

  private static func system(_ host: HostSystem) -> String {
    switch host {
    case .dos: "MS-DOS, OS/2 or NT FAT"
    case .unix: "Unix"
    case .hpfs: "OS/2 HPFS or NTFS"
    case .macintosh: "Macintosh HFS"
    case .ntfs: "TOPS-20"
    case .ntfsInfoZip: "NTFS"
    case .vfat: "VFAT"
    case .beos: "BeOS"
    case .darwin: "Mac OS X"
    default: "unknown (\(host.rawValue))"
    }
  }

  private static func method(_ method: CompressionMethod) -> String {
    switch method {
    case .stored: "none (stored)"
    case .shrunk: "shrunk"
    case .imploded: "imploded"
    case .deflated: "deflated"
    case .deflate64: "deflated (enhanced-64k)"
    case .bzip2: "bzipped"
    case .lzma: "LZMA-ed"
    case .ppmd: "PPMd-ed"
    default: method.name.map { "\($0) (\(method.rawValue))" } ?? "unknown (\(method.rawValue))"
    }
  }

  private static func dosTime(_ time: DOSDateTime) -> String {
    moment(
      LocalClock.Parts(
        year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
        second: time.second))
  }

  private static func moment(_ parts: LocalClock.Parts) -> String {
    "\(parts.year) \(ListingText.month(parts.month)) \(parts.day) "
      + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func hex(_ value: UInt64, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    let text = String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    return width > 8 ? text.uppercased() : text
  }

  private static func octal(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
  }

  private static func dosBits(_ bits: UInt32) -> String {
    let names = [(1, "rdo"), (2, "hid"), (4, "sys"), (8, "lab"), (16, "dir"), (32, "arc")]
    let set = names.filter { bits & UInt32($0.0) != 0 }.map(\.1)
    return set.isEmpty ? "none" : set.joined(separator: " ") + " "
  }

  private static func extra(_ entry: ZipEntry) -> String {
    var text = "  The central-directory extra field contains:\n"
    let bytes = entry.extraFields
    ExtraFields.forEach(in: unsafe bytes.span.bytes) { id, data in
      let name = names[id] ?? "unknown"
      text +=
        "  - A subfield with ID 0x\(hex(UInt64(id.rawValue), 4)) (\(name)) and "
        + "\(data.byteCount) data bytes.\n"
    }
    return text + "\n"
  }

  private static let names: [ExtraFieldID: String] = [
    .zip64: "PKWARE 64-bit sizes", .ntfs: "PKWARE Win32", .extendedTimestamp: "universal time",
    .unix1: "old Info-ZIP Unix/OS2/NT", .unicodePath: "Unicode name",
    .unicodeComment: "Unicode comment", .unix2: "Unix UID/GID",
    .unixOwner: "Unix UID/GID (any size)", .winZipAES: "WinZip AES",
    .strongEncryption: "strong encryption",
  ]
}
