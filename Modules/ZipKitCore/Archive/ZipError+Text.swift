internal import SystemIO

// All wording of the module. A message says what was expected and what was found.

extension ZipError: CustomStringConvertible {
  /// Entry, message and place in one line.
  public var description: String {
    var text = entry.map { "\($0): " } ?? ""
    text += message
    if let offset { text += " (at byte \(offset))" }
    return text
  }
}

extension ZipError {
  // MARK: Sources

  static func cannotOpen(_ error: SystemError) -> ZipError {
    ZipError(
      .sourceOpen, "expected an archive to open, found \"\(error.reason)\"", cause: error.errno)
  }

  static func notAFile(_ kind: FileStatus.Kind) -> ZipError {
    ZipError(.sourceOpen, "expected a regular file, found a \(kind)")
  }

  static func cannotRead(_ error: SystemError, offset: UInt64) -> ZipError {
    ZipError(
      .sourceRead, "expected to read the archive, found \"\(error.reason)\"", offset: offset,
      cause: error.errno)
  }

  // MARK: Central directory

  static func emptySource() -> ZipError {
    ZipError(.noEndRecord, "expected a zip archive, found an empty file", offset: 0)
  }

  static func noEndRecord(size: UInt64) -> ZipError {
    ZipError(
      .noEndRecord,
      "expected an end of central directory record in the last 64 KiB, found none in \(size) bytes: "
        + "this is no zip archive, or its end is missing", offset: size)
  }

  static func noDirectory(at offset: UInt64) -> ZipError {
    ZipError(
      .directoryDamaged, "expected a central directory where the end record says, found none",
      offset: offset)
  }

  static func directoryEncrypted(_ cipher: UInt16, at offset: UInt64) -> ZipError {
    ZipError(
      .directoryEncrypted,
      "expected a central directory that can be read, found one encrypted with PKWARE's algorithm "
        + "0x\(String(cipher, radix: 16))", offset: offset)
  }

  static func emptyArchive(at offset: UInt64) -> ZipError {
    ZipError(
      .isEmpty, "expected entries in the central directory, found none", offset: offset)
  }

  static func directoryTooLarge(_ size: UInt64) -> ZipError {
    ZipError(
      .directoryDamaged, "expected a central directory under 4 GiB, found one of \(size) bytes")
  }

  static func directoryCount(_ expected: UInt64, found: UInt64, at offset: UInt64) -> ZipError {
    ZipError(
      .directoryCount, "expected \(expected) entries in the central directory, found \(found)",
      offset: offset)
  }

  static func commentTruncated(_ expected: UInt16, found: Int) -> ZipError {
    ZipError(
      .commentTruncated, "expected an archive comment of \(expected) bytes, found \(found)")
  }

  static func trailingBytes(_ count: Int, at offset: UInt64) -> ZipError {
    ZipError(
      .trailingBytes, "expected the file to end with the archive, found \(count) more bytes",
      offset: offset)
  }

  static func prefixBytes(_ count: Int64) -> ZipError {
    ZipError(
      .prefixBytes, "expected the archive at the file's beginning, found \(count) bytes before it",
      offset: 0)
  }

  static func missingBytes(_ count: UInt64) -> ZipError {
    ZipError(
      .missingBytes, "expected \(count) more bytes at the archive's beginning, found them missing",
      offset: 0)
  }

  static func multiDisk(_ disk: UInt16, at offset: UInt64) -> ZipError {
    ZipError(
      .multiDisk, "expected an archive in one file, found the last part of \(Int(disk) + 1)",
      offset: offset)
  }

  static func partMissing(_ path: String, offset: UInt64? = nil) -> ZipError {
    ZipError(
      .partMissing, "expected the part \(path) of the archive beside it, found none",
      offset: offset)
  }

  static func zip64Missing(at offset: UInt64) -> ZipError {
    ZipError(
      .zip64Missing, "expected a Zip64 end of central directory record, found none", offset: offset)
  }

  static func zip64Unneeded(at offset: UInt64) -> ZipError {
    ZipError(
      .zip64Differs,
      "expected a Zip64 end record where its locator says, found none and no need of it",
      offset: offset)
  }

  static func zip64RecordSize(_ size: UInt64, locator: UInt64) -> ZipError {
    ZipError(
      .zip64Differs,
      "expected the Zip64 end record to end at its locator, found it to be of \(size) bytes",
      offset: locator)
  }

