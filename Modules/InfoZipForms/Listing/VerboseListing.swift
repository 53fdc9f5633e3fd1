internal import SystemIO
package import ZipKitCore

/// Everything about an archive and its entries, as `zipinfo -v` tells it.
package struct VerboseListing {
  private let archive: ZipArchive
  /// Where the entry before should end by its central header; 0 where that cannot be told.
  private var previousEnd: UInt64 = 0
  private var last = -1

  /// Starts a list of an archive's entries.
  package init(_ archive: ZipArchive) { self.archive = archive }

  // MARK: The archive

  /// What stands before the entries: the archive's comment, as it is to be shown, and the end record.
  package func head(comment: String) -> String { framed(comment) + endRecord }

  private func framed(_ comment: String) -> String {
    let count = archive.commentBytes.count
    guard count > 0 else { return "There is no zipfile comment.\n" }
    func line(_ words: String, _ left: Int, _ right: Int) -> String {
      String(repeating: "=", count: left) + " zipfile comment \(words) "
        + String(repeating: "=", count: right) + "\n"
    }
    return "The zipfile comment is \(count) bytes long and contains the following text:\n"
      + line("begins", 24, 26) + comment + (comment.hasSuffix("\n") ? "" : "\n")
      + line("ends", 25, 27)
  }

  private var endRecord: String {
    guard let claim = archive.claim else { return "" }
    let end = claim.offset &+ claim.size
    var text = "\nEnd-of-central-directory record:\n-------------------------------\n\n"
    text += "  Zip archive file size:               \(place(archive.size))\n"
    text += "  Actual end-cent-dir record offset:   \(place(claim.recordsStart))\n"
    text += "  Expected end-cent-dir record offset: \(place(end))\n"
    text += "  (based on the length of the central directory and its expected offset)\n\n"
    let entries = claim.entries == 1 ? "entry" : "entries"
    if claim.recordDisk == 0 {
      return text + "  This zipfile constitutes the sole disk of a single-part archive; its\n"
        + "  central directory contains \(claim.entries) \(entries).\n"
        + "  The central directory is \(both(claim.size)) bytes long,\n"
        + "  and its (expected) offset in bytes from the beginning of the zipfile\n"
        + "  is \(both(claim.offset)).\n\n"
    }
    return text
      + "  This zipfile constitutes disk \(claim.recordDisk + 1) of a multi-part archive.  "
      + "The central\n  directory starts on disk \(claim.disk + 1) at an offset within that "
      + "archive part\n  of \(both(claim.offset)) bytes.  The entire\n"
      + "  central directory is \(both(claim.size)) bytes long.\n  \(claim.entriesOnDisk) of the "
      + "archive entries \(claim.entriesOnDisk == 1 ? "is" : "are") contained within this "
      + "zipfile volume,\n  out of a total of \(claim.entries) \(entries).\n\n"
  }

  private func both(_ number: UInt64) -> String {
    "\(number) (\(ListingText.hex(number, 16).uppercased())h)"
  }

  private func place(_ number: UInt64) -> String {
    let text = both(number)
    return String(repeating: " ", count: max(0, 31 - text.utf8.count)) + text
  }

  // MARK: An entry

  /// The paragraph of an entry, whose name and comment are as they are to be shown.
  package mutating func text(_ entry: ZipEntry, name: String, comment: String) -> String {
    var text = "\nCentral directory entry #\(entry.index + 1):\n---------------------------\n\n"
    if entry.index != last + 1 { previousEnd = 0 }
    last = entry.index
    if previousEnd > 0, entry.localHeaderOffset != previousEnd {
      let gap = Int64(bitPattern: entry.localHeaderOffset &- previousEnd)
      text += "  There are an extra \(gap) bytes preceding this file.\n\n"
    }
    previousEnd =
      entry.localHeaderOffset &+ 30 &+ UInt64(entry.nameBytes.count)
      &+ UInt64(entry.extraLength) &+ entry.compressedSize
    text += "  \(name)\n\n" + Self.origin(entry) + Self.coding(entry) + Self.times(entry)
    text += Self.lengths(entry) + Self.attributes(entry)
    if entry.extraLength > 0 {
      var fields = ExtraFieldListing(entry, previousEnd: previousEnd)
      text += fields.text()
      previousEnd = fields.previousEnd
    }
    text += localFields(entry)
    guard !comment.isEmpty else { return text + "\n  There is no file comment.\n" }
    return text
      + "\n------------------------- file comment begins ----------------------------\n" + comment
      + (comment.hasSuffix("\n") ? "" : "\n")
      + "-------------------------- file comment ends -----------------------------\n"
  }

  private static func row(_ label: String, _ value: String) -> String {
    "  " + label + String(repeating: " ", count: max(1, 48 - label.utf8.count)) + value + "\n"
  }

  private static func origin(_ entry: ZipEntry) -> String {
    let needed = entry.versionNeeded
    return row("offset of local header from start of archive:", "\(entry.localHeaderOffset)")
      + row("", "(\(ListingText.hex(entry.localHeaderOffset, 16).uppercased())h) bytes")
      + row("file system or operating system of origin:", system(entry.host))
      + row("version of encoding software:", version(entry.versionMadeBy))
      + row(
        "minimum file system compatibility required:",
        system(HostSystem(rawValue: UInt8(needed >> 8))))
      + row(
        "minimum software version required to extract:",
        version(UInt8(truncatingIfNeeded: needed)))
  }

  private static func coding(_ entry: ZipEntry) -> String {
    var text = row("compression method:", method(entry.method))
    switch entry.method {
    case .imploded:
      let isLarge = entry.flags.contains(.methodBit1)
      text += row("size of sliding dictionary (implosion):", isLarge ? "8K" : "4K")
      let hasLiterals = entry.flags.contains(.methodBit2)
      text += row("number of Shannon-Fano trees (implosion):", hasLiterals ? "3" : "2")
    case .deflated, .deflate64:
      let level = ["normal", "maximum", "fast", "superfast"]
      text += row(
        "compression sub-type (deflation):", level[Int(entry.flags.rawValue >> 1 & 3)])
    default: break
    }
    return text + row("file security status:", (entry.isEncrypted ? "" : "not ") + "encrypted")
      + row("extended local header:", entry.flags.contains(.dataDescriptor) ? "yes" : "no")
  }

  private static func times(_ entry: ZipEntry) -> String {
    var text = row(
      "file last modified on (DOS date/time):", moment(ListingText.parts(entry.dosModified)))
    if let exact = ExtraFieldListing.unixModified(entry) {
      let label = "file last modified on (UT extra field modtime):"
      text += row(label, moment(LocalClock.parts(ofSeconds: exact)) + " local")
      text += row(label, moment(LocalClock.universalParts(ofSeconds: exact)) + " UTC")
    }
    return text
  }

  private static func lengths(_ entry: ZipEntry) -> String {
    let kind =
      entry.isText ? "text" : entry.internalAttributes & 2 != 0 ? "ebcdic" : "binary"
    return row("32-bit CRC value (hex):", ListingText.hex(UInt64(entry.crc32), 8))
      + row("compressed size:", "\(entry.compressedSize) bytes")
      + row("uncompressed size:", "\(entry.size) bytes")
      + row("length of filename:", "\(entry.nameBytes.count) characters")
      + row("length of extra field:", "\(entry.extraLength) bytes")
      + row("length of file comment:", "\(entry.commentLength) characters")
      + row("disk number on which file begins:", "disk \(UInt64(entry.disk) + 1)")
      + row("apparent file type:", kind)
  }

  private static func attributes(_ entry: ZipEntry) -> String {
    let external = entry.externalAttributes
    let mode = external >> 16
    let octal = ListingText.zeros(String(mode, radix: 8), 6)
    var text: String
    switch entry.host.rawValue {
    case 0, 4, 6, 11, 13, 14, 15:
      let hex = ListingText.zeros(String(external >> 8, radix: 16).uppercased(), 6)
      text = row("non-MSDOS external file attributes:", "\(hex) hex")
    case 1: text = row("Amiga file attributes (\(octal) octal):", ModeLetters.amiga(mode))
    case 2:
      let groups = ModeLetters.vms(mode)
      // System and owner are the same.
      let all = (groups.prefix(1) + groups).joined(separator: ",")
      text = row("VMS file attributes (\(octal) octal):", "(\(all))")
    case 18:
      let hex = ListingText.zeros(String(mode, radix: 16).uppercased(), 4)
      text = row("Theos file attributes (\(hex) hex):", ModeLetters.theos(mode, isLong: true))
    default:
      text = row(
        "Unix file attributes (\(octal) octal):",
        ModeLetters.unix(mode, lockLetter: "l"))
    }
    let dos = external & 0xff
    text += row(
      "MS-DOS file attributes (\(ListingText.hex(UInt64(dos), 2).uppercased()) hex):",
      dosBits(dos))
    return text
  }

  private static func dosBits(_ bits: UInt32) -> String {
    if bits == 0 { return "none" }
    if bits == 1 { return "read-only" }
    let names = ["rdo ", "hid ", "sys ", "lab ", "dir ", "arc ", "lnk ", "exe"]
    return names.enumerated().filter { bits >> UInt32($0.offset) & 1 != 0 }.map(\.element).joined()
  }

  // The lower attributes may tell of an old Unix field that stands in the local header only.
  private mutating func localFields(_ entry: ZipEntry) -> String {
    let bits = entry.externalAttributes >> 12 & 12
    guard bits & 8 != 0 else { return "" }
    let hasOwner = bits & 4 != 0
    func text(_ verb: String, _ count: UInt32) -> String {
      "\n  There \(verb) a local extra field with ID 0x5855 (old Info-ZIP Unix/OS2/NT) and\n"
        + "  \(count) data bytes (GMT modification/access times "
        + (hasOwner ? "and Unix UID/GID" : "only") + ").\n"
    }
    switch entry.host {
    case .unix, .hpfs, .ntfsInfoZip:
      if previousEnd > 0 { previousEnd &+= UInt64(bits) }
      return text("is", bits)
    case .dos where !hasOwner: return text("may be", 8)
    default: return ""
    }
  }

  // MARK: Words

  private static func version(_ number: UInt8) -> String { "\(number / 10).\(number % 10)" }

  private static let systems = [
    "MS-DOS, OS/2 or NT FAT", "Amiga", "VMS", "Unix", "VM/CMS", "Atari ST", "OS/2 or NT HPFS",
    "Macintosh HFS", "Z-System", "CP/M", "TOPS-20", "NTFS", "SMS/QDOS", "Acorn RISC OS",
    "Win32 VFAT", "MVS", "BeOS", "Tandem NSK", "Theos", "Mac OS/X (Darwin)",
  ]

  private static func system(_ host: HostSystem) -> String {
    let number = Int(host.rawValue)
    if number < systems.count { return systems[number] }
    return number == 30 ? "AtheOS" : "unknown (\(number))"
  }

  private static func method(_ method: CompressionMethod) -> String {
    switch method.rawValue {
    case 0: "none (stored)"
    case 1: "shrunk"
    case 2...5: "reduced (factor \(method.rawValue - 1))"
    case 6: "imploded"
    case 7: "tokenized"
    case 8: "deflated"
    case 9: "deflated (enhanced-64k)"
    case 10: "imploded (PK DCL)"
    case 12: "bzipped"
    case 14: "LZMA-ed"
    case 18: "tersed (IBM)"
    case 19: "LZ77-compressed (IBM)"
    case 97: "WavPacked"
    case 98: "PPMd-ed"
    default: "unknown (\(method.rawValue))"
    }
  }

  private static func moment(_ parts: LocalClock.Parts) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.year) \(ListingText.month(parts.month)) \(parts.day) "
      + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
  }
}
