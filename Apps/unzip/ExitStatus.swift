import CommandLineSupport
import ZipKitCore

/// Info-ZIP's exit statuses.
extension ExitStatus {
  static let warning = ExitStatus(1)
  static let error = ExitStatus(2)
  static let severe = ExitStatus(3)
  static let noPassword = ExitStatus(5)
  static let noArchive = ExitStatus(9)
  static let badOptions = ExitStatus(10)
  static let noMatch = ExitStatus(11)
  static let bomb = ExitStatus(12)
  static let diskFull = ExitStatus(50)
  static let endOfArchive = ExitStatus(51)
  static let interrupted = ExitStatus(80)
  static let unsupported = ExitStatus(81)
  static let wrongPassword = ExitStatus(82)

  /// What a broken rule means for the status.
  init(_ code: ZipError.Code) {
    self =
      switch code {
      case .sourceOpen, .noEndRecord: .noArchive
      case .directoryDamaged, .directoryCount, .zip64Missing, .localHeaderMissing: .severe
      case .prefixBytes, .missingBytes, .commentTruncated, .multiDisk, .nameAbsolute,
        .localNameDiffers, .metadata, .isEmpty:
        .warning
      case .trailingBytes, .nameBackslash, .nameControl, .duplicateName, .caseClash,
        .normalizationClash,
        .zip64Differs:
        .success
      case .passwordNeeded: .noPassword
      case .passwordWrong: .wrongPassword
      case .overlap, .limitSize, .limitRatio, .limitFiles: .bomb
      case .diskFull: .diskFull
      case .dataTruncated: .endOfArchive
      case .methodUnsupported, .encryptionUnsupported, .limitMemory: .unsupported
      case .cancelled: .interrupted
      default: .error
      }
  }

  static let meanings: [CommandSpec.Outcome] = [
    .init(.success, "done"), .init(.warning, "warnings, but everything asked for is there"),
    .init(.error, "an entry is damaged, refused, or could not be written"),
    .init(.severe, "the central directory or a local header is damaged"),
    .init(.noPassword, "a password is needed"),
    .init(.noArchive, "no archive, or none that can be opened"),
    .init(.badOptions, "the command line cannot be understood"),
    .init(.noMatch, "no entry matches"), .init(.bomb, "entries overlap, or a limit is passed"),
    .init(.diskFull, "the disk is full"),
    .init(.endOfArchive, "the archive ends inside an entry"),
    .init(.interrupted, "interrupted"),
    .init(.unsupported, "a method or an encryption is not supported"),
    .init(.wrongPassword, "no password fits"),
  ]
}
