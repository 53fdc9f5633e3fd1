/// The general purpose bit flag of an entry (APPNOTE 4.4.4).
public struct EntryFlags: OptionSet, Hashable, Sendable {
  /// The sixteen bits as written in the archive.
  public let rawValue: UInt16

  /// Wraps sixteen bits; unknown ones are kept.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The data are encrypted.
  public static let encrypted = EntryFlags(rawValue: 1 << 0)
  /// Method dependent; for implode an 8 KiB window, for LZMA an end mark.
  public static let methodBit1 = EntryFlags(rawValue: 1 << 1)
  /// Method dependent; for implode a third tree, for literals.
  public static let methodBit2 = EntryFlags(rawValue: 1 << 2)
  /// Sizes and CRC follow the data in a descriptor.
  public static let dataDescriptor = EntryFlags(rawValue: 1 << 3)
  /// The data are a patch against an older file.
  public static let patched = EntryFlags(rawValue: 1 << 5)
  /// PKWARE strong encryption.
  public static let strongEncryption = EntryFlags(rawValue: 1 << 6)
  /// Name and comment are UTF-8.
  public static let utf8 = EntryFlags(rawValue: 1 << 11)
  /// The local header's values are masked, as the central directory is encrypted.
  public static let maskedHeader = EntryFlags(rawValue: 1 << 13)
}
