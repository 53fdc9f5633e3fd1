/// What an open archive is made of; shared by the archive and its entries.
final class ArchiveCore: Sendable {
  let source: any ArchiveSource
  let directory: CentralDirectory
  let registry: DecoderRegistry
  let encoding: NameEncoding

  init(
    source: any ArchiveSource, directory: CentralDirectory, registry: DecoderRegistry,
    encoding: NameEncoding
  ) {
    self.source = source
    self.directory = directory
    self.registry = registry
    self.encoding = encoding
  }

  /// The name as text and how it was told.
  func name(_ index: Int, _ header: CentralHeader) -> (text: String, origin: NameOrigin) {
    let plain = directory.text.bytes(directory.nameRange(index, header))
    if let text = unicode(.unicodePath, index, header, plain) { return (text, .unicodeField) }
    return text(plain, flags: header.flags)
  }

  /// An entry's comment as text.
  func comment(_ index: Int, _ header: CentralHeader) -> String {
    guard header.commentLength > 0 else { return "" }
    let plain = directory.text.bytes(directory.commentRange(index, header))
    return unicode(.unicodeComment, index, header, plain)
      ?? text(plain, flags: header.flags).text
  }

  private func unicode(
    _ id: ExtraFieldID, _ index: Int, _ header: CentralHeader, _ plain: [UInt8]
  ) -> String? {
    guard header.extraLength > 0 else { return nil }
    return directory.withExtra(index, header) { extra in
      NameFields.unicode(id, in: extra, plain: unsafe plain.span.bytes).flatMap {
        String(validating: extra.extracting($0).array(), as: UTF8.self)
      }
    }
  }

  /// A name without an extra field as text.
  func text(_ plain: [UInt8], flags: EntryFlags) -> (text: String, origin: NameOrigin) {
    if let text = String(validating: plain, as: UTF8.self) {
      if plain.allSatisfy({ $0 < 0x80 }) { return (text, .ascii) }
      return (text, flags.contains(.utf8) ? .utf8Flag : .utf8Guess)
    }
    if let text = encoding.decode(plain) { return (text, .encoding(encoding.name)) }
    return (NameEncoding.cp437.decode(plain) ?? "", .encoding(NameEncoding.cp437.name))
  }

  func kind(_ index: Int, _ header: CentralHeader) -> ZipEntry.Kind {
    let range = directory.nameRange(index, header)
    let last =
      range.isEmpty
      ? 0 : directory.text.withBytes(range) { $0.byte(at: $0.byteCount - 1) } ?? 0
    let host = HostSystem(rawValue: UInt8(header.versionMadeBy >> 8))
    if last == UInt8(ascii: "/") { return .directory }
    if last == UInt8(ascii: "\\"), host.usesBackslash,
      HostSystem.separatesByBackslash(directory.text.bytes(range))
    {
      return .directory
    }
    if let mode = unixMode(index, header) {
      switch mode & 0o170000 {
      case 0o120000: return .symbolicLink
      // What has data is a file, its mode notwithstanding, as it is to all other readers: it was read from a pipe
      // and packed, be it that nothing came, or is a careless writer's.
      case 0o040000: return header.size > 0 ? .file : .directory
      case 0o010000, 0o020000, 0o060000, 0o140000:
        return header.compressedSize > 0 ? .file : .special
      default: return .file
      }
    }
    // The DOS directory bit alone, without a slash, is found on files of careless writers: believed
    // only where there is no content.
    return header.externalAttributes & 0x10 != 0 && host.usesBackslash && header.size == 0
      && header.compressedSize == 0 ? .directory : .file
  }

  /// The Unix mode as the host gives it, or else an extra field.
  func unixMode(_ index: Int, _ header: CentralHeader) -> UInt16? {
    if let mode = header.unixMode { return mode }
    guard header.extraLength > 0 else { return nil }
    return directory.withExtra(index, header) { AsiUnixField($0)?.mode }
  }

  /// A symbolic link's target out of an extra field, for those whose content is empty.
  func linkTarget(_ index: Int, _ header: CentralHeader) -> [UInt8] {
    guard header.extraLength > 0 else { return [] }
    return directory.withExtra(index, header) { extra in
      AsiUnixField(extra).map { extra.extracting($0.target).array() } ?? []
    }
  }

  /// The owner; older fields of Info-ZIP's tell it in the local header only.
  func owner(_ index: Int, _ header: CentralHeader) -> EntryOwner? {
    guard header.extraLength > 0 else { return nil }
    let (owner, isLocal) = directory.withExtra(index, header) { extra in
      let isNamed = [ExtraFieldID.unix1, .unix2].contains {
        ExtraFields.find($0, in: extra) != nil
      }
      return (EntryOwner(extra), isNamed)
    }
    guard owner == nil, isLocal, let offset = directory.localOffset(header),
      let fixed = try? source.bytes(at: offset, count: LocalHeader.fixedSize),
      let local = LocalHeader(unsafe fixed.span.bytes, at: 0),
      let place = offset.adding(UInt64(LocalHeader.fixedSize) + UInt64(local.nameLength)),
      let extra = try? source.bytes(at: place, count: Int(local.extraLength))
    else { return owner }
    return EntryOwner(unsafe extra.span.bytes)
  }

  func times(_ index: Int, _ header: CentralHeader) -> TimeFields {
    var times = directory.withExtra(index, header) { TimeFields($0) }
    // Seconds of 32 bits are signed, but for entries that are of 2038 or later by their DOS date.
    if DOSDateTime(date: header.dosDate, time: header.dosTime).year >= 2038 {
      times.unwrap()
    }
    return times
  }

  func aes(_ index: Int, _ header: CentralHeader) -> WinZipAESField? {
    guard header.method == .winZipAES else { return nil }
    return directory.withExtra(index, header) { WinZipAESField(extraFields: $0) }
  }

  func codingMethod(_ index: Int, _ header: CentralHeader) -> CompressionMethod {
    aes(index, header)?.method ?? header.method
  }

  /// The name for messages.
  func displayName(_ index: Int) -> String? {
    directory.header(index).map { name(index, $0).text }
  }

  /// An error about an entry: named, numbered, placed.
  func error(_ error: ZipError, _ index: Int) -> ZipError {
    var error = error
    error.entryIndex = index
    error.entry = displayName(index)
    return error
  }
}
