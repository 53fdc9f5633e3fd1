// Parsers and plans are not public; a build for testing lets tests and fuzzers see them.
import FuzzTargets
@testable import SystemIO
@testable import ZipKitCore

/// Pieces of the format, each a function of bytes.
enum FormatChecks {
  /// End records, headers, descriptors: at every place of the input.
  static func records(_ bytes: [UInt8]) {
    let span = unsafe bytes.span.bytes
    for place in 0..<min(bytes.count + 4, 600) {
      _ = EndRecord(span, at: place)
      _ = Zip64Locator(span, at: place)
      _ = Zip64EndRecord(span, at: place)
      if var local = LocalHeader(span, at: place) {
        local.applyZip64(span)
        expect(local.headerSize >= LocalHeader.fixedSize, "a header has a size")
      }
      if let header = CentralHeader(span, at: place) { central(header, bytes, place) }
    }
    for form in DataDescriptor.forms(span) {
      expect(form.length <= min(bytes.count, DataDescriptor.maximumSize), "a descriptor has room")
      let found = DataDescriptor.matching(
        span, crc32: form.crc32, compressedSize: form.compressedSize, size: form.size)
      expect(found != nil, "what was read is found")
    }
  }

  /// Written again, a header reads as the same.
  private static func central(_ header: CentralHeader, _ bytes: [UInt8], _ place: Int) {
    let extra = header.extraOffset(place)
    let comment = header.commentOffset(place)
    expect(comment + Int(header.commentLength) <= bytes.count, "a header ends in its bytes")
    guard !header.lacksZip64 else { return }
    var writer = DirectoryWriter()
    writer.append(
      header, name: Array(bytes[(place + CentralHeader.fixedSize)..<extra]),
      extra: Array(bytes[extra..<comment]), comment: Array(bytes[comment...]))
    guard let again = CentralHeader(unsafe writer.bytes.span.bytes, at: 0) else {
      return expect(writer.bytes.isEmpty, "a header that was written can be read")
    }
    expect(
      again.size == header.size && again.compressedSize == header.compressedSize
        && again.localOffset == header.localOffset && again.crc32 == header.crc32
        && again.nameLength == header.nameLength,
      "a header survives being written")
  }

  /// Every extra field.
  static func extras(_ bytes: [UInt8]) {
    let span = unsafe bytes.span.bytes
    var total = 0
    ExtraFields.forEach(in: span) { id, data in
      total += 4 + data.byteCount
      expect(ExtraFields.find(id, in: span) != nil, "a field that is walked over is found")
    }
    expect(total <= bytes.count, "fields have room")
    let times = TimeFields(span)
    for time in [times.modified, times.accessed, times.created] {
      expect(
        time.map { 0..<1_000_000_000 ~= $0.nanoseconds } ?? true, "nanoseconds are below a second")
    }
    _ = EntryOwner(span)
    _ = WinZipAESField(extraFields: span)
    let plain = Array(bytes.prefix(4))
    for id in [ExtraFieldID.unicodePath, .unicodeComment] {
      let range = NameFields.unicode(id, in: span, plain: unsafe plain.span.bytes)
      expect(range.map { $0.upperBound <= bytes.count } ?? true, "a name has room")
    }
  }

  /// MS-DOS times, and whatever seconds a clock is asked about.
  static func times(_ bytes: [UInt8]) {
    extras(bytes)
    let date = UInt16(truncatingIfNeeded: bytes.number(0, 2))
    let time = UInt16(truncatingIfNeeded: bytes.number(2, 2))
    let packed = DOSDateTime(date: date, time: time)
    let instant = LocalTime.instant(of: packed)
    let parts = LocalClock.parts(ofSeconds: instant.seconds)
    let isSound =
      1...12 ~= packed.month && 1...28 ~= packed.day && packed.hour < 24 && packed.minute < 60
      && packed.second < 60
    if isSound {
      expect(
        parts
          == LocalClock.Parts(
            year: packed.year, month: packed.month, day: packed.day, hour: packed.hour,
            minute: packed.minute, second: packed.second), "a sound time survives")
    }
    let seconds = Int64(truncatingIfNeeded: bytes.number(4, 8))
    _ = LocalClock.parts(ofSeconds: seconds)
  }