  static func zip64LocatorOff(_ expected: UInt64, found: UInt64) -> ZipError {
    ZipError(
      .zip64Differs, "expected the Zip64 end record at byte \(expected), found it elsewhere",
      offset: found)
  }

  static func entryUnreadable(_ index: Int) -> ZipError {
    ZipError(
      .directoryDamaged, "expected a central header, found damage", entryIndex: index)
  }
}

extension ZipError {
  // MARK: Entry data

  static func decoding(_ error: DecodeError, offset: UInt64) -> ZipError {
    let code: Code =
      switch error.kind {
      case .damaged: .dataDamaged
      case .memory: .limitMemory
      case .unsupported: .methodUnsupported
      case .notAuthentic: .authenticationMismatch
      }
    return ZipError(code, error.message, offset: offset, cause: error.libraryCode)
  }

  static func zip64FieldMissing() -> ZipError {
    ZipError(.zip64Missing, "expected sizes in a Zip64 extra field, found no such field")
  }

  static func localHeaderMissing(at offset: UInt64) -> ZipError {
    ZipError(
      .localHeaderMissing, "expected a local header, found other bytes or the archive's end",
      offset: offset)
  }

  static func entryTruncated(_ size: UInt64, archive: UInt64, at offset: UInt64) -> ZipError {
    ZipError(
      .dataTruncated,
      "expected \(size) compressed bytes, found the archive's end at byte \(archive)",
      offset: offset)
  }

  static func dataTruncated(at offset: UInt64) -> ZipError {
    ZipError(
      .dataTruncated, "expected more compressed data, found their end", offset: offset)
  }

  static func encryptionUnsupported(_ header: CentralHeader) -> ZipError {
    let kind =
      header.flags.contains(.strongEncryption)
      ? "PKWARE strong encryption"
      : header.method == .winZipAES ? "WinZip AES" : "traditional PKWARE encryption"
    return ZipError(.encryptionUnsupported, "expected a cipher that is at hand, found \(kind)")
  }

  static func cipherTruncated(_ size: UInt64, needs: UInt64, at offset: UInt64) -> ZipError {
    ZipError(
      .dataTruncated, "expected at least \(needs) bytes of encryption headers, found \(size)",
      offset: offset)
  }

  static func passwordNeeded() -> ZipError {
    ZipError(.passwordNeeded, "expected a password for an encrypted entry, found none")
  }

  static func passwordWrong() -> ZipError {
    ZipError(.passwordWrong, "expected the entry's password, found one that does not fit")
  }

  static func sizeMismatch(_ expected: UInt64, _ found: UInt64) -> ZipError {
    ZipError(.sizeMismatch, "expected \(expected) bytes of content, found \(found)")
  }

  static func sizeExceeded(_ expected: UInt64, at offset: UInt64) -> ZipError {
    ZipError(.sizeMismatch, "expected \(expected) bytes of content, found more", offset: offset)
  }

  static func decoderStuck(at offset: UInt64) -> ZipError {
    ZipError(
      .dataDamaged, "expected the decoder to go on, found it neither reading nor writing",
      offset: offset)
  }

