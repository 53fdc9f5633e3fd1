import SystemIO
import TestSupport
import Testing

@Suite("unzip and its exit status") struct ExitStatusTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func unzip(_ arguments: String...) async throws -> BuiltProgram.Outcome {
    try await BuiltProgram.run("unzip", arguments)
  }

  private func archive(_ entries: [ZipBuilder.Entry]) throws -> String {
    try folder.write("a.zip", ZipBuilder(entries).bytes())
  }

  // MARK: What cannot be

  @Test(arguments: [
    ("empty.zip", [UInt8](), Int32(9)), ("text.zip", Array("no archive".utf8), 9),
    ("cut.zip", Array(ZipBuilder([.init("a", "b")]).bytes().dropLast(30)), 9),
  ])
  func `what is no archive ends with one line`(
    name: String, bytes: [UInt8], status: Int32
  ) async throws {
    let path = try folder.write(name, bytes)
    let ended = try await unzip("-q", path, "-d", folder.path("out"))
    #expect(ended.status == status)
    #expect(ended.errors.split(separator: "\n").count == 1)
    #expect(ended.errors.hasPrefix("unzip: \(path): expected "))
    #expect(!FileSystem.exists(folder.path("out")))
  }

  @Test(arguments: ["-t", "-l", "-p", "-Z", "-Zv", "--recover -t"])
  func `what cannot be read at all ends with one line`(options: String) async throws {
    let ended = try await BuiltProgram.run(
      "/bin/sh", ["-c", "'\(BuiltProgram.path("unzip"))' \(options) - < '\(folder.path)'"])
    #expect(ended.status == 9)
    #expect(ended.errors.split(separator: "\n").count == 1)
    #expect(ended.errors.contains(": -: expected an archive to read, found "))
  }

  @Test func `an archive that is not there is looked for with endings`() async throws {
    let ended = try await unzip("nowhere")
    #expect(ended.status == 9)
    #expect(
      ended.errors == "unzip:  cannot find or open nowhere, nowhere.zip or nowhere.ZIP.\n")
    _ = try archive([.init("a", "1")])
    #expect(try await unzip("-tqq", folder.path("a")).status == 0)
  }

  static let verdicts: [(String, [ZipBuilder.Entry], Int32)] = [
    ("whole", [.init("a", "1")], 0), ("empty", [], 1),
    ("a wrong CRC", [.init("a", "1").with { $0.central = { $0.crc ^= 1 } }], 2),
    ("dots", [.init("../a", "1")], 2), ("an absolute name", [.init("/a", "1")], 1),
    ("a link out", [.init("l", "..", mode: 0o120777)], 2),
    ("an unknown method", [.init("a", "1", method: 97)], 81),
    (
      "overlapping entries", [.init("a", "1"), .init("b", "1").with { $0.isCentralOnly = true }], 12
    ),
    (
      "a local header that is missing", [.init("a", "1").with { $0.local = { $0.signature = 0 } }],
      3
    ),
    ("data past the end", [.init("a", "1").with { $0.central = { $0.compressedSize = 9999 } }], 51),
    ("a password that is needed", [.init("a", "123456789012345").with { $0.flags = 1 }], 5),
  ]

  @Test(arguments: verdicts)
  func `an extraction ends with the status of what it found`(
    what: String, entries: [ZipBuilder.Entry], status: Int32
  ) async throws {
    let path = try archive(entries)
    let ended = try await unzip("-qq", path, "-d", folder.path("out"))
    #expect(ended.status == status, "\(what): \(ended.errors)")
    #expect(ended.output.isEmpty)
  }

  @Test func `members that nobody has are named, with status 11`() async throws {
    let path = try archive([.init("a", "1")])
    let ended = try await unzip(path, "b", "-d", folder.path("out"))
    #expect(ended.status == 11)
    #expect(ended.errors == "caution: filename not matched:  b\n")
    #expect(try await unzip("-l", path, "b").status == 11)
    #expect(try await unzip("-Z1", path, "b").status == 11)
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "only root may mount a small disk"))
  func `a full disk ends with 50`() async throws {
    let disk = try SmallDisk(bytes: 1 << 20)
    let path = try archive([.init("a", String(repeating: "x", count: 2 << 20))])
    let ended = try await unzip("-q", path, "-d", disk.path)
    #expect(ended.status == 50)
    #expect(ended.errors.contains("expected space"))
    #expect(try disk.names() == [])
  }

  @Test func `a full device as standard output ends with 50`() async throws {
    let path = try archive([.init("a", "1")])
    let program = try RunningProgram("unzip", ["-p", path], on: .output("/dev/full"))
    #expect(try await program.finish() == .exited(status: 50))
  }

  @Test func `a target below a device is an error`() async throws {
    let path = try archive([.init("a", "1")])
    #expect(try await unzip("-q", path, "-d", "/dev/full/x").status == 2)
  }

  @Test func `a target that is a file is an error of one line`() async throws {
    let path = try archive([.init("a", "1")])
    let file = try folder.write("file", text: "x")
    let ended = try await unzip("-q", path, "-d", file)
    #expect(ended.status == 2)
    #expect(ended.errors.split(separator: "\n").count == 1)
    #expect(try folder.read("file") == Array("x".utf8))
  }

  // MARK: Options

  @Test func `an unknown option ends with 10`() async throws {
    let ended = try await unzip("-k", "x.zip")
    #expect(ended.status == 10)
    #expect(ended.errors.hasPrefix("unzip: "))
  }

  @Test(arguments: [["-pt"], ["-ct"], ["-pu"], ["-cu"], ["-tu"], ["-fn"]])
  func `options that exclude each other end with 10`(options: [String]) async throws {
    let ended = try await BuiltProgram.run("unzip", options + [try archive([.init("a", "1")])])
    #expect(ended.status == 10)
    #expect(ended.output.isEmpty)
    #expect(ended.errors.contains("cannot be used together with"))
  }

  @Test func `options without effect beside others are remarked upon`() async throws {
    let path = try archive([.init("a", "1")])
    try folder.write("out/a", text: "old")
    let both = try await unzip("-qno", path, "-d", folder.path("out"))
    #expect(both.errors == "caution:  both -n and -o specified; ignoring -o\n")
    #expect(try folder.read("out/a") == Array("old".utf8))
    let list = try await unzip("-l", path, "-d", folder.path("none"))
    #expect(list.errors == "caution:  not extracting; -d ignored\n")
    #expect(!FileSystem.exists(folder.path("none")))
  }

  @Test func `dots are followed on request, within the directory only`() async throws {
    let path = try archive([.init("a/../b", "1"), .init("a/../../c", "2"), .init("d", "3")])
    #expect(try await unzip("-q", path, "-d", folder.path("none")).status == 2)
    #expect(!FileSystem.exists(folder.path("none/b")))
    let ended = try await unzip("-q:", path, "-d", folder.path("out"))
    #expect(ended.status == 2)
    #expect(try FileSystem.names(in: folder.path("out")).sorted() == ["b", "d"])
    #expect(!FileSystem.exists(folder.path("c")))
  }

  @Test(arguments: ["-M", "-V", "-F", "-U", "-UU", "-qMVFU"])
  func `options without effect are accepted, and the help says so`(option: String) async throws {
    let path = try archive([.init("a", "1")])
    #expect(try await unzip(option, path, "-d", folder.path("out")).status == 0)
    let help = try await unzip("--help")
    for word in ["no pager", "VMS version numbers are kept", "Acorn file types", "not escaped"] {
      #expect(help.output.contains(word))
    }
  }

  @Test func `presence probes end with 0`() async throws {
    for arguments in [[], ["-v"], ["-h"], ["-hh"], ["--version"], ["--help"]] {
      let ended = try await BuiltProgram.run("unzip", arguments)
      #expect(ended.status == 0, "\(arguments)")
      #expect(!ended.output.isEmpty)
    }
  }

  @Test func `existing files are kept when nobody can be asked`() async throws {
    let path = try archive([.init("a", "new"), .init("b", "new")])
    try folder.write("out/a", text: "old")
    let ended = try await unzip("-q", path, "-d", folder.path("out"))
    #expect(ended.status == 1)
    #expect(ended.errors.contains("treating as \"[N]one\""))
    #expect(try folder.read("out/a") == Array("old".utf8))
    #expect(try folder.read("out/b") == Array("new".utf8))
    #expect(try await unzip("-q", "-n", path, "-d", folder.path("out")).status == 0)
    #expect(try await unzip("-qo", path, "-d", folder.path("out")).status == 0)
    #expect(try folder.read("out/a") == Array("new".utf8))
  }

  @Test func `text entries get Unix line ends on request`() async throws {
    let marked = ZipBuilder.Entry("t", "a\r\nb\r\u{1a}").with {
      $0.central = { $0.internalAttributes = 1 }
    }
    let path = try archive([marked, .init("b", "a\r\n")])
    _ = try await unzip("-qa", path, "-d", folder.path("one"))
    #expect(try folder.read("one/t") == Array("a\nb\n".utf8))
    #expect(try folder.read("one/b") == Array("a\r\n".utf8))
    _ = try await unzip("-qaa", path, "-d", folder.path("two"))
    #expect(try folder.read("two/b") == Array("a\n".utf8))
  }

  @Test func `members come from a file, and are left out by patterns`() async throws {
    let path = try archive([.init("d/a", "1"), .init("d/b", "2"), .init("c", "3")])
    let list = try folder.write("list", text: "d/*\n")
    _ = try await unzip("-q", "--files-from", list, path, "-x", "*b", "-d", folder.path("out"))
    #expect(try FileSystem.names(in: folder.path("out")) == ["d"])
    #expect(try FileSystem.names(in: folder.path("out/d")) == ["a"])
  }

  @Test func `JSON tells each entry and a summary`() async throws {
    let path = try archive([.init("a", "1"), .init("b", "2").with { $0.central = { $0.crc ^= 1 } }])
    let ended = try await unzip("--json", "-t", path)
    let lines = ended.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.contains("\"status\":\"done\"") == true)
    #expect(lines.dropFirst().first?.contains("\"rule\":\"crc-mismatch\"") == true)
    #expect(lines.last?.contains("\"complete\":false") == true)
  }

  @Test(
    .disabled(if: Sanitizer.isOn, "its runtime opens files of its own"),
    arguments: [["-tq"], ["-l"], ["-Z"], ["-o"]])
  func `what keeps the work from being begun is an error, not a warning`(
    options: [String]
  ) async throws {
    let path = try archive([.init("a", "1")])
    let ended = try await BuiltProgram.runWithoutFiles("unzip", options + [path])
    #expect(ended.status == 2, "\(ended.errors)")
    #expect(ended.errors.contains("pipe2: Too many open files"), "\(ended.errors)")
    #expect(ended.output.isEmpty)
  }

  @Test(arguments: ["-t", "-l", "-o"])
  func `a summary in JSON says how many problems were not told`(action: String) async throws {
    let path = try archive((0..<10_050).map { .init("/f\($0)", "x") })
    let ended = try await unzip("--json", action, path, "-d", folder.path("out"))
    let lines = ended.output.split(separator: "\n")
    #expect(lines.count == 10_051)
    #expect(lines.last?.contains("\"omitted\":50") == true, "\(lines.last ?? "")")
    #expect(lines.count { $0.contains("\"abridged\":true") } == 50)
    let few = try archive([.init("/a", "1")])
    let one = try await unzip("--json", action, few, "-d", folder.path("few"))
    #expect(one.output.contains("\"omitted\":0"))
  }

  @Test func `duplicates and clashes are told by rule, and refused on request`() async throws {
    let path = try archive([.init("a", "1"), .init("A", "2"), .init("a", "3")])
    for action in ["-l", "-t"] {
      let listed = try await unzip("--json", action, path)
      #expect(listed.status == 0)
      #expect(listed.output.contains("\"rule\":\"case-clash\""))
      #expect(listed.output.contains("\"rule\":\"duplicate-name\""))
      #expect(listed.output.contains("\"summary\""))
    }
    let ended = try await unzip("-o", path, "-d", folder.path("out"))
    #expect(ended.status == 0)
    #expect(ended.errors.contains("found 'a', the same but for case"))
    #expect(try folder.read("out/a") == Array("3".utf8))
    #expect(try folder.read("out/A") == Array("2".utf8))
    #expect(
      try await unzip("-q", "--duplicates", "error", path, "-d", folder.path("none")).status == 2)
    let strict = try await unzip("--strict", "-tq", path)
    #expect(strict.status == 2)
    #expect(strict.errors.contains("[case-clash]"))
    #expect(strict.errors.contains("[duplicate-name]"))
  }

  @Test func `a strict run names each rule and writes nothing`() async throws {
    var zip = ZipBuilder([.init("a", "1").with { $0.local = { $0.name = [98] } }])
    zip.trailing = [0]
    let path = try folder.write("odd.zip", zip.bytes())
    let ended = try await unzip("--strict", "-q", path, "-d", folder.path("out"))
    #expect(ended.status == 2)
    #expect(ended.errors.contains("[local-name-differs]"))
    #expect(ended.errors.contains("[trailing-bytes]"))
    #expect(!FileSystem.exists(folder.path("out")))
    #expect(try await unzip("-q", path, "-d", folder.path("out")).status == 0)
  }

  @Test func `names in other character sets come out right`() async throws {
    let name: [UInt8] = [0x8f, 0xe0, 0xa8, 0xa2, 0xa5, 0xe2]  // "Привет" in CP866
    let path = try archive([.init(bytes: name, [1])])
    #expect(try await unzip("-Z1", path).status == 0)
    let ended = try await unzip("-lqq", "-O", "CP866", path)
    #expect(ended.output.hasSuffix("Привет\n"))
    #expect(try await unzip("-l", "-O", "no-such-set", path).status == 10)
  }

  @Test func `names are escaped on no pipe`() async throws {
    let path = try archive([.init("a\u{1b}[1m", "1")])
    #expect(try await unzip("-Z1", path).output == "a\u{1b}[1m\n")
  }
}