  /// Names of one archive, a line each, and what they become.
  static func path(_ bytes: [UInt8]) {
    var random = SmallRandom(of: bytes)
    let rules = EntryPath.Rules(
      splitsBackslashes: random.once(in: 2), keepsControl: random.once(in: 4),
      dropsDirectories: random.once(in: 4), strip: random.below(3), lowercases: random.once(in: 4),
      resolvesParents: random.once(in: 3), isPortable: random.once(in: 4))
    let clean = unsafe bytes.withUnsafeBytes { unsafe EntryPath.cleanLeafStart($0) }
    guard let path = try? EntryPath(bytes, rules: rules) else {
      expect(clean == nil || rules.strip > 0 || rules.isPortable, "a name that is clean is taken")
      return
    }
    let parts = path.bytes.split(separator: 0x2f, omittingEmptySubsequences: false)
    expect(
      parts.allSatisfy {
        !$0.isEmpty && $0.count <= 255 && !$0.elementsEqual([0x2e])
          && !$0.elementsEqual([0x2e, 0x2e])
      }, "a path goes down only")
    expect(!path.bytes.contains(0) && path.bytes.count < 4096, "a path is one for the kernel")
    expect(
      path.bytes[path.leafStart...].elementsEqual(parts.last ?? []), "the leaf is the last part")
    if rules.isPortable {
      expect(
        parts.allSatisfy { PortableName.mended($0) == $0 }, "a portable name stays as it is")
    }
    if !rules.keepsControl {
      expect(path.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f }, "control characters are gone")
    }
    let plain = EntryPath.Rules(keepsControl: true)
    if let clean, let same = try? EntryPath(bytes, rules: plain) {
      let name = bytes.last == 0x2f ? Array(bytes.dropLast()) : bytes
      expect(same.bytes == name && same.mended.isEmpty, "a clean name stays")
      expect(clean == same.leafStart || clean == bytes.count, "a clean name's leaf is found")
    }
    let again = try? EntryPath(path.bytes, rules: plain)
    expect(again?.bytes == path.bytes && again?.mended.isEmpty == true, "a path is a clean name")
  }

  /// Names of one archive, a line each: no two files of the plan have one path.
  static func names(_ bytes: [UInt8]) {
    var random = SmallRandom(of: bytes)
    let entries = bytes.split(separator: 10, omittingEmptySubsequences: false).prefix(40).map {
      ZipBuilder.Entry(bytes: Array($0.prefix(5000)), [], mode: random.once(in: 6) ? 0o120777 : nil)
    }
    guard let archive = open(ZipBuilder(Array(entries)).bytes()) else {
      return expect(false, "an archive of names is one")
    }
    expect(archive.entries.count == entries.count, "every name is an entry")
    var options = ExtractionOptions()
    options.duplicates = random.one(of: [.first, .last, .rename, .error])
    options.lowercases = random.one(of: [.none, .none, .all])
    options.stripComponents = random.one(of: [0, 0, 1])
    options.dropsDirectories = random.once(in: 4)
    options.onlyRealFiles = random.once(in: 8)
    let plan = ExtractionPlan(archive.core, options: options)
    expect(plan.items.count == entries.count, "every entry has a decision")
    var paths: Set<[UInt8]> = []
    var folded: Set<String> = []
    let directories = Set(
      plan.directories.indices.map { NameFolding.folded(plan.path(directory: Int32($0))) })
    for item in plan.items where item.action == .file || item.action == .link {
      let path = plan.path(item)
      expect(paths.insert(Array(path.utf8)).inserted, "each path is taken once")
      expect(!path.hasPrefix("/") && !path.isEmpty, "paths are relative")
      expect(plan.path(ofEntry: Int(item.entry)) == path, "paths are found by entry")
      if options.duplicates == .rename {
        let key = NameFolding.folded(path)
        expect(folded.insert(key).inserted, "each renamed path is apart everywhere")
        expect(!directories.contains(key), "files and directories are apart everywhere")
      }
    }
  }

  /// A pattern and names, a line each.
  static func pattern(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
    let text = String(decoding: lines.removeFirst().prefix(300), as: UTF8.self)
    for (ignores, stops) in [(false, false), (true, false), (false, true), (true, true)] {
      let pattern = NamePattern(text, ignoresCase: ignores, stopsAtSlash: stops)
      for name in lines.prefix(8) { _ = pattern.matches(Array(name.prefix(500))) }
      if text.utf8.allSatisfy({ !"*?[]\\".utf8.contains($0) }) {
        expect(pattern.isLiteral && pattern.matches(text), "a name matches itself")
        let all = NamePattern("**" + text, ignoresCase: ignores, stopsAtSlash: stops)
        expect(all.matches("d/e" + text), "stars match all")
      }
      guard text.utf8.last != UInt8(ascii: "\\") else { continue }
      // Long patterns are matched by other means than short ones.
      let long = NamePattern(
        text + String(repeating: "?", count: 64), ignoresCase: ignores, stopsAtSlash: stops)
      for name in lines.prefix(8) {
        let padded = name.prefix(500) + [UInt8](repeating: 0x78, count: 64)
        expect(
          long.matches(Array(padded)) == pattern.matches(Array(name.prefix(500))),
          "both ways to match agree")
      }
    }
  }

  /// A link's text, then real directories, a line each.
  static func link(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
    let directories = lines.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let place =
      directories.first { $0.split(separator: "/").allSatisfy { $0 != ".." && $0 != "." } } ?? ""
    let isFine: Bool
    do {
      try LinkPolicy.check(lines[0], in: place) { directories.contains($0) }
      isFine = true
    } catch {
      isFine = false
    }
    guard isFine else { return }
    // Where no part is a link the target is below the directory that all is put in.
    var depth = place.split(separator: "/").count
    for part in lines[0].split(separator: 0x2f) where !part.elementsEqual([0x2e]) {
      depth += part.elementsEqual([0x2e, 0x2e]) ? -1 : 1
      expect(depth >= 0, "links stay inside")
    }
    expect(lines[0].first != 0x2f && !lines[0].isEmpty, "links are relative")
  }
}
