import ProgressReporting
import SystemIO
import Synchronization
import Testing
import TestSupport
import ZipKitCore

@Suite("extraction") struct ExtractionTests {
  let directory: TemporaryDirectory
  var target: String { directory.path("out") }

  init() throws { directory = try TemporaryDirectory() }

  private func extract(
    _ entries: [ZipBuilder.Entry], _ change: (inout ExtractionOptions) -> Void = { _ in }
  ) async throws -> ExtractionReport {
    var options = ExtractionOptions()
    change(&options)
    return try await ZipArchive(bytes: ZipBuilder(entries).bytes()).extract(
      to: target, options: options)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try directory.read("out/" + name), as: UTF8.self)
  }

  private func status(_ name: String) throws -> FileStatus {
    try FileSystem.status(directory.path("out/" + name), followLinks: false)
  }

  private func names(_ name: String = "") throws -> [String] {
    try FileSystem.names(in: directory.path("out/" + name)).sorted()
  }

  // MARK: What should work

  @Test func `files, directories and links are placed with modes and times`() async throws {
    var stamp: [UInt8] = [1]
    stamp.put(UInt32(1_600_000_000))
    let extra = ZipBuilder.extra(0x5455, stamp)
    let report = try await extract([
      .init("d/", mode: 0o040750).with { $0.extra = extra },
      .init("d/run", "#!", method: 8, mode: 0o100755).with { $0.extra = extra },
      .init("d/link", "run", mode: 0o120777),
      .init("deep/er/file", "x", mode: 0o100640),
    ])
    #expect(report.isComplete)
    #expect(try text("d/run") == "#!")
    #expect(try status("d/run").mode == 0o755)
    #expect(try status("d").mode == 0o750)
    #expect(try status("d").modified.seconds == 1_600_000_000)
    #expect(try status("d/run").modified.seconds == 1_600_000_000)
    #expect(try status("d/link").kind == .symbolicLink)
    #expect(try status("deep/er/file").mode == 0o640)
    #expect(report.count(of: .done) == 2)
    #expect(report.bytes == 3)
  }

  @Test func `set-id bits are taken off unless asked for`() async throws {
    _ = try await extract([.init("a", "x", mode: 0o106755)])
    #expect(try status("a").mode == 0o755)
    _ = try await extract([.init("b", "x", mode: 0o104755)]) { $0.keepsSpecialBits = true }
    #expect(try status("b").mode == 0o4755)
  }

  @Test func `modes and links of an extra field are placed where the host has none`() async throws {
    let dos: @Sendable (inout ZipBuilder.Fields) -> Void = { $0.versionMadeBy = 20 }
    func entry(_ name: String, _ content: String, _ extra: [UInt8]) -> ZipBuilder.Entry {
      ZipBuilder.Entry(name, content).with { ($0.extra, $0.central) = (extra, dos) }
    }
    let report = try await extract([
      entry("run", "#!", NameTests.asi(0o100750)),
      entry("link", "", NameTests.asi(0o120777, target: "run")),
      entry("content", "run", NameTests.asi(0o120777)),
      entry("out", "", NameTests.asi(0o120777, target: "../outside")),
      entry("none", "", NameTests.asi(0o120777)),
    ])
    #expect(try status("run").mode == 0o750)
    #expect(try text("link") == "#!")
    #expect(try text("content") == "#!")
    let problems = report.outcomes.map { $0.problems.map(\.code) }
    #expect(Array(problems.suffix(2)) == [[.linkEscapes], [.linkDamaged]])
    #expect(try names() == ["content", "link", "run"])
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "only root may give files away"))
  func `owners are those of the fields, where asked for`() async throws {
    let entries: [ZipBuilder.Entry] = [
      .init("any", "x", mode: 0o100644).with {
        $0.extra = ZipBuilder.extra(0x7875, [1, 4, 0xe8, 3, 0, 0, 4, 0x64, 0, 0, 0])
      },
      .init("old", "x", mode: 0o100644).with {
        $0.extra = ZipBuilder.extra(0x7855, [])
        $0.local = { $0.extra = ZipBuilder.extra(0x7855, [0xe9, 3, 0x64, 0]) }
      },
      .init("d/", mode: 0o040755).with { $0.extra = NameTests.asi(0o040755) },
    ]
    _ = try await extract(Array(entries.prefix(1)))
    #expect(try status("any").owner != 1000)
    _ = try await extract(entries) { ($0.setsOwner, $0.existing) = (true, .replace) }
    #expect(try status("any").owner == 1000)
    #expect(try status("old").owner == 1001)
    #expect(try status("d").owner == 1000)
  }

  @Test func `a file in front of its read-only directory still gets in`() async throws {
    let report = try await extract([
      .init("r/file", "x"), .init("r/", mode: 0o040555), .init("r/other", "y"),
    ])
    #expect(report.isComplete)
    #expect(try status("r").mode == 0o555)
    try FileSystem.makeDirectories(target)
    let handle = try FileDescriptor.open(directory.path("out/r"))
    try handle.setMode(0o755)
  }

  @Test(arguments: [1, 2, 5])
  func `any number of workers makes the same tree`(jobs: Int) async throws {
    let entries = (0..<500).map { number in
      ZipBuilder.Entry(
        "dir\(number % 7)/file\(number)", String(repeating: "\(number) ", count: number),
        method: number % 2 == 0 ? 8 : 0)
    }
    let report = try await extract(entries) { $0.jobs = jobs }
    #expect(report.isComplete)
    for number in stride(from: 0, to: 500, by: 50) {
      #expect(
        try text("dir\(number % 7)/file\(number)")
          == String(repeating: "\(number) ", count: number))
    }
  }

  @Test(arguments: [UInt16(0), 8], [1, 2])
  func `a large entry goes through a temporary name and ends whole`(
    method: UInt16, jobs: Int
  ) async throws {
    let piece = (0..<(1 << 16)).map { UInt8(truncatingIfNeeded: $0 >> 5) }
    let content = [UInt8]((0..<260).map { _ in piece }.joined())
    let entry = ZipBuilder.Entry(bytes: [98], content, method: method, mode: 0o100600)
    let coded = method == 8 ? TestDeflate.stored(content) : content
    let report = try await extract([entry.with { $0.coded = coded }]) { $0.jobs = jobs }
    #expect(report.isComplete)
    #expect(try directory.read("out/b") == content)
    #expect(try names() == ["b"])
    #expect(try status("b").mode == 0o600)
  }

  @Test func `outcomes are observed in the directory's order`() async throws {
    let entries = (0..<300).map { ZipBuilder.Entry("d\($0 % 3)/f\($0)", "x") }
    let seen = Mutex<[Int]>([])
    _ = try await ZipArchive(bytes: ZipBuilder(entries).bytes()).extract(
      to: target, observer: { outcome in seen.withLock { $0.append(outcome.entryIndex) } })
    #expect(seen.withLock { $0 } == Array(0..<300))
  }

  @Test func `progress counts the bytes in place and ends at one`() async throws {
    let meter = WorkMeter("all")
    _ = try await ZipArchive(bytes: ZipBuilder([.init("a", "12345")]).bytes()).extract(
      to: target, progress: meter.share())
    #expect(meter.snapshot().children.first?.completed == 5)
    #expect(meter.snapshot().children.first?.fraction == 1)
  }

  @Test func `holes are made of zeros where asked for`() async throws {
    var content = [UInt8](repeating: 0, count: 2 << 20)
    content[1_000_000] = 1
    _ = try await extract([.init(bytes: [97], content, method: 8)]) { $0.writesSparse = true }
    #expect(try directory.read("out/a") == content)
    #expect(try status("a").allocated < 1 << 18)
  }

  @Test func `a dry run tells and writes nothing`() async throws {
    let report = try await extract([.init("d/"), .init("d/a", "x")]) { $0.isDryRun = true }
    #expect(report.outcomes.map(\.path) == ["d/", "d/a"])
    #expect(!FileSystem.exists(target))
  }

  // MARK: Names

  static let badNames: [(String, ZipError.Code)] = [
    ("../up", .nameEscapes), ("a/../../up", .nameEscapes), ("..", .nameEscapes),
    ("a/..", .nameEscapes), ("nul\0name", .nameNUL),
    (String(repeating: "x", count: 256), .nameTooLong),
    (String(repeating: "y/", count: 2100) + "z", .nameTooLong), ("/", .nameEmpty), ("", .nameEmpty),
  ]

  @Test(arguments: badNames)
  func `a name that leads nowhere good is refused, the rest extracted`(
    name: String, code: ZipError.Code
  ) async throws {
    let report = try await extract([.init(name, "evil"), .init("good", "x")])
    #expect(report.allProblems.map(\.code).contains(code) || name == "/")
    #expect(try text("good") == "x")
    #expect(try names() == ["good"])
    #expect(try FileSystem.names(in: directory.path) == ["out"])
  }

  @Test func `absolute names lose their root`() async throws {
    let report = try await extract([.init("/etc/x", "1"), .init("//y", "2")])
    #expect(try text("etc/x") == "1")
    #expect(try text("y") == "2")
    #expect(report.allProblems.map(\.code) == [.nameAbsolute, .nameAbsolute])
    #expect(report.isComplete)
  }

  @Test func `backslashes and drives of DOS names are separators`() async throws {
    let report = try await extract([
      .init("C:\\dir\\file", "1").with { $0.central = { $0.versionMadeBy = 20 } }
    ])
    #expect(try text("dir/file") == "1")
    #expect(report.isComplete)
  }

  @Test func `a backslash in a Unix name is a character`() async throws {
    _ = try await extract([.init("a\\b", "1")])
    #expect(try names() == ["a\\b"])
  }

  @Test func `a backslash beside a slash is a character, in a DOS name, too`() async throws {
    let report = try await extract(
      [("d/", ""), ("d/a\\b", "1"), ("d/c\\", "2")].map { name, content in
        ZipBuilder.Entry(name, content).with { $0.central = { $0.versionMadeBy = 20 } }
      })
    #expect(try names("d") == ["a\\b", "c\\"])
    #expect(try text("d/c\\") == "2")
    #expect(report.allProblems.isEmpty)
  }

  @Test func `control characters are dropped unless kept`() async throws {
    _ = try await extract([.init("a\u{1b}[1m", "1")])
    #expect(try names() == ["a[1m"])
    _ = try await extract([.init("b\u{7}", "1")]) { $0.keepsControlCharacters = true }
    #expect(try names() == ["a[1m", "b\u{7}"])
  }

  static let reserved: [(String, String)] = [
    ("aux.txt", "aux_.txt"), ("CON", "CON_"), ("d/nul.tar.gz", "d/nul_.tar.gz"),
    ("lpt\u{b9}", "lpt\u{b9}_"), ("com7 .x", "com7_ .x"), ("a:b", "a_b"), ("what?", "what_"),
    ("e. .", "e___"), ("d /x.", "d_/x_"), ("con./x", "con_/x"),
  ]

  @Test(arguments: reserved)
  func `names that Windows cannot have are changed on request`(
    name: String, expected: String
  ) async throws {
    _ = try await extract([.init(name, "1")])
    #expect(try text(name) == "1")
    try FileSystem.removeTree(target)
    let report = try await extract([.init(name, "1")]) { $0.usesPortableNames = true }
    #expect(report.outcomes.map(\.path) == [expected])
    #expect(report.allProblems.map(\.code) == [.nameReserved])
    #expect(try text(expected) == "1")
  }

  @Test func `names that Windows can have stay, and two that become one are told`() async throws {
    let fine = ["auxiliary", "co", "com10", "con-1", ".hidden", "a b", "console.txt", "x..y"]
    let report = try await extract(fine.map { .init($0, "1") }) { $0.usesPortableNames = true }
    #expect(report.outcomes.map(\.path) == fine)
    #expect(report.allProblems.isEmpty)
    let clash = try await extract([.init("q:", "1"), .init("q?", "2")]) {
      ($0.usesPortableNames, $0.duplicates) = (true, .rename)
    }
    #expect(clash.outcomes.map(\.path) == ["q_", "q_ (2)"])
    #expect(clash.allProblems.contains { $0.code == .duplicateName })
  }

  @Test func `directories can be dropped or stripped`() async throws {
    _ = try await extract([.init("a/b/c", "1"), .init("d/", mode: 0o040755)]) {
      $0.dropsDirectories = true
    }
    #expect(try names() == ["c"])
    _ = try await extract([.init("a/b/d", "1"), .init("a/", mode: 0o040755)]) {
      $0.stripComponents = 1
    }
    #expect(try names() == ["b", "c"])
  }

  @Test func `only real files, where asked for`() async throws {
    _ = try await extract([
      .init("d/"), .init("d/a", "1"), .init("__MACOSX/d/._a", "2"), .init("d/.DS_Store", "3"),
    ]) { $0.onlyRealFiles = true }
    #expect(try names() == ["d"])
    #expect(try names("d") == ["a"])
  }

  @Test(arguments: [0o040755, 0o010644, 0o020644, 0o060644, 0o140644] as [UInt16])
  func `what has content is a file, whatever its mode calls it`(mode: UInt16) async throws {
    let report = try await extract([.init("x", "content", mode: mode)])
    #expect(report.isComplete)
    #expect(try text("x") == "content")
    let kind = try ZipArchive(bytes: ZipBuilder([.init("x", "", mode: mode)]).bytes()).entries[0]
      .kind
    #expect(kind == (mode == 0o040755 ? .directory : .special))
  }

  @Test func `an empty stream that was read from a pipe and packed is an empty file`() async throws
  {
    let report = try await extract([.init("-", "", method: 8, mode: 0o010600)])
    #expect(report.isComplete)
    #expect(try text("-") == "")
  }

  // MARK: Duplicates and what is there already

  @Test(arguments: [
    (ExtractionOptions.Duplicates.last, ["x"], "2"), (.first, ["x"], "1"),
    (.rename, ["x", "x (2)"], "1"),
  ])
  func `duplicates are settled as told`(
    policy: ExtractionOptions.Duplicates, expected: [String], content: String
  ) async throws {
    let report = try await extract([.init("x", "1"), .init("x", "2")]) { $0.duplicates = policy }
    #expect(try names() == expected)
    #expect(try text("x") == content)
    #expect(report.allProblems.map(\.code) == [.duplicateName])
  }

  @Test func `duplicates can be an error`() async throws {
    let report = try await extract([.init("x", "1"), .init("x", "2")]) { $0.duplicates = .error }
    #expect(!report.isComplete)
    #expect(try names().isEmpty)
  }

  static let clashes: [(String, [String], [ZipError.Code])] = [
    ("case", ["readme", "README"], [.caseClash]),
    ("normalization", ["caf\u{e9}", "cafe\u{301}"], [.normalizationClash]),
    ("both", ["caf\u{e9}", "CAFE\u{301}"], [.caseClash]),
    ("sharp s", ["strasse", "STRA\u{df}E"], [.caseClash]),
    ("final sigma", ["\u{3c2}", "\u{3a3}", "\u{3c3}"], [.caseClash, .caseClash]),
    ("directories", ["d/a", "D/b"], [.caseClash]),
    ("in directories", ["d/a", "D/A"], [.caseClash, .caseClash]),
    ("file and directory", ["a", "A/b"], [.caseClash]), ("none", ["a", "b", "c/a", "d/A"], []),
  ]

  @Test(arguments: clashes)
  func `names that clash elsewhere are all written, and told`(
    what: String, names: [String], codes: [ZipError.Code]
  ) async throws {
    let report = try await extract(names.map { .init($0, $0) })
    #expect(report.allProblems.map(\.code) == codes, "\(what)")
    #expect(report.isComplete)
    for name in names { #expect(try text(name) == name) }
    let archive = try ZipArchive(bytes: ZipBuilder(names.map { .init($0, $0) }).bytes())
    #expect(archive.nameProblems().map(\.code) == codes)
    #expect(archive.inspect().map(\.code) == codes)
  }

  @Test func `a file and a directory of one path are told, and the file is refused`() async throws {
    let report = try await extract([.init("a/b", "1"), .init("a", "2")])
    #expect(report.allProblems.map(\.code).first == .duplicateName)
    #expect(report.outcome(of: 1).status == .refused)
    #expect(try text("a/b") == "1")
  }

  @Test func `clashing names get their own on request, distinct everywhere`() async throws {
    let report = try await extract([
      .init("a.txt", "1"), .init("A.txt", "2"), .init("a.txt", "3"), .init("a (2).txt", "4"),
    ]) { $0.duplicates = .rename }
    #expect(report.isComplete)
    let names = try names()
    #expect(names.count == 4)
    #expect(Set(names.map { $0.lowercased() }).count == 4)
    #expect(try text("a.txt") == "1")
    #expect(try text("a (2).txt") == "4")
  }

  static let besideDirectories: [[String]] = [
    ["a", "a/b"], ["a/b", "a"], ["a", "A", "a/b", "a (2)"], ["A", "a/b"], ["a", "a", "A/b"],
    ["d/x", "D/X", "d/X/y"],
  ]

  @Test(arguments: besideDirectories)
  func `files that clash with directories get their own names on request`(
    names: [String]
  ) async throws {
    let report = try await extract(names.map { .init($0, $0) }) { $0.duplicates = .rename }
    #expect(report.isComplete)
    let paths = report.outcomes.compactMap(\.path)
    #expect(paths.count == names.count)
    for (path, name) in zip(paths, names) { #expect(try text(path) == name) }
    let folded = paths.map { $0.lowercased() }
    #expect(Set(folded).count == names.count)
    #expect(!folded.contains { file in folded.contains { $0.hasPrefix(file + "/") } })
  }

  @Test func `a file that clashes with a directory is refused on request, whichever is first`()
    async throws
  {
    let report = try await extract([.init("a", "1"), .init("A/b", "2")]) { $0.duplicates = .error }
    #expect(report.outcomes.map(\.status) == [.refused, .done])
  }

  @Test func `clashing names are refused on request, but for the first`() async throws {
    let report = try await extract([.init("a", "1"), .init("A", "2")]) { $0.duplicates = .error }
    #expect(report.outcomes.map(\.status) == [.done, .refused])
  }

  @Test(arguments: [1, 5_000_000])
  func `an existing file is kept, replaced or stepped around`(size: Int) async throws {
    let new = String(repeating: "n", count: size)
    try directory.write("out/f.txt", text: "old")
    let failed = try await extract([.init("f.txt", new)])
    #expect(failed.allProblems.map(\.code) == [.targetExists])
    let skipped = try await extract([.init("f.txt", new)]) { $0.existing = .skip }
    #expect(skipped.count(of: .skipped) == 1)
    #expect(try text("f.txt") == "old")
    let renamed = try await extract([.init("f.txt", new)]) { $0.existing = .rename }
    #expect(renamed.outcome(of: 0).path == "f (2).txt")
    #expect(try text("f (2).txt") == new)
    let replaced = try await extract([.init("f.txt", new)]) {
      $0.existing = .replace
      $0.keepsBackup = true
    }
    #expect(replaced.isComplete)
    #expect(try text("f.txt") == new)
    #expect(try text("f.txt~") == "old")
    #expect(try names() == ["f (2).txt", "f.txt", "f.txt~"])
  }

  @Test func `freshen and update look at times`() async throws {
    try directory.write("out/old", text: "o")
    try directory.write("out/new", text: "n")
    let root = try FileDescriptor.open(target)
    try FileSystem.setTimes(
      "old", in: root, access: .unchanged, modification: FileTime(seconds: 1000))
    let entries = [
      ZipBuilder.Entry("old", "1"), ZipBuilder.Entry("new", "2"), ZipBuilder.Entry("none", "3"),
    ].map { entry in entry.with { $0.extra = Self.stamp(1_000_000_000) } }
    _ = try await extract(entries) {
      $0.existing = .replace
      $0.onlyFreshens = true
    }
    #expect(try names() == ["new", "old"])
    #expect(try text("old") == "1")
    _ = try await extract(entries) {
      $0.existing = .replace
      $0.onlyReplacesOlder = true
    }
    #expect(try text("new") == "n")
    #expect(try text("none") == "3")
  }

  private static func stamp(_ seconds: UInt32) -> [UInt8] {
    var data: [UInt8] = [1]
    data.put(seconds)
    return ZipBuilder.extra(0x5455, data)
  }

  @Test func `a question is answered once a file`() async throws {
    try directory.write("out/a", text: "old")
    try directory.write("out/b", text: "old")
    _ = try await extract([.init("a", "1"), .init("b", "2"), .init("c", "3")]) {
      $0.existing = .ask { $0 == "a" ? .replace : .rename("b2") }
    }
    #expect(try names() == ["a", "b", "b2", "c"])
    #expect(try text("a") == "1")
    #expect(try text("b") == "old")
  }

  @Test func `a directory where a file should be stays`() async throws {
    try directory.write("out/a/inside", text: "x")
    let report = try await extract([.init("a", "1")]) { $0.existing = .replace }
    #expect(report.allProblems.map(\.code) == [.targetUnusable])
    #expect(try text("a/inside") == "x")
  }

  @Test func `a file where a directory should be stays, and what belongs below is refused`()
    async throws
  {
    try directory.write("out/a", text: "x")
    let report = try await extract([.init("a/b", "1"), .init("a/c/", "")]) {
      $0.existing = .replace
    }
    #expect(report.allProblems.allSatisfy { $0.code == .targetUnusable })
    #expect(report.count(of: .refused) == 2)
    #expect(try text("a") == "x")
  }

  // MARK: Damage

  @Test(arguments: [10, 5_000_000])
  func `damaged content never gets a name`(size: Int) async throws {
    let report = try await extract([
      .init("bad", String(repeating: "b", count: size)).with { $0.central = { $0.crc ^= 1 } },
      .init("good", "g"),
    ])
    #expect(report.outcome(of: 0).status == .failed)
    #expect(report.outcome(of: 0).problems.map(\.code) == [.crcMismatch])
    #expect(try names() == ["good"])
  }

  @Test func `a replacement that fails leaves the old file`() async throws {
    try directory.write("out/a", text: "old")
    _ = try await extract([.init("a", "new").with { $0.central = { $0.crc ^= 1 } }]) {
      $0.existing = .replace
    }
    #expect(try text("a") == "old")
    #expect(try names() == ["a"])
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "only root may mount a small disk"))
  func `a full disk leaves whole files only and says so`() async throws {
    let disk = try SmallDisk(bytes: 1 << 20)
    let text = String(repeating: "x", count: 100_000)
    let archive = try ZipArchive(
      bytes: ZipBuilder((0..<40).map { .init("f\($0)", text) }).bytes())
    let report = try await archive.extract(to: disk.path)
    #expect(!report.isComplete)
    #expect((report.general + report.allProblems).contains { $0.code == .diskFull })
    let names = try disk.names()
    #expect(names.count == report.count(of: .done))
    #expect((1..<40).contains(names.count))
    for name in names { #expect(try FileSystem.status(disk.path(name)).size == 100_000) }
  }

  @Test func `a target below a device is an error of its own`() async throws {
    let archive = try ZipArchive(bytes: ZipBuilder([.init("a", "x")]).bytes())
    await #expect {
      _ = try await archive.extract(to: "/dev/full/x")
    } throws: { ($0 as? ZipError)?.code == .targetUnusable }
  }

  @Test func `a target that is a file is an error of its own`() async throws {
    try directory.write("file", text: "x")
    let archive = try ZipArchive(bytes: ZipBuilder([.init("a", "x")]).bytes())
    await #expect {
      _ = try await archive.extract(to: directory.path("file"))
    } throws: { ($0 as? ZipError)?.code == .targetUnusable }
  }

  @Test func `cancelling leaves whole files and marks the rest`() async throws {
    let cancellation = WorkCancellation()
    let entries = (0..<2000).map { ZipBuilder.Entry("f\($0)", String(repeating: "x", count: 3000)) }
    // Another worker might be done with all the rest by then.
    var options = ExtractionOptions()
    options.jobs = 1
    let report = try await ZipArchive(bytes: ZipBuilder(entries).bytes()).extract(
      to: target, options: options, progress: .detached(cancellation: cancellation),
      observer: { if $0.entryIndex == 10 { cancellation.cancel() } })
    #expect(report.general.map(\.code) == [.cancelled])
    #expect(report.count(of: .cancelled) > 0)
    #expect(report.count(of: .done) == (try names().count))
    for name in try names() { #expect(try status(name).size == 3000) }
  }
}
