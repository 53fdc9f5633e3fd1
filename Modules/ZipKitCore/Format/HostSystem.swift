/// The system whose attributes an entry carries: the high byte of "version made by" (APPNOTE 4.4.2).
public struct HostSystem: RawRepresentable, Hashable, Sendable {
  /// The number as written in the archive.
  public let rawValue: UInt8

  /// Wraps a number; every number is allowed.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// MS-DOS and its FAT descendants.
  public static let dos = HostSystem(rawValue: 0)
  /// Unix.
  public static let unix = HostSystem(rawValue: 3)
  /// OS/2 HPFS.
  public static let hpfs = HostSystem(rawValue: 6)
  /// Classic Macintosh.
  public static let macintosh = HostSystem(rawValue: 7)
  /// Windows NTFS, as PKWARE numbers it.
  public static let ntfs = HostSystem(rawValue: 10)
  /// NTFS, as Info-ZIP numbers it.
  public static let ntfsInfoZip = HostSystem(rawValue: 11)
  /// VFAT.
  public static let vfat = HostSystem(rawValue: 14)
  /// BeOS.
  public static let beos = HostSystem(rawValue: 16)
  /// OS X.
  public static let darwin = HostSystem(rawValue: 19)

  /// Whether the external attributes hold a Unix mode in their upper half.
  public var hasUnixMode: Bool { self == .unix || self == .darwin || self == .beos }

  /// Whether a backslash separates directories, in a name without a slash.
  public var usesBackslash: Bool {
    self == .dos || self == .ntfs || self == .ntfsInfoZip || self == .vfat || self == .hpfs
  }

  /// Whether a name of a system that uses backslashes really does: who wrote a slash knew what separates directories
  /// in an archive, and meant any backslash as a character.
  static func separatesByBackslash(_ name: some Sequence<UInt8>) -> Bool {
    var hasBackslash = false
    for byte in name {
      if byte == UInt8(ascii: "/") { return false }
      if byte == UInt8(ascii: "\\") { hasBackslash = true }
    }
    return hasBackslash
  }
}
