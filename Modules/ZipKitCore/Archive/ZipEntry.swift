/// One entry of an archive, as its central directory describes it.
///
/// A value that may be used from many tasks; it keeps the archive open.
public struct ZipEntry: Sendable {
  /// What an entry is.
  public enum Kind: Sendable, Equatable {
    /// A file with content.
    case file
    /// A directory.
    case directory
    /// A symbolic link, its target being the content.
    case symbolicLink
    /// A device, pipe or socket, which is never made on disk.
    case special
  }

  /// The entry's number in the central directory, from 0.
  public let index: Int
  let core: ArchiveCore
  let header: CentralHeader

  init(core: ArchiveCore, index: Int, header: CentralHeader) {
    self.core = core
    self.index = index
    self.header = header
  }

  /// The name as text, with `/` between directories, otherwise as in the archive: not safe as a path.
  public var name: String { core.name(index, header).text }

  /// How ``name`` was told from ``nameBytes``.
  public var nameOrigin: NameOrigin { core.name(index, header).origin }

  /// The name's bytes as they stand in the header.
  public var nameBytes: [UInt8] {
    core.directory.text.bytes(core.directory.nameRange(index, header))
  }

  /// The entry's comment as text; empty where there is none.
  public var comment: String { core.comment(index, header) }

  /// The extra fields of the central header, as they stand there.
  public var extraFields: [UInt8] {
    core.directory.text.bytes(core.directory.extraRange(index, header))
  }

  /// Bytes of ``extraFields``.
  package var extraLength: UInt16 { header.extraLength }

  /// Bytes of the comment as it stands in the header.
  package var commentLength: UInt16 { header.commentLength }

  /// What the entry is: by its Unix mode where it has one, by its name's last byte, by its DOS bits.
  public var kind: Kind { core.kind(index, header) }

  /// Bytes of the content, as declared.
  public var size: UInt64 { header.size }

  /// Bytes in the archive, as declared.
  public var compressedSize: UInt64 { header.compressedSize }

  /// The content's CRC-32, as declared; 0 under AE-2 encryption.
  public var crc32: UInt32 { header.crc32 }

  /// How the bytes are compressed; 99 for WinZip AES, see ``codingMethod``.
  public var method: CompressionMethod { header.method }

  /// How the bytes are compressed under the encryption.
  public var codingMethod: CompressionMethod { core.codingMethod(index, header) }

  /// The general purpose flags.
  public var flags: EntryFlags { header.flags }

  /// Whether a password is needed.
  public var isEncrypted: Bool { header.flags.contains(.encrypted) }

  /// Whether the internal attributes call the content text.
  public var isText: Bool { header.internalAttributes & 1 != 0 }

  /// The system that the external attributes are of.
  public var host: HostSystem { HostSystem(rawValue: UInt8(header.versionMadeBy >> 8)) }

  /// The specification's version that the writer followed, times ten.
  public var versionMadeBy: UInt8 { UInt8(header.versionMadeBy & 0xff) }

  /// The version needed to extract, times ten, with the host in its high byte.
  public var versionNeeded: UInt16 { header.versionNeeded }

  /// The internal attributes as they stand in the header.
  public var internalAttributes: UInt16 { header.internalAttributes }

  /// The external attributes as they stand in the header.
  public var externalAttributes: UInt32 { header.externalAttributes }

  /// The Unix mode with its type bits, where the host or an extra field gives one.
  public var unixMode: UInt16? { core.unixMode(index, header) }

  /// The modification in local time without a zone, as every entry has it.
  public var dosModified: DOSDateTime { DOSDateTime(date: header.dosDate, time: header.dosTime) }

  /// The modification as an extra field tells it, in UTC; nil where none does.
  public var exactModified: EntryInstant? { core.times(index, header).modified }

  /// The modification in UTC: the exact one, or the DOS one read in the local time zone.
  public var modified: EntryInstant {
    exactModified ?? LocalTime.instant(of: dosModified)
  }

  /// The owner that an extra field names; reads the local header where only that one holds it.
  public var owner: EntryOwner? { core.owner(index, header) }

  /// The disk on which a split archive holds the entry, from 0.
  public var disk: UInt32 { header.diskStart }

  /// Where the local header stands, as the directory says it: without the base of a prefix.
  public var localHeaderOffset: UInt64 { header.localOffset }

  /// Where in the source the central header stands.
  public var centralHeaderOffset: UInt64 {
    core.directory.start + UInt64(core.directory.positions[index])
  }
}

extension CentralHeader {
  /// The Unix mode, where the host gives one.
  var unixMode: UInt16? {
    let host = HostSystem(rawValue: UInt8(versionMadeBy >> 8))
    let mode = UInt16(externalAttributes >> 16)
    return host.hasUnixMode && mode != 0 ? mode : nil
  }
}
