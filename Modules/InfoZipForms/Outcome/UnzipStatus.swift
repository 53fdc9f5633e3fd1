package import ZipKitCore

/// What `unzip` tells its parent, in Info-ZIP's numbers.
package struct UnzipStatus: Hashable, Sendable {
  /// The number, as `$?` shows it.
  package let code: UInt8

  private init(_ code: UInt8) { self.code = code }

  /// Done.
  package static let success = UnzipStatus(0)
  /// Warnings, but everything asked for is there.
  package static let warning = UnzipStatus(1)
  /// An entry is damaged, refused, or could not be written.
  package static let error = UnzipStatus(2)
  /// The central directory or a local header is damaged.
  package static let severe = UnzipStatus(3)
  /// A password is needed.
  package static let noPassword = UnzipStatus(5)
  /// No archive, or none that can be opened.
  package static let noArchive = UnzipStatus(9)
  /// The command line cannot be understood.
  package static let badOptions = UnzipStatus(10)
  /// No entry matches.
  package static let noMatch = UnzipStatus(11)
  /// Entries overlap, or a limit is passed.
  package static let bomb = UnzipStatus(12)
  /// The disk is full.
  package static let diskFull = UnzipStatus(50)
  /// The archive ends inside an entry.
  package static let endOfArchive = UnzipStatus(51)
  /// Interrupted.
  package static let interrupted = UnzipStatus(80)
  /// A method or an encryption is not supported.
  package static let unsupported = UnzipStatus(81)
  /// No password fits.
  package static let wrongPassword = UnzipStatus(82)

  /// All statuses, in the order of their numbers, with their meanings.
  package static let meanings: [(status: UnzipStatus, meaning: String)] = [
    (.success, "done"), (.warning, "warnings, but everything asked for is there"),
    (.error, "an entry is damaged, refused, or could not be written"),
    (.severe, "the central directory or a local header is damaged"),
    (.noPassword, "a password is needed"),
    (.noArchive, "no archive, or none that can be opened"),
    (.badOptions, "the command line cannot be understood"),
    (.noMatch, "no entry matches"), (.bomb, "entries overlap, or a limit is passed"),
    (.diskFull, "the disk is full"), (.endOfArchive, "the archive ends inside an entry"),
    (.interrupted, "interrupted"),
    (.unsupported, "a method or an encryption is not supported"),
    (.wrongPassword, "no password fits"),
  ]

  /// What a broken rule means.
  package init(_ code: ZipError.Code) {
    self =
      switch code {
      case .sourceOpen, .noEndRecord: .noArchive
      case .directoryDamaged, .directoryCount, .zip64Missing, .localHeaderMissing: .severe
      case .prefixBytes, .missingBytes, .commentTruncated, .multiDisk, .nameAbsolute,
        .localNameDiffers, .metadata, .isEmpty:
        .warning
      case .trailingBytes, .nameBackslash, .nameControl, .nameReserved, .duplicateName,
        .caseClash, .normalizationClash, .zip64Differs:
        .success
      case .passwordNeeded: .noPassword
      case .passwordWrong: .wrongPassword
      case .overlap, .limitSize, .limitRatio, .limitFiles: .bomb
      case .diskFull: .diskFull
      case .dataTruncated: .endOfArchive
      case .methodUnsupported, .encryptionUnsupported, .directoryEncrypted, .limitMemory:
        .unsupported
      case .cancelled: .interrupted
      default: .error
      }
  }

  /// The one with the greater number: numbers grow with severity.
  package func worse(_ other: UnzipStatus) -> UnzipStatus { code >= other.code ? self : other }

  /// The worst of what problems mean, and of this.
  package func worse(_ problems: some Sequence<ZipError>) -> UnzipStatus {
    problems.reduce(self) { $0.worse(UnzipStatus($1.code)) }
  }

  /// The worst of what all problems mean, kept or not, and of this.
  package func worse(_ problems: ZipProblems) -> UnzipStatus {
    problems.codes.reduce(self) { $0.worse(UnzipStatus($1)) }
  }
}

extension ExtractionReport {
  /// The status of an extraction or a test.
  package var unzipStatus: UnzipStatus {
    var status = UnzipStatus.success.worse(allProblems)
    status = status.worse(general.filter { $0.code != .cancelled })
    // What the rules of placement refuse is not there, whatever the rule.
    if status == .success, count(of: .refused) > 0 { status = .error }
    // Where a password fits some entry, the others are a warning.
    return status == .wrongPassword && count(of: .done) > 0 ? .warning : status
  }
}
