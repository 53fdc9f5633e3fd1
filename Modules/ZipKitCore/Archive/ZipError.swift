/// What went wrong with an archive, an entry, or its placement on disk.
///
/// The same value serves as error and as warning: ``ZipArchive/problems`` and reports hold those that
/// did not stop the work.
public struct ZipError: Error, Sendable, Equatable {
  /// The rule that was broken, with an identifier that stays the same between versions.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let rule: Rule

    private init(_ rule: Rule) { self.rule = rule }

    /// The stable identifier, such as `crc-mismatch`.
    public var id: String { rule.rawValue }

    /// The stable identifier.
    public var description: String { id }

    private enum Rule: String {
      case noEndRecord = "no-end-record"
      case directoryDamaged = "directory-damaged"
      case directoryCount = "directory-count"
      case zip64Missing = "zip64-missing"
      case multiDisk = "multi-disk"
      case partMissing = "part-missing"
      case prefixBytes = "prefix-bytes"
      case missingBytes = "missing-bytes"
      case trailingBytes = "trailing-bytes"
      case commentTruncated = "comment-truncated"
      case directoryEncrypted = "directory-encrypted"
      case zip64Differs = "zip64-differs"
      case isEmpty = "empty-archive"
      case sourceRead = "source-read"
      case sourceOpen = "source-open"
      case methodUnsupported = "method-unsupported"
      case encryptionUnsupported = "encryption-unsupported"
      case passwordNeeded = "password-needed"
      case passwordWrong = "password-wrong"
      case dataDamaged = "data-damaged"
      case dataTruncated = "data-truncated"
      case crcMismatch = "crc-mismatch"
      case sizeMismatch = "size-mismatch"
      case authenticationMismatch = "authentication-mismatch"
      case localHeaderMissing = "local-header-missing"
      case localHeaderDiffers = "local-header-differs"
      case localNameDiffers = "local-name-differs"
      case descriptorDiffers = "descriptor-differs"
      case extraFieldDamaged = "extra-field-damaged"
      case overlap = "overlap"
      case duplicateName = "duplicate-name"
      case caseClash = "case-clash"
      case normalizationClash = "normalization-clash"
      case nameEscapes = "name-escapes"
      case nameAbsolute = "name-absolute"
      case nameBackslash = "name-backslash"
      case nameControl = "name-control"
      case nameReserved = "name-reserved"
      case nameNUL = "name-nul"
      case nameEmpty = "name-empty"
      case nameTooLong = "name-too-long"
      case nameNotUTF8 = "name-not-utf8"
      case linkEscapes = "link-escapes"
      case linkDamaged = "link-damaged"
      case specialFile = "special-file"
      case limitSize = "limit-size"
      case limitRatio = "limit-ratio"
      case limitFiles = "limit-files"
      case limitMemory = "limit-memory"
      case diskFull = "disk-full"
      case targetExists = "target-exists"
      case targetUnusable = "target-unusable"
      case throughLink = "through-link"
      case writeTrouble = "write"
      case metadata = "metadata"
      case noThread = "no-thread"
      case cancelled = "cancelled"
    }

