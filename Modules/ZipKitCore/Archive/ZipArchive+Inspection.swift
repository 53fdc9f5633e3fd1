internal import SystemIO

extension ZipArchive {
  /// Looks for every inconsistency that needs no decoding; blocks the calling thread.
  ///
  /// What this finds does not keep an archive from being read; it is what two readers may see
  /// differently. Compared are local and central headers, data descriptors, extents of entries, names.
  /// - Returns: The archive's ``problems``, but for its being empty, and then those of entries, each with rule, entry and
  ///   offset; the first 10,000 are kept.
  public func inspect() -> ZipProblems {
    var found = ZipProblems()
    // An archive without entries is odd, and no two readers see it differently.
    for problem in problems where problem.code != .isEmpty { found.append(problem) }
    let directory = core.directory
    if directory.end < directory.recordsStart, directory.start < directory.recordsStart,
      directory.base >= 0, directory.end - directory.start != directory.recordsStart
    {
      found.append(
        .directoryGap(directory.recordsStart - directory.end, at: directory.end))
    }
    let plan = ExtractionPlan(core, options: ExtractionOptions())
    found.append(plan.problems.all)
    let overlaps = OverlapCheck(core, plan.items)
    for item in overlaps.items {
      found.append(
        core.error(overlaps.problem(item, plan.items), Int(plan.items[Int(item)].entry)))
    }
    var inspection = EntryInspection(core)
    for index in entries.indices {
      for problem in inspection.inspect(index) { found.append(core.error(problem, index)) }
    }
    return found
  }
}

/// Holds one entry's headers against each other.
struct EntryInspection {
  private let core: ArchiveCore
  private let window: SourceWindow

  init(_ core: ArchiveCore) {
    self.core = core
    window = SourceWindow(core.source)
  }

  mutating func inspect(_ index: Int) -> [ZipError] {
    guard let header = core.directory.header(index) else { return [.entryUnreadable(index)] }
    var found: [ZipError] = []
    if header.lacksZip64 { found.append(.zip64FieldMissing()) }
    if !core.directory.withExtra(index, header, { ExtraFields.forEach(in: $0) { _, _ in } }) {
      found.append(.extraFieldDamaged())
    }
    if header.flags.contains(.utf8) {
      let name = core.directory.text.bytes(core.directory.nameRange(index, header))
      if String(validating: name, as: UTF8.self) == nil { found.append(.nameNotUTF8()) }
    }
    if header.diskStart != 0, core.directory.split == nil {
      found.append(.otherDisk(header.diskStart))
    }
    do {
      found += try local(index, header)
    } catch {
      found.append(error)
    }
    return found
  }

  private func local(_ index: Int, _ header: CentralHeader) throws(ZipError) -> [ZipError] {
    guard let start = core.directory.localOffset(header) else {
      return [.localHeaderMissing(at: header.localOffset)]
    }
    let range = try window.load(at: start, count: LocalHeader.fixedSize + 2 * 0xffff, enough: 4096)
    let bytes = window.storage
    let span = unsafe bytes.span.bytes.extracting(range)
    guard var local = LocalHeader(span, at: 0) else { return [.localHeaderMissing(at: start)] }
    var found: [ZipError] = []
    let nameEnd = LocalHeader.fixedSize + Int(local.nameLength)
    if let extra = span.range(at: nameEnd, count: Int(local.extraLength)) {
      local.applyZip64(span.extracting(extra))
      if let name = span.range(at: LocalHeader.fixedSize, count: Int(local.nameLength)),
        isStale(span.extracting(extra), plain: span.extracting(name))
      {
        found.append(.unicodeNameStale(at: start))
      }
    }
    if let name = span.range(at: LocalHeader.fixedSize, count: Int(local.nameLength)) {
      let central = core.directory.text.bytes(core.directory.nameRange(index, header))
      if !span.extracting(name).array().elementsEqual(central) {
        found.append(.localNameDiffers(at: start))
      }
    }
    // Bits 1 and 2 tell the compressor's effort only, and bit 3 is where its writer left sizes out.
    let hasDescriptor = local.flags.contains(.dataDescriptor)
    let telling: UInt16 = 0x0849
    if local.flags.rawValue & telling != header.flags.rawValue & telling {
      found.append(.localDiffers("flags", at: start))
    }
    if (local.dosDate, local.dosTime) != (header.dosDate, header.dosTime) {
      found.append(.localDiffers("time", at: start))
    }
    if local.method != header.method { found.append(.localDiffers("method", at: start)) }
    if !hasDescriptor {
      if local.crc32 != header.crc32 { found.append(.localDiffers("CRC-32", at: start)) }
      if local.compressedSize != header.compressedSize || local.size != header.size {
        found.append(.localDiffers("sizes", at: start))
      }
    }
    if hasDescriptor { found += try descriptor(start, local, header) }
    return found
  }

  // Stale is a Unicode name made for another plain one, or one of ASCII that should be the plain one.
  private func isStale(_ extra: RawSpan, plain: RawSpan) -> Bool {
    guard ExtraFields.find(.unicodePath, in: extra) != nil else { return false }
    guard let range = NameFields.unicode(.unicodePath, in: extra, plain: plain) else { return true }
    let name = extra.extracting(range)
    return name.array().allSatisfy { $0 < 0x80 } && !name.elementsEqual(plain)
  }

  private func descriptor(
    _ start: UInt64, _ local: LocalHeader, _ header: CentralHeader
  ) throws(ZipError) -> [ZipError] {
    guard let data = start.adding(UInt64(local.headerSize)),
      let end = data.adding(header.compressedSize), end <= core.source.size
    else { return [.entryTruncated(header.compressedSize, archive: core.source.size, at: start)] }
    let bytes = try core.source.bytes(at: end, count: DataDescriptor.maximumSize)
    let form = DataDescriptor.matching(
      unsafe bytes.span.bytes, crc32: header.crc32, compressedSize: header.compressedSize,
      size: header.size)
    return form == nil ? [.descriptorDiffers(at: end)] : []
  }
}

extension ZipError {
  static func extraFieldDamaged() -> ZipError {
    ZipError(.extraFieldDamaged, "expected extra fields that fill their space, found one cut short")
  }

  static func unicodeNameStale(at offset: UInt64) -> ZipError {
    ZipError(
      .localNameDiffers, "expected a Unicode name for the plain one, found one for another",
      offset: offset)
  }

  static func directoryGap(_ count: UInt64, at offset: UInt64) -> ZipError {
    ZipError(
      .directoryDamaged,
      "expected the end record behind the central directory, found \(count) bytes between",
      offset: offset)
  }

  static func nameNotUTF8() -> ZipError {
    ZipError(.nameNotUTF8, "expected a name in UTF-8 as its flag says, found other bytes")
  }

  static func otherDisk(_ disk: UInt32) -> ZipError {
    ZipError(.multiDisk, "expected the entry in this file, found it on disk \(disk)")
  }

  static func localNameDiffers(at offset: UInt64) -> ZipError {
    ZipError(
      .localNameDiffers, "expected one name in both headers, found two", offset: offset)
  }

  static func localDiffers(_ field: String, at offset: UInt64) -> ZipError {
    ZipError(
      .localHeaderDiffers, "expected the same \(field) in both headers, found others",
      offset: offset)
  }

  static func descriptorDiffers(at offset: UInt64) -> ZipError {
    ZipError(
      .descriptorDiffers, "expected a data descriptor with the directory's values, found none",
      offset: offset)
  }
}
