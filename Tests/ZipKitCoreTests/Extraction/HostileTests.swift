import Glibc
import SystemIO
import Testing
import TestSupport
import ZipKitCore

/// What other readers fell for: each archive is unpacked beside a tree that must not change.
///
/// Where an advisory is known for it, its name stands with the case.
@Suite("archives that misled others") struct HostileTests {
  /// An archive, and what is to become of its entries in their order.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var zip: ZipBuilder
    var outcomes: [ExtractionReport.Status]
    var codes: [ZipError.Code] = []
    /// Files in the target afterwards; nil where their names do not matter.
    var files: [String]?

    init(
      _ what: String, _ entries: [ZipBuilder.Entry], _ outcomes: [ExtractionReport.Status],
      _ codes: [ZipError.Code] = [], files: [String]? = nil,
      _ change: (inout ZipBuilder) -> Void = { _ in }
    ) {
      testDescription = what
      zip = ZipBuilder(entries)
      (self.outcomes, self.codes, self.files) = (outcomes, codes, files)
      change(&zip)
    }
  }

  private static let link: UInt16 = 0o120777

  private static func size64(_ value: UInt64) -> [UInt8] {
    var data: [UInt8] = []
    data.put(value)
    return ZipBuilder.extra(1, data)
  }

  /// The bytes of an archive, as content of another.
  private static let inner = ZipBuilder([.init("inner", "inner"), .init("../up", "x")]).bytes()

  static let names: [Case] = [
    // CVE-2003-0282: what is dropped from a name must not make dots of it.
    .init(
      "a control character between dots", [.init(".\u{1}./outside/file", "evil"), .init("good")],
      [.refused, .done], [.nameEscapes], files: ["good"]),
    .init(
      "a delete character between dots", [.init("a/.\u{7f}./../outside/file", "evil")], [.refused],
      [.nameEscapes], files: []),
    .init(
      "dots behind a backslash of DOS",
      [.init("a\\..\\..\\outside\\file", "evil").with { $0.central = { $0.versionMadeBy = 20 } }],
      [.refused], [.nameEscapes], files: []),
    .init(
      "a drive and a root",
      [.init("C:\\outside\\file", "x").with { $0.central = { $0.versionMadeBy = 20 } }], [.done],
      [.nameBackslash, .nameAbsolute], files: ["outside/file"]),
    .init(
      "a share", [.init("//host/share/f", "x")], [.done], [.nameAbsolute], files: ["host/share/f"]),
    .init(
      "a Unicode name that leads out",
      [.init("f", "evil").with { $0.extra = unicodePath("../outside/file", for: "f") }], [.refused],
      [.nameEscapes], files: []),
    .init(
      "a Unicode name for another plain one, leading out",
      [.init("f", "x").with { $0.extra = unicodePath("../outside/file", for: "g") }], [.done],
      files: ["f"]),
    // CVE-2022-0530 and its like: bytes that are no UTF-8 under the flag for it.
    .init(
      "a flagged name that is no UTF-8",
      [.init(bytes: [0xc3, 0x28, 0xff], [1]).with { $0.flags = 1 << 11 }], [.done]),
    .init(
      "the target itself as a file", [.init(".", "x"), .init("./", "")], [.refused, .skipped],
      [.nameEmpty], files: []),
    .init(
      "one slash as a file beside others", [.init("/", "x"), .init("b", "x")], [.skipped, .done],
      files: ["b"]),
    // One reader added a prefix to a name that had no byte.
    .init(
      "no name, and what a Macintosh knows of it", [.init("", "x"), .init("__MACOSX/._", "x")],
      [.refused, .done], [.nameEmpty], files: ["__MACOSX/._"]),
    .init(
      "a name of 65,535 bytes", [.init(String(repeating: "n", count: 65_535), "x")], [.refused],
      [.nameTooLong], files: []),
  ]

  static let links: [Case] = [
    .init(
      "a link, and a directory entry through it",
      [.init("l", "../outside", mode: link), .init("l/", mode: 0o040700), .init("l/file", "evil")],
      [.refused, .directoryMade, .done], [.duplicateName, .linkEscapes], files: ["l/file"]),
    .init(
      "links that are harmless one by one",
      [
        .init("d/"), .init("d/a", "..", mode: link), .init("b", "d/a/../outside", mode: link),
        .init("b/file", "evil"),
      ], [.directoryMade, .link, .refused, .done], [.duplicateName, .linkEscapes]),
    .init(
      "a link through a link to the parent",
      [
        .init("up", "d/..", mode: link), .init("d/x", "x"),
        .init("out", "up/../outside", mode: link),
      ],
      [.link, .done, .refused], [.linkEscapes]),
    // CVE-2025-11001: a Windows root is no root here, and only a name.
    .init("a link to a Windows root", [.init("l", "C:\\outside", mode: link)], [.link]),
    .init(
      "a link with a zero byte", [.init(bytes: [108], Array("../o\0k".utf8), mode: link)],
      [.refused], [.linkDamaged], files: []),
    .init(
      "a link whose target is longer than any",
      [.init("l", String(repeating: "x", count: 4096), mode: link)], [.refused], [.linkDamaged],
      files: []),
    .init(
      "a link whose declared size is huge",
      [.init("l", "x", mode: link).with { $0.central = { $0.size = 0xffff_fff0 } }], [.refused],
      [.linkDamaged], files: []),
    .init(
      "a compressed link that leads out",
      [.init("l", "../../../../etc/passwd", method: 8, mode: link)], [.refused], [.linkEscapes],
      files: []),
    .init(
      "a link to itself, and a file through it", [.init("l", "l", mode: link), .init("l/f", "x")],
      [.refused, .done]),
  ]

  static let records: [Case] = [
    .init(
      "headers in the payload", [.init(bytes: [97], inner), .init("b", "x")], [.done, .done],
      files: ["a", "b"]),
    .init(
      "an archive as the last payload", [.init("a", "x"), .init(bytes: [98], inner)],
      [.done, .done], files: ["a", "b"]),
    .init(
      "headers in an entry's comment", [.init("a", "x").with { $0.comment = inner }], [.done],
      files: ["a"]),
    .init(
      "headers in an extra field",
      [.init("a", "x").with { $0.extra = ZipBuilder.extra(0x4242, inner) }], [.done], files: ["a"]),
    // Names of signatures, as of zip64 records.
    .init(
      "signatures as names",
      [.init("PK\u{6}\u{7}", "x"), .init("PK\u{1}\u{2}b", "x"), .init("PK\u{6}\u{6}c", "x")],
      [.done, .done, .done], [.nameControl], files: ["PK", "PKb", "PKc"]),
    // CVE-2019-16892 and its like: declared sizes that lie.
    .init(
      "a size 4 GiB too large",
      [
        .init("a", "text", method: 8).with { entry in
          entry.central = { fields in
            fields.size = 0xffff_ffff
            fields.extra = size64(4 + 1 << 32)
          }
        }, .init("b", "x"),
      ], [.failed, .done], [.sizeMismatch], files: ["b"]),
    .init(
      "a size that no disk has",
      [
        .init("a", "text", method: 8).with { entry in
          entry.central = { fields in
            fields.size = 0xffff_ffff
            fields.extra = size64(1 << 62)
          }
        }, .init("b", "x"),
      ], [.failed, .done], [.diskFull]),
    .init(
      "a compressed size of 2⁶⁴ - 1",
      [
        .init("a", "text", method: 8).with { entry in
          entry.central = { fields in
            fields.compressedSize = 0xffff_ffff
            fields.extra = size64(.max)
          }
        }, .init("b", "x"),
      ], [.failed, .done], [.dataTruncated], files: ["b"]),
    .init(
      "an offset of 2⁶⁴ - 1",
      [
        .init("a", "text").with { entry in
          entry.central = { fields in
            fields.offset = 0xffff_ffff
            fields.extra = size64(.max)
          }
        }, .init("b", "x"),
      ], [.failed, .done], [.localHeaderMissing], files: ["b"]),
    // CVE-2014-8141, CVE-2026-…: extra fields shorter than they say.
    .init(
      "a Zip64 field cut short",
      [
        .init("a", "text").with { entry in
          entry.central = { fields in
            fields.size = 0xffff_ffff
            fields.extra = ZipBuilder.extra(1, [4, 0, 0])
          }
        }, .init("b", "x"),
      ], [.failed, .done], [.zip64Missing], files: ["b"]),
    .init(
      "extra fields padded with zeros", [.init("a", "x").with { $0.extra = [0, 0, 0] }], [.done],
      files: ["a"]),
    // GHSA-gmq8-994r-jv83
    .init(
      "NTFS times that run off their field",
      [.init("a", "x").with { $0.extra = ZipBuilder.extra(10, [0, 0, 0, 0, 1, 0, 255, 255, 1]) }],
      [.done], files: ["a"]),
    .init(
      "owners and checksums that run off their fields",
      [
        .init("a", "x").with { $0.extra = ZipBuilder.extra(0x7875, [1, 255, 1, 0]) },
        .init("b", "x").with { $0.extra = ZipBuilder.extra(0x7875, [1, 4, 1, 0, 0, 0, 200, 1]) },
        .init("c", "x").with { $0.extra = ZipBuilder.extra(0x7075, [1, 0]) },
        .init("d", "x").with { $0.extra = ZipBuilder.extra(0x334d, [255, 255, 255, 255, 8]) },
      ], [.done, .done, .done, .done], files: ["a", "b", "c", "d"]),
    .init(
      "attributes of nonsense",
      [.init("a", "x").with { $0.central = { $0.externalAttributes = 0xffff_ffff } }], [.done],
      files: ["a"]),
    .init(
      "a directory with data", [.init("d/", "data"), .init("d/f", "x")], [.directoryMade, .done],
      files: ["d/f"]),
    .init(
      "a date that is none",
      [
        .init("a", "x").with { $0.central = { ($0.date, $0.time) = (0xffff, 0xffff) } },
        .init("b", "x").with { $0.central = { ($0.date, $0.time) = (0, 0) } },
      ], [.done, .done], files: ["a", "b"]),
    .init(
      "encryption that is strong", [.init("a", "x").with { $0.flags = 0x41 }, .init("b", "x")],
      [.failed, .done], [.encryptionUnsupported], files: ["b"]),
    .init(
      "an encrypted entry shorter than its header", [.init("a", "x").with { $0.flags = 1 }],
      [.failed], [.encryptionUnsupported], files: []),
  ]

  /// End records that lie: CVE-2024-24789, CVE-2021-39293, cpython#151307, uv's list of differentials.
  static let ends: [Case] = [
    .init("a count of 2⁶⁴ - 1", [.init("a", "x")], [.done], files: ["a"]) {
      $0.isZip64 = true
      $0.zip64End = { $0.replaceSubrange(24..<40, with: [UInt8](repeating: 0xff, count: 16)) }
    },
    .init("a directory of 2⁶³ bytes", [.init("a", "x")], [.done], files: ["a"]) {
      $0.isZip64 = true
      $0.zip64End = { $0[47] = 0x80 }
      $0.end = { end in (end.entries, end.size, end.offset) = (1, 47, 32) }
    },
    .init("a directory of no bytes", [.init("a", "x")], [.done], files: ["a"]) {
      $0.end = { $0.size = 0 }
    },
    .init("no entries on this disk", [.init("a", "x")], [.done], files: ["a"]) {
      $0.end = { $0.entriesOnDisk = 0 }
    },
    .init("a second end record in the comment", [.init("a", "x")], [.done], files: ["a"]) {
      $0.comment = Array(inner.suffix(22))
    },
    // Two archives end here; the last end record counts, as with Info-ZIP, and the first is a prefix.
    .init(
      "a whole archive as comment", [.init("a", "x")], [.done, .refused], [.nameEscapes],
      files: ["inner"]
    ) {
      $0.comment = inner
    },
    .init("an archive behind the archive", [.init("a", "x")], [.done], files: ["a"]) {
      $0.comment = Array(repeating: 32, count: 100)
      $0.trailing = Array(inner.prefix(60))
    },
    .init("a claim of many disks", [.init("a", "x")], [.done], files: ["a"]) {
      $0.end = { ($0.disk, $0.directoryDisk) = (7, 7) }
    },
  ]

  private static func unicodePath(_ text: String, for plain: String) -> [UInt8] {
    var data: [UInt8] = [1]
    data.put(TestChecksum.crc32(Array(plain.utf8)))
    return ZipBuilder.extra(0x7075, data + Array(text.utf8))
  }

  @Test(arguments: names + links + records + ends, [false, true])
  func `an archive is unpacked as told, and nothing else changes`(
    subject: Case, walks: Bool
  ) throws {
    let canary = try Canary()
    var options = ExtractionOptions()
    options.existing = .replace
    let archive = try ZipArchive(bytes: subject.zip.bytes())
    let report = try archive.extractBlocking(to: canary.target, options: options, walks: walks)
    #expect(report.outcomes.map(\.status) == subject.outcomes, "\(report.allProblems)")
    let codes = report.allProblems.map(\.code)
    #expect(subject.codes.allSatisfy(codes.contains), "\(report.allProblems)")
    if subject.codes.isEmpty {
      #expect(codes.isEmpty || subject.outcomes.contains(.refused), "\(codes)")
    }
    if let files = subject.files { #expect(try canary.files() == files) }
    try canary.expectUntouched()
    // The same archive once more, over what is there now.
    _ = try archive.extractBlocking(to: canary.target, options: options, walks: walks)
    try canary.expectUntouched()
    // No reader of the archive may fall either.
    _ = archive.inspect()
    for entry in archive.entries { _ = try? entry.contents(limit: 1 << 20) }
  }

  // MARK: What is there already

  @Test(arguments: [false, true])
  func `modes and times of what a link leads to stay`(walks: Bool) throws {
    let canary = try Canary()
    let root = try FileDescriptor.open(canary.target)
    try FileSystem.makeSymbolicLink("d", to: "../outside", in: root)
    try FileSystem.makeSymbolicLink("f", to: "../outside/file", in: root)
    try FileSystem.makeSymbolicLink("gone", to: "../outside/new", in: root)
    var options = ExtractionOptions()
    for existing in [ExtractionOptions.Existing.replace, .skip, .rename, .fail] {
      options.existing = existing
      options.keepsBackup = true
      let archive = try ZipArchive(
        bytes: ZipBuilder([
          .init("d/", mode: 0o040700), .init("d/file", "evil"), .init("d/new/", mode: 0o040777),
          .init("f", "mine", mode: 0o100600), .init("gone", "mine"),
        ]).bytes())
      let report = try archive.extractBlocking(
        to: canary.target, options: options, walks: walks)
      #expect(report.outcomes.prefix(3).allSatisfy { $0.status == .refused })
      #expect(report.outcome(of: 1).problems.map(\.code) == [.throughLink])
      try canary.expectUntouched()
    }
  }

  // CVE-2005-2475: content, modes and times go to the file that was made, not to whatever bears its name.
  @Test(arguments: [false, true], [1, 300_000])
  func `a file outside that shares its bytes with one inside stays as it is`(
    walks: Bool, size: Int
  ) throws {
    let canary = try Canary()
    try canary.share("file", as: "a")
    var options = ExtractionOptions()
    options.existing = .replace
    let mine = [UInt8](repeating: 109, count: size)
    let archive = try ZipArchive(
      bytes: ZipBuilder([.init(bytes: [97], mine, mode: 0o100600)]).bytes())
    let report = try archive.extractBlocking(to: canary.target, options: options, walks: walks)
    #expect(report.isComplete)
    try canary.expectUntouched()
    #expect(try FileSystem.status(canary.target + "/a").size == UInt64(size))
  }

  @Test(arguments: [false, true])
  func `a target that is itself behind a link is the caller's will`(walks: Bool) throws {
    let canary = try Canary()
    let parent = try FileDescriptor.open(Path.parent(of: canary.target))
    try FileSystem.makeSymbolicLink("way", to: "target", in: parent)
    let archive = try ZipArchive(bytes: ZipBuilder([.init("a/b", "x")]).bytes())
    let report = try archive.extractBlocking(
      to: Path.join(Path.parent(of: canary.target), "way"), options: ExtractionOptions(),
      walks: walks)
    #expect(report.isComplete)
    #expect(try canary.files() == ["a/b"])
  }
}

