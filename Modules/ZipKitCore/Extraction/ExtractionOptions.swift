/// How entries are written to disk.
public struct ExtractionOptions: Sendable {
  /// What happens when a file of the name is there.
  public enum Existing: Sendable {
    /// The entry fails with `target-exists`.
    case fail
    /// The file stays.
    case skip
    /// The file is replaced, in one step and only by a whole one.
    case replace
    /// The entry gets a name of its own: `name (2).txt`, `name (3).txt`…
    case rename
    /// A function is asked, one file at a time.
    case ask(@Sendable (_ path: String) -> ExistingAnswer)
  }

  /// The answer to a question about one file.
  public enum ExistingAnswer: Sendable, Equatable {
    /// Replace this file.
    case replace
    /// Keep this file.
    case skip
    /// Write the entry under another name in the same directory.
    case rename(String)
  }

  /// Which of several entries with the same path is written.
  ///
  /// Names that differ here and not elsewhere, by case or by normalization, are all written and
  /// reported, unless ``rename`` or ``error`` asks for names that are apart everywhere.
  public enum Duplicates: Sendable, Equatable {
    /// The last, with a warning.
    case last
    /// The first, with a warning.
    case first
    /// All, the later ones as `name (2).txt`; also those that clash.
    case rename
    /// None: each fails with `duplicate-name`; of those that clash, all but the first fail.
    case error
  }

  /// Which names get small letters.
  public enum Lowercasing: Sendable, Equatable {
    /// None.
    case none
    /// Those that were made on a system without small letters, such as MS-DOS.
    case fromDOS
    /// All.
    case all
  }

  /// Which entries get Unix line ends.
  public enum TextConversion: Sendable, Equatable {
    /// None.
    case none
    /// Those marked as text.
    case marked
    /// All.
    case all
  }

  /// What happens when a file of the name is there; ``Existing/fail`` by default.
  public var existing: Existing = .fail
  /// Whether a file that is not older than its entry stays, before ``existing`` is looked at; false by
  /// default.
  public var onlyReplacesOlder = false
  /// Whether nothing is made that is not there already; false by default.
  public var onlyFreshens = false
  /// Which of several entries with one path is written; the last by default.
  public var duplicates: Duplicates = .last
  /// Whether directory entries, `__MACOSX/`, `._*`, `.DS_Store`, `Thumbs.db` and `desktop.ini` are left out; false by
  /// default.
  public var onlyRealFiles = false
  /// Whether only the last part of each name counts; false by default.
  public var dropsDirectories = false
  /// Leading directories dropped from each name; 0 by default.
  public var stripComponents = 0
  /// Of which names ASCII capitals become small; of none by default.
  public var lowercases = Lowercasing.none
  /// Of which entries line ends become Unix's; of none by default.
  public var convertsText = TextConversion.none
  /// Whether control characters of names are kept; dropped by default.
  public var keepsControlCharacters = false
  /// Whether names that Windows cannot have are changed: devices' names, characters like `:`, dots and blanks at the
  /// end; kept by default.
  ///
  /// What links lead to is left as it is.
  public var usesPortableNames = false
  /// Whether a part of two dots in a name takes back the part before it; refused by default.
  ///
  /// What leads out of the target is refused in any case.
  public var resolvesParents = false
  /// Whether links that lead out of the target are made; false by default.
  public var allowsUnsafeLinks = false
  /// Whether directories get their times; true by default.
  public var setsDirectoryTimes = true
  /// Whether files and links get their times; true by default.
  public var setsTimes = true
  /// Whether set-id and sticky bits are kept; false by default.
  public var keepsSpecialBits = false
  /// Whether owners are set where an extra field names them; false by default.
  public var setsOwner = false
  /// Whether a replaced file is kept as `name~`; false by default.
  public var keepsBackup = false
  /// Whether runs of zero bytes become holes; false by default.
  public var writesSparse = false
  /// Whether nothing is written and the report tells what would be; false by default.
  public var isDryRun = false
  /// Workers; as many as processors by default.
  public var jobs: Int?
  /// Passwords tried on encrypted entries, in order; bytes, as their encoding is the writer's affair.
  public var passwords: [[UInt8]] = []
  /// Limits on what may come out.
  public var limits = ExtractionLimits()

  /// The defaults named at each property.
  public init() {}
}

/// Limits on what may come out of an archive.
public struct ExtractionLimits: Sendable, Equatable {
  /// Bytes in all; nil for no limit but free space.
  public var totalSize: UInt64?
  /// Content over compressed bytes, of each entry and of the chosen ones together; nil for none.
  ///
  /// An entry above it is refused, all together above it are not begun. Up to 1 MiB of content any ratio is fine.
  public var ratio: UInt64?
  /// Entries, and directories that only names of others tell of; nil for no limit.
  public var files: UInt64?
  /// Bytes that one decoder may take; 256 MiB by default.
  public var decoderMemory: UInt64 = 256 << 20

  /// No limits but decoder memory and free space.
  public init() {}

  /// Refuses content that is too much for its compressed bytes.
  func checkRatio(_ size: UInt64, _ compressed: UInt64) throws(ZipError) {
    if let ratio, size > 1 << 20, size / max(compressed, 1) > ratio {
      throw .limitRatio(ratio, size: size, compressed: compressed)
    }
  }
}
