import SystemIO
import TestSupport
import Testing

/// Each option beyond Info-ZIP's, and those of its options that leave marks on the disk only.
@Suite("unzip and its options") struct OptionTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func archive(_ entries: [ZipBuilder.Entry]) throws -> String {
    try folder.write("x.zip", ZipBuilder(entries).bytes())
  }

  private func unzip(
    _ arguments: [String], _ entries: [ZipBuilder.Entry]
  ) async throws -> BuiltProgram.Outcome {
    try await BuiltProgram.run(
      "unzip", arguments + [try archive(entries), "-d", folder.path("out")])
  }

  private func names(_ place: String = "out") throws -> [String] {
    FileSystem.exists(folder.path(place))
      ? try FileSystem.names(in: folder.path(place)).sorted() : []
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.read("out/" + name), as: UTF8.self)
  }

  private static let two: [ZipBuilder.Entry] = [.init("d/a", "new"), .init("b", "new")]

  // MARK: What is there already

  static let policies: [(word: String, status: Int32, text: String, count: Int)] = [
    ("skip", 0, "old", 1), ("replace", 0, "new", 1), ("rename", 0, "old", 2), ("fail", 2, "old", 1),
    ("ask", 1, "old", 1),
  ]

  @Test(arguments: policies)
  func `an existing file is treated as told`(
    policy: (word: String, status: Int32, text: String, count: Int)
  ) async throws {
    try folder.write("out/a", text: "old")
    let ended = try await unzip(["-q", "--existing", policy.word], [.init("a", "new")])
    #expect(ended.status == policy.status, "\(ended.errors)")
    #expect(try text("a") == policy.text)
    #expect(try names().count == policy.count)
  }

  static let duplicates: [(word: String, status: Int32, text: String, count: Int)] = [
    ("last", 0, "2", 1), ("first", 0, "1", 1), ("rename", 0, "1", 2), ("error", 2, "", 0),
  ]

  @Test(arguments: duplicates)
  func `entries of one path are settled as told`(
    policy: (word: String, status: Int32, text: String, count: Int)
  ) async throws {
    let ended = try await unzip(
      ["-q", "--duplicates", policy.word], [.init("a", "1"), .init("a", "2")])
    #expect(ended.status == policy.status, "\(ended.errors)")
    if policy.count > 0 { #expect(try text("a") == policy.text) }
    #expect(try names().count == policy.count)
  }

  // MARK: Limits

  static let limits: [(options: [String], status: Int32)] = [
    (["--max-size", "2097161"], 12), (["--max-size", "3M"], 0), (["--max-files", "1"], 12),
    (["--max-files", "2"], 0), (["--max-ratio", "2"], 12), (["--max-ratio", "5000"], 0),
  ]

  @Test(arguments: limits)
  func `limits are kept, and refuse with 12`(limit: (options: [String], status: Int32)) async throws
  {
    let long = String(repeating: "0", count: 2 << 20)
    let ended = try await unzip(
      ["-q"] + limit.options, [.init("a", long, method: 8), .init("b", "0123456789")])
    #expect(ended.status == limit.status, "\(ended.errors)")
    if limit.status == 0 { #expect(try names() == ["a", "b"]) }
    if limit.status != 0 { #expect(ended.errors.contains("at most ")) }
  }

  // MARK: What is written

  @Test func `only real files are written, on request`() async throws {
    _ = try await unzip(
      ["-q", "--real-files"],
      [
        .init("e/"), .init("d/a", "1"), .init("__MACOSX/d/._a", "2"), .init("d/._b", "3"),
        .init(".DS_Store", "4"),
      ])
    #expect(try names() == ["d"])
    #expect(try names("out/d") == ["a"])
  }

  @Test func `components are stripped, and what has none left is left out`() async throws {
    let ended = try await unzip(
      ["-q", "--strip-components", "1"],
      [.init("top/d/a", "1"), .init("top/b", "2"), .init("c", "3")])
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try names() == ["b", "d"])
  }

  @Test func `names are changed for Windows, on request`() async throws {
    let ended = try await unzip(["-q", "--portable-names"], [.init("aux.txt", "1")])
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try names() == ["aux_.txt"])
  }

  @Test func `a dry run says what would be written, and writes nothing`() async throws {
    let ended = try await unzip(["--dry-run"], Self.two)
    #expect(ended.status == 0)
    #expect(ended.output.contains("d/a"))
    #expect(try names().isEmpty)
  }

  @Test func `zeros are holes, on request`() async throws {
    let zeros = ZipBuilder.Entry(bytes: Array("z".utf8), [UInt8](repeating: 0, count: 1 << 20))
    _ = try await unzip(["-q", "--sparse"], [zeros])
    let status = try FileSystem.status(folder.path("out/z"))
    #expect(status.size == 1 << 20)
    #expect(status.allocated < 1 << 18)
  }

  @Test func `links lead out on request only`() async throws {
    let link = ZipBuilder.Entry("l", "../elsewhere", mode: 0o120777)
    #expect(try await unzip(["-q"], [link]).status == 2)
    #expect(try names().isEmpty)
    #expect(try await unzip(["-q", "--allow-unsafe-links"], [link]).status == 0)
    #expect(try names() == ["l"])
  }

  @Test(arguments: ["1", "2", "7"])
  func `any number of workers writes the same`(jobs: String) async throws {
    let entries = (0..<50).map { ZipBuilder.Entry("d\($0 % 5)/f\($0)", "\($0)", method: 8) }
    #expect(try await unzip(["-q", "--jobs", jobs], entries).status == 0)
    #expect(try names() == ["d0", "d1", "d2", "d3", "d4"])
    #expect(try text("d4/f49") == "49")
  }

  @Test func `a replaced file is kept, on request`() async throws {
    try folder.write("out/b", text: "old")
    _ = try await unzip(["-qB"], [.init("b", "new")])
    #expect(try text("b") == "new")
    #expect(try text("b~") == "old")
  }

  @Test func `set-id bits and times are left out unless asked for`() async throws {
    let entry = ZipBuilder.Entry("a", "1", mode: 0o104755)
    _ = try await unzip(["-q"], [entry])
    #expect(try FileSystem.status(folder.path("out/a")).mode == 0o755)
    let dated = try FileSystem.status(folder.path("out/a")).modified.seconds
    _ = try await unzip(["-qoKDD"], [entry])
    let after = try FileSystem.status(folder.path("out/a"))
    #expect(after.mode == 0o4755)
    #expect(after.modified.seconds != dated)
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "only root may give files away"))
  func `owners are restored on request`() async throws {
    let entry = ZipBuilder.Entry("a", "1", mode: 0o100644).with {
      $0.extra = ZipBuilder.extra(0x7875, [1, 4, 0xe8, 3, 0, 0, 4, 0x64, 0, 0, 0])
    }
    _ = try await unzip(["-q"], [entry])
    #expect(try FileSystem.status(folder.path("out/a")).owner != 1000)
    _ = try await unzip(["-qoX"], [entry])
    #expect(try FileSystem.status(folder.path("out/a")).owner == 1000)
  }

  // MARK: What is read

  @Test func `members come from a list with zero bytes or lines, also on standard input`()
    async throws
  {
    let path = try archive(Self.two)
    for list in ["d/a\0", "d/a\n", "d/*\n"] {
      let words = try folder.write("list", text: list)
      let ended = try await BuiltProgram.run(
        "/bin/sh",
        ["-c", "'\(BuiltProgram.path("unzip"))' -p --files-from - '\(path)' < '\(words)'"])
      #expect(ended.output == "new", "\(ended.errors)")
    }
  }

  @Test func `an archive comes through standard input, by pipe and by file`() async throws {
    let path = try archive(Self.two)
    let program = BuiltProgram.path("unzip")
    for line in ["cat '\(path)' | '\(program)' -Z1 -", "'\(program)' -Z1 - < '\(path)'"] {
      let ended = try await BuiltProgram.run("/bin/sh", ["-c", line])
      #expect(ended.output == "d/a\nb\n", "\(ended.errors)")
    }
  }

  @Test func `a password comes from a file`() async throws {
    let word = try folder.write("word", text: "wrong\nmore\n")
    let locked = ZipBuilder.Entry("a", "123456789012345").with { $0.flags = 1 }
    let ended = try await unzip(["-q", "--password-file", word], [locked])
    #expect(ended.status == 82, "\(ended.errors)")
    #expect(try await unzip(["--password-file", folder.path("none")], [locked]).status == 10)
  }

  @Test(arguments: [
    ["UNZIP=-qq", "-t"], ["UNZIPOPT=-qq", "-t"], ["UNZIP=", "UNZIPOPT=-qq", "-t"],
  ])
  func `options come from the environment`(words: [String]) async throws {
    let path = try archive(Self.two)
    let program = BuiltProgram.path("unzip")
    let variables = words.dropLast()
    let ended = try await BuiltProgram.run("/usr/bin/env", variables + [program, "-t", path])
    #expect(ended.status == 0)
    #expect(ended.output.isEmpty)
    for name in ["ZIPINFO", "ZIPINFOOPT"] {
      let listed = try await BuiltProgram.run("/usr/bin/env", ["\(name)=-1", program, "-Z", path])
      #expect(listed.output == "d/a\nb\n")
    }
  }

  @Test func `the second name is zipinfo`() async throws {
    let path = try archive(Self.two)
    try FileSystem.makeSymbolicLink(
      "zipinfo", to: BuiltProgram.path("unzip"), in: FileDescriptor.open(folder.path))
    let ended = try await BuiltProgram.run(folder.path("zipinfo"), ["-1", path])
    #expect(ended.output == "d/a\nb\n", "\(ended.errors)")
  }

  @Test func `a list is a record an entry and a summary, on request`() async throws {
    let path = try archive(Self.two)
    let lines = try await BuiltProgram.run("unzip", ["--json", "-l", path]).output
      .split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.contains("\"name\":\"d/a\"") == true)
    #expect(lines.last?.contains("\"entries\":2") == true)
    let written = try await unzip(["--json"], Self.two).output.split(separator: "\n")
    #expect(written.count == 3)
    #expect(written.first?.contains("\"status\":\"done\"") == true)
    #expect(written.last?.contains("\"complete\":true") == true)
  }

  @Test func `a warning about a path is in the status, however quiet the run`() async throws {
    #expect(try await unzip(["-qq"], [.init("/a", "1")]).status == 1)
    #expect(try await unzip(["-qqo"], [.init("../a", "1"), .init("b", "2")]).status == 2)
  }
}