  static func crcMismatch(_ expected: UInt32, found: UInt32) -> ZipError {
    ZipError(.crcMismatch, "expected CRC-32 \(hex(expected)), found \(hex(found))")
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension ZipError {
  // MARK: Names

  static func nameNUL() -> ZipError {
    ZipError(.nameNUL, "expected a name without zero bytes, found one")
  }

  static func nameEscapes() -> ZipError {
    ZipError(.nameEscapes, "expected a name below the target, found one with '..'")
  }

  static func nameEmpty() -> ZipError {
    ZipError(.nameEmpty, "expected a file name, found nothing left of it")
  }

  static func nameTooLong(_ count: Int, most: Int) -> ZipError {
    ZipError(.nameTooLong, "expected at most \(most) bytes of a name, found \(count)")
  }

  static func mended(_ code: Code) -> ZipError {
    switch code {
    case .nameAbsolute:
      ZipError(code, "expected a relative name, found an absolute one, whose root was dropped")
    case .nameBackslash:
      ZipError(code, "expected '/' between directories, found backslashes, taken as such")
    case .nameReserved:
      ZipError(code, "expected a name that Windows can have, found one that was changed for it")
    default:
      ZipError(code, "expected a name without control characters, found some, which were dropped")
    }
  }

  static func duplicateName() -> ZipError {
    ZipError(.duplicateName, "expected one entry of this path, found an earlier one")
  }

  static func fileAndDirectory() -> ZipError {
    ZipError(.duplicateName, "expected a file or a directory of this path, found both")
  }

  static func clash(of path: String, with other: String) -> ZipError {
    // Equality of strings is canonical equivalence.
    path == other
      ? ZipError(
        .normalizationClash,
        "expected names that differ everywhere, found '\(other)', the same but for its accents' code"
      )
      : ZipError(
        .caseClash, "expected names that differ everywhere, found '\(other)', the same but for case"
      )
  }

  static func specialFile() -> ZipError {
    ZipError(.specialFile, "expected a file, directory or link, found a device, pipe or socket")
  }

  static func linkDamaged(_ count: Int) -> ZipError {
    ZipError(
      .linkDamaged,
      "expected a link target of 1 to \(LinkPolicy.longestTarget) bytes without zeros, "
        + "found one of \(count)")
  }

  static func linkEscapes(_ target: String) -> ZipError {
    ZipError(.linkEscapes, "expected a link that stays below the target, found one to '\(target)'")
  }

  // MARK: Relations between entries

  static func overlap(_ end: UInt64, next: UInt64) -> ZipError {
    ZipError(
      .overlap,
      "expected the entry to end before the next at byte \(next), found its end at \(end)",
      offset: next)
  }

  // MARK: Limits

  static func limitSize(_ limit: UInt64, found: UInt64) -> ZipError {
    ZipError(.limitSize, "expected at most \(limit) bytes of content, found \(found)")
  }

  static func limitRatio(_ limit: UInt64, size: UInt64, compressed: UInt64) -> ZipError {
    ZipError(
      .limitRatio,
      "expected a compression ratio of at most \(limit), found \(size) bytes out of \(compressed)")
  }

  static func limitFiles(_ limit: UInt64, found: Int) -> ZipError {
    ZipError(.limitFiles, "expected at most \(limit) entries, found \(found)")
  }

  static func cancelled() -> ZipError {
    ZipError(.cancelled, "expected to go on, found the work cancelled")
  }
}

extension ZipError {
  // MARK: Placement

  static func placing(_ error: SystemError) -> ZipError {
    if error.isFull {
      return ZipError(.diskFull, "expected space to write, found none left", cause: error.errno)
    }
    if error.isForbiddenWay {
      return ZipError(
        .throughLink, "expected real directories on the way, found a symbolic link",
        cause: error.errno)
    }
    if error.isWrongKind {
      return ZipError(
        .targetUnusable, "expected a directory on the way, found something else",
        cause: error.errno)
    }
    return ZipError(
      .write, "expected to write it, found \"\(error.reason)\" at \(error.call)",
      cause: error.errno)
  }

  static func abridged(_ code: Code, entry: Int) -> ZipError {
    ZipError(
      code, "expected room for what was found, found more problems than are kept",
      entryIndex: entry)
  }

  static func noThread(_ error: SystemError) -> ZipError {
    ZipError(
      .noThread, "expected a thread to work on, found \"\(error.reason)\"", cause: error.errno)
  }

  static func targetIsDirectory() -> ZipError {
    ZipError(.targetUnusable, "expected a file or nothing at the place, found a directory")
  }

  static func targetExists() -> ZipError {
    ZipError(.targetExists, "expected nothing at the place, found a file")
  }

  static func targetDirectory(_ error: SystemError) -> ZipError {
    ZipError(
      error.isFull ? .diskFull : .targetUnusable,
      "expected a directory to extract into, found \"\(error.reason)\"", cause: error.errno)
  }

  static func noSpace(_ needed: UInt64, free: UInt64) -> ZipError {
    ZipError(.diskFull, "expected \(needed) bytes of free space, found \(free)")
  }

  static func metadata(_ error: SystemError) -> ZipError {
    ZipError(
      .metadata, "expected to set mode and times, found \"\(error.reason)\"", cause: error.errno)
  }

  static func thread(_ error: SystemError) -> ZipError {
    ZipError(.write, "expected a thread to work on, found \"\(error.reason)\"", cause: error.errno)
  }
}