    /// No end of central directory record stands where it may be.
    public static let noEndRecord = Code(.noEndRecord)
    /// A central directory header is expected and something else found.
    public static let directoryDamaged = Code(.directoryDamaged)
    /// The end record counts other entries than the directory holds.
    public static let directoryCount = Code(.directoryCount)
    /// A header refers to a Zip64 record or field that is not there.
    public static let zip64Missing = Code(.zip64Missing)
    /// The archive says that it goes on in other files.
    public static let multiDisk = Code(.multiDisk)
    /// A part of a split archive is not there.
    public static let partMissing = Code(.partMissing)
    /// Bytes stand in front of the archive and its offsets do not count them.
    public static let prefixBytes = Code(.prefixBytes)
    /// Bytes that the offsets count are missing at the archive's beginning.
    public static let missingBytes = Code(.missingBytes)
    /// Bytes follow the archive's end.
    public static let trailingBytes = Code(.trailingBytes)
    /// The archive's comment is shorter than declared.
    public static let commentTruncated = Code(.commentTruncated)
    /// The central directory is encrypted.
    public static let directoryEncrypted = Code(.directoryEncrypted)
    /// The Zip64 and the classic end record contradict each other.
    public static let zip64Differs = Code(.zip64Differs)
    /// The archive holds no entries.
    public static let isEmpty = Code(.isEmpty)
    /// The source could not be read.
    public static let sourceRead = Code(.sourceRead)
    /// The source could not be opened.
    public static let sourceOpen = Code(.sourceOpen)
    /// No decoder for the compression method.
    public static let methodUnsupported = Code(.methodUnsupported)
    /// No cipher for the encryption.
    public static let encryptionUnsupported = Code(.encryptionUnsupported)
    /// The entry is encrypted and no password was given.
    public static let passwordNeeded = Code(.passwordNeeded)
    /// None of the passwords opens the entry.
    public static let passwordWrong = Code(.passwordWrong)
    /// The compressed bytes break the method's rules.
    public static let dataDamaged = Code(.dataDamaged)
    /// The archive or the compressed stream ends inside the entry.
    public static let dataTruncated = Code(.dataTruncated)
    /// The content's CRC-32 is not the declared one.
    public static let crcMismatch = Code(.crcMismatch)
    /// The content's size is not the declared one.
    public static let sizeMismatch = Code(.sizeMismatch)
    /// The authentication code does not match.
    public static let authenticationMismatch = Code(.authenticationMismatch)
    /// No local header where the directory says.
    public static let localHeaderMissing = Code(.localHeaderMissing)
    /// Local and central header contradict each other.
    public static let localHeaderDiffers = Code(.localHeaderDiffers)
    /// Local and central header hold different names.
    public static let localNameDiffers = Code(.localNameDiffers)
    /// The data descriptor contradicts the directory.
    public static let descriptorDiffers = Code(.descriptorDiffers)
    /// An extra field runs over the end of its header.
    public static let extraFieldDamaged = Code(.extraFieldDamaged)
    /// Two entries share bytes of the archive.
    public static let overlap = Code(.overlap)
    /// Two entries have the same name.
    public static let duplicateName = Code(.duplicateName)
    /// Two names differ in case only.
    public static let caseClash = Code(.caseClash)
    /// Two names differ in Unicode normalisation only.
    public static let normalizationClash = Code(.normalizationClash)
    /// The name climbs out with `..`.
    public static let nameEscapes = Code(.nameEscapes)
    /// The name is absolute or has a drive.
    public static let nameAbsolute = Code(.nameAbsolute)
    /// The name separates directories with backslashes.
    public static let nameBackslash = Code(.nameBackslash)
    /// The name holds control characters.
    public static let nameControl = Code(.nameControl)
    /// The name is one that Windows cannot have, and was changed on request.
    public static let nameReserved = Code(.nameReserved)
    /// The name holds a zero byte.
    public static let nameNUL = Code(.nameNUL)
    /// Nothing is left of the name.
    public static let nameEmpty = Code(.nameEmpty)
    /// The name or a part of it is longer than a file system takes.
    public static let nameTooLong = Code(.nameTooLong)
    /// The name is marked as UTF-8 and is not.
    public static let nameNotUTF8 = Code(.nameNotUTF8)
    /// A symbolic link leads out of the target directory.
    public static let linkEscapes = Code(.linkEscapes)
    /// A symbolic link's target is empty, too long or holds a zero byte.
    public static let linkDamaged = Code(.linkDamaged)
    /// A device, a pipe or a socket, which is never made.
    public static let specialFile = Code(.specialFile)
    /// More bytes than allowed.
    public static let limitSize = Code(.limitSize)
    /// A higher compression ratio than allowed.
    public static let limitRatio = Code(.limitRatio)
    /// More files than allowed.
    public static let limitFiles = Code(.limitFiles)
    /// A decoder needs more memory than allowed.
    public static let limitMemory = Code(.limitMemory)
    /// The file system or the quota is full.
    public static let diskFull = Code(.diskFull)
    /// The file exists and may not be replaced.
    public static let targetExists = Code(.targetExists)
    /// What exists at the name cannot take the entry, such as a directory.
    public static let targetUnusable = Code(.targetUnusable)
    /// A directory on the way is a symbolic link.
    public static let throughLink = Code(.throughLink)
    /// Writing did not work.
    public static let write = Code(.writeTrouble)
    /// Mode, times or owner could not be set; the content is whole.
    public static let metadata = Code(.metadata)
    /// The system has no thread left for the work, of which nothing was begun.
    public static let noThread = Code(.noThread)
    /// The work was cancelled before this entry was whole.
    public static let cancelled = Code(.cancelled)
  }

  /// The broken rule.
  public var code: Code
  /// A lower-case clause that says what was expected and what was found.
  public var message: String
  /// The entry's name, where it is about an entry.
  public var entry: String?
  /// The entry's number in the central directory, from 0.
  public var entryIndex: Int?
  /// Where in the archive, in bytes from its beginning.
  public var offset: UInt64?
  /// The number that the layer below gave: `errno`, or a decoder library's code.
  public var cause: Int32?

  /// Describes a broken rule; `message` is a lower-case clause.
  public init(
    _ code: Code, _ message: String, entry: String? = nil, entryIndex: Int? = nil,
    offset: UInt64? = nil, cause: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.entry = entry
    self.entryIndex = entryIndex
    self.offset = offset
    self.cause = cause
  }
}