/// A target with a tree beside it that must not change, content, modes and times.
private final class Canary {
  private let directory: TemporaryDirectory
  private var before: [String] = []

  var target: String { directory.path("target") }

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("outside/file", text: "innocent")
    try directory.write("outside/sub/other", text: "innocent, too")
    try FileSystem.makeDirectories(target)
    for name in ["outside/sub", "outside"] {
      let opened = try FileDescriptor.open(directory.path(name))
      try opened.setMode(0o751)
      try opened.setTimes(access: .unchanged, modification: FileTime(seconds: 1_000_000))
    }
    before = try snapshot("outside")
  }

  /// Gives a file outside a second name in the target.
  func share(_ name: String, as other: String) throws {
    let status = unsafe link(directory.path("outside/" + name), target + "/" + other)
    try #require(status == 0)
  }

  func expectUntouched(_ location: SourceLocation = #_sourceLocation) throws {
    #expect(try snapshot("outside") == before, sourceLocation: location)
    let names = try FileSystem.names(in: directory.path).filter { $0 != "way" }.sorted()
    #expect(names == ["outside", "target"], sourceLocation: location)
  }

  /// Files and links in the target, by path.
  func files() throws -> [String] {
    try walk("target").filter { $0.1.kind != .directory }
      .map { String($0.0.dropFirst("target/".count)) }.sorted()
  }

  private func snapshot(_ name: String) throws -> [String] {
    try ([(name, FileSystem.status(directory.path(name), followLinks: false))] + walk(name)).map {
      path, status in
      let content = status.kind == .regular ? try directory.read(path) : []
      return "\(path) \(status.kind) \(status.mode) \(status.size) \(status.modified) \(content)"
    }.sorted()
  }

  private func walk(_ name: String) throws -> [(String, FileStatus)] {
    try FileSystem.names(in: directory.path(name)).flatMap { child -> [(String, FileStatus)] in
      let path = "\(name)/\(child)"
      let status = try FileSystem.status(directory.path(path), followLinks: false)
      return [(path, status)] + (status.kind == .directory ? try walk(path) : [])
    }
  }
}
