import FuzzTargets
@testable import InfoZipForms
@testable import ProgressReporting
@testable import SystemIO
@testable import ZipKitCore

/// Whole archives, read.
enum ArchiveChecks {
  /// The end records, the directory, and everything that is told of an entry.
  static func directory(_ bytes: [UInt8]) {
    guard let archive = open(bytes) else { return }
    let directory = archive.core.directory
    expect(
      directory.count * CentralHeader.fixedSize <= bytes.count, "each header takes its bytes")
    expect(archive.directoryOffset <= archive.size, "the directory is in the source")
    _ = (archive.comment, archive.encodingName, archive.base, archive.directorySize)
    for entry in archive.entries {
      _ = (entry.name, entry.nameOrigin, entry.comment, entry.kind, entry.codingMethod)
      _ = (entry.modified, entry.owner, entry.unixMode, entry.centralHeaderOffset)
      expect(
        entry.nameBytes.count + entry.extraFields.count <= bytes.count, "names are in the source")
    }
    for problem in archive.inspect() {
      expect(!problem.description.isEmpty && !problem.code.id.isEmpty, "problems are described")
      expect(
        problem.entryIndex.map { archive.entries.indices.contains($0) } ?? true,
        "problems are of entries")
    }
    _ = archive.entry(named: "d/a")
    stays(bytes, archive)
  }

  /// A directory that stays in its file tells what one that is held does.
  private static func stays(_ bytes: [UInt8], _ held: ZipArchive) {
    guard let archive = try? inFile(bytes) else {
      return expect(false, "what can be opened in memory can be in a file")
    }
    expect(archive.entries.count == held.entries.count, "as many entries, held or not")
    expect(archive.problems == held.problems, "the same problems, held or not")
    for (entry, other) in zip(archive.entries, held.entries) {
      expect(entry.header == other.header, "the same headers, held or not")
      expect(
        entry.nameBytes == other.nameBytes && entry.extraFields == other.extraFields
          && entry.comment == other.comment, "the same names and fields, held or not")
    }
    let patterns = held.entries.prefix(2).map { NamePattern($0.name) } + [NamePattern("d*")]
    let found = [archive, held].map {
      EntrySelection($0, members: patterns, excluded: []).map(\.index)
    }
    expect(found[0] == found[1], "the same matches, held or not")
  }

  private static func inFile(_ bytes: [UInt8]) throws -> ZipArchive {
    let file = try FileDescriptor.memory(named: "archive")
    try file.write(bytes)
    return try ZipArchive(
      source: FileSource(descriptor: file.raw), options: opening, holding: 0)
  }

  /// Content: in one piece, in pieces, by a test of all; all agree.
  static func content(_ bytes: [UInt8]) {
    guard let archive = open(bytes), archive.entries.count < 64 else { return }
    let reader = EntryReader(archive.core)
    reader.passwords = passwords
    reader.limits.decoderMemory = 16 << 20
    var sums: [Int: UInt32] = [:]
    for entry in archive.entries where entry.size <= mostContent {
      let pieces = try? streamed(reader, entry)
      if let pieces {
        expect(UInt64(pieces.count) == entry.size, "content has the declared size")
        sums[entry.index] = TestChecksum.crc32(pieces)
        let isAES = entry.method == .winZipAES && entry.crc32 == 0
        expect(isAES || sums[entry.index] == entry.crc32, "content has the declared checksum")
      }
      guard entry.size <= EntryReader.wholeLimit else { continue }
      do {
        try reader.decodeWhole(entry.index, entry.header)
        let whole = unsafe reader.withWhole { unsafe Array($0) }
        expect(pieces == whole, "an entry is the same whole and in pieces")
      } catch {
        expect(pieces == nil, "an entry fails whole and in pieces")
      }
    }
    verify(archive, sums)
  }

  /// The content of an entry, verified.
  static func streamed(_ reader: EntryReader, _ entry: ZipEntry) throws(ZipError) -> [UInt8] {
    var content: [UInt8] = []
    try reader.stream(entry.index, entry.header) { (bytes) throws(ZipError) in
      unsafe bytes.withUnsafeBytes { unsafe content.append(contentsOf: $0) }
      if UInt64(content.count) > entry.size { throw .cancelled() }
    }
    return content
  }

  private static func verify(_ archive: ZipArchive, _ sums: [Int: UInt32]) {
    var options = ExtractionOptions()
    options.passwords = passwords
    // Threads would make what an input covers a matter of chance.
    options.jobs = 1
    options.limits.decoderMemory = 16 << 20
    options.limits.totalSize = 4 * mostContent
    let run = VerificationRun(
      core: archive.core, options: options, selection: nil, meter: WorkMeter("Testing…"),
      observer: nil)
    guard let report = try? run.perform() else { return }
    expect(report.general.isEmpty, "limits by declaration are met")
    for outcome in report.outcomes where outcome.status == .done {
      expect(sums[outcome.entryIndex] != nil, "what a test finds whole can be read")
    }
  }

  /// All tables.
  static func listing(_ bytes: [UInt8]) {
    guard let archive = open(bytes), archive.entries.count < 200 else { return }
    for isVerbose in [false, true] {
      var table = TableListing(isVerbose: isVerbose)
      var output: [UInt8] = []
      for entry in archive.entries { table.append(entry, name: "n", to: &output) }
      expect(!table.head.isEmpty && !table.foot.isEmpty, "tables have head and foot")
      expect(output.count { $0 == 10 } == archive.entries.count, "a line an entry")
      expect(table.count == archive.entries.count, "entries are counted")
    }
    for form in [ZipInfoListing.Form.short, .medium, .long] {
      var table = ZipInfoListing(form: form, hasDecimalTime: form == .medium)
      var output: [UInt8] = []
      for entry in archive.entries { table.append(entry, name: "n", to: &output) }
      expect(output.count { $0 == 10 } == archive.entries.count, "a line an entry")
      _ = table.totals
    }
    var verbose = VerboseListing(archive)
    _ = verbose.head(comment: archive.comment)
    for entry in archive.entries {
      let page = verbose.text(entry, name: entry.name, comment: entry.comment)
      expect(!page.isEmpty, "every entry has a page")
    }
  }

  /// What is left of a damaged archive; of a sound one, all.
  static func salvage(_ bytes: [UInt8]) {
    guard
      let salvage = try? ArchiveSalvage(BytesSource(bytes), opening, WorkMeter("Searching…"))
    else { return expect(false, "memory can be searched") }
    let entries = salvage.archive.entries
    expect(salvage.origins.count == entries.count, "each entry has its origin")
    var end: UInt64 = 0
    for gap in salvage.gaps {
      expect(gap.lowerBound >= end && !gap.isEmpty, "gaps are in order")
      end = gap.upperBound
    }
    expect(end <= UInt64(bytes.count), "gaps are in the source")
    for entry in entries {
      expect(
        entry.localHeaderOffset + entry.compressedSize <= UInt64(bytes.count),
        "what is found is in the source")
    }
    _ = salvage.lines(nil)
    guard let archive = open(bytes), archive.entries.count < 64, archive.inspect().isEmpty else {
      return
    }
    let found = Dictionary(entries.map { ($0.localHeaderOffset, $0) }) { first, _ in first }
    for entry in archive.entries where entry.size <= mostContent {
      guard let content = try? entry.contents(passwords: passwords) else { continue }
      let saved = try? found[entry.localHeaderOffset]?.contents(passwords: passwords)
      expect(saved == content, "\(entry.name) of a sound archive is saved")
    }
  }
}
