extension ZipEntry {
  /// What keeps a Unicode name beside the plain one from being believed.
  package enum UnicodeNameFault: Sendable {
    /// It is of a version that nobody has described.
    case version
    /// It was made for another plain name.
    case checksum
  }

  /// Why the central header's Unicode name (APPNOTE 4.6.9) is not ``name``; `nil` where it is, where there is none, and
  /// where the plain name is said to be Unicode itself.
  package var unicodeNameFault: UnicodeNameFault? {
    guard header.extraLength > 0, !header.flags.contains(.utf8) else { return nil }
    return core.directory.withExtra(index, header) { extra -> UnicodeNameFault? in
      guard let range = ExtraFields.find(.unicodePath, in: extra), range.count >= 5 else {
        return nil
      }
      if extra.byte(at: range.lowerBound) != 1 { return .version }
      let plain = nameBytes
      let sum = ZlibChecksum.crc32(0, unsafe plain.span.bytes)
      return extra.uint32(at: range.lowerBound + 1) == sum ? nil : .checksum
    }
  }
}
