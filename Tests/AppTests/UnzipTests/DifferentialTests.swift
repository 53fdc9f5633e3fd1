import SystemIO
import TestSupport
import Testing

/// The same command lines through Info-ZIP's unzip and ours: output, status and trees must be equal.
@Suite("unzip beside Info-ZIP's", .enabled(if: Peer.exists, "Info-ZIP's unzip is not installed"))
struct DifferentialTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("sample.zip", Self.sample.bytes())
    var plain = Self.sample
    plain.entries.removeAll { $0.mode == 0o120777 }
    try folder.write("plain.zip", plain.bytes())
    try folder.write("empty.zip", ZipBuilder().bytes())
    var prefixed = Self.sample
    prefixed.prefix = Array("prefix\n".utf8)
    try folder.write("prefixed.zip", prefixed.bytes())
  }

  static var sample: ZipBuilder {
    var stamp: [UInt8] = [1]
    stamp.put(UInt32(1_700_000_001))
    let time = ZipBuilder.extra(0x5455, stamp)
    var zip = ZipBuilder([
      .init("dir/", mode: 0o040755).with { $0.central = { $0.externalAttributes |= 0x10 } },
      .init("dir/hello.txt", "hello\n", mode: 0o100644).with { $0.extra = time },
      .init("dir/zeros", String(repeating: "0", count: 3000), method: 8, mode: 0o100755),
      .init("top.TXT", "text\r\n", mode: 0o100600).with {
        $0.central = { $0.internalAttributes = 1 }
      },
      .init("link", "top.TXT", mode: 0o120777),
      .init("dos.exe", "dos").with {
        $0.central = { fields in (fields.versionMadeBy, fields.externalAttributes) = (20, 0x20) }
      },
      .init("über.txt", "utf8", mode: 0o100644).with { $0.flags = 1 << 11 },
    ])
    zip.comment = Array("a comment".utf8)
    return zip
  }

  static let lists: [[String]] = [
    ["-l"], ["-lq"], ["-lqq"], ["-v"], ["-vq"], ["-vqq"], ["-t"], ["-tq"], ["-tqq"], ["-z"],
    ["-Z"], ["-Z1"], ["-Z", "-1"], ["-Z2"], ["-Zs"], ["-Zm"], ["-Zl"], ["-Zh"], ["-Zt"], ["-ZT"],
    ["-Zht"], ["-Z1h"], ["-Z2h"], ["-p"], ["-c"], ["-cq"], ["-qqp"], ["-lv"], ["-lz"], ["-zqq"],
    ["-tz"], ["-Zst"], ["-Zsh"], ["-Zmt"], ["-Zlh"], ["-ZlT"], ["-ZmT"], ["-Z1t"], ["-Z2z"],
    ["-ZhtT"], ["-ZM"], ["-ZC"], ["-t-q"], ["-lM"], ["-lV"], ["-lU"], ["-pa"], ["-caa"],
  ]

  @Test(arguments: lists, ["sample.zip", "empty.zip", "prefixed.zip"])
  func `lists, tests and contents`(options: [String], archive: String) async throws {
    try await compare(options + [folder.path(archive)])
  }

  static let selections: [[String]] = [
    ["dir/*"], ["*.txt"], ["*.TXT", "-x", "dir/*"], ["-x", "*"], ["dir/hello.txt"],
    ["[dt]*"], ["[!d]*"], ["?op.TXT"], ["nothing"], ["nothing", "dir/*"], ["dir/*", "-x", "dir/*"],
  ]

  @Test(
    arguments: selections,
    [
      ["-l"], ["-t"], ["-Z1"], ["-lC"], ["-lW"], ["-v"], ["-Z"], ["-Zm"], ["-Zht"], ["-Zlt"],
      ["-p"], ["-cq"],
    ])
  func `selections of members`(members: [String], options: [String]) async throws {
    try await compare(options + [folder.path("sample.zip")] + members)
  }

  static let extractions: [[String]] = [
    [], ["-q"], ["-qq"], ["-j"], ["-o"], ["-n"], ["-a"], ["-aa"], ["-L"], ["-LL"], ["-D"],
    ["-DD"], ["-qo"], ["-jo"], ["-K"], ["-X"], ["-B"], ["-oB"], ["-f"], ["-u"], ["-uo"], ["-fo"],
    ["-C"], ["-^"],
  ]

  @Test(arguments: extractions)
  func `extractions make the same tree`(options: [String]) async throws {
    try await compare(options + [folder.path("sample.zip")], intoDirectory: true)
  }

  // Without the link: on links that exist Info-ZIP remarks on standard output.
  @Test(arguments: extractions)
  func `extractions over an earlier one make the same tree`(options: [String]) async throws {
    for _ in 1...2 {
      try await compare(options + [folder.path("plain.zip")], intoDirectory: true)
    }
  }

  /// Runs both programs and compares.
  private func compare(
    _ arguments: [String], intoDirectory: Bool = false,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let ours = try await run("ours", arguments, intoDirectory)
    let theirs = try await run("theirs", arguments, intoDirectory)
    #expect(ours.status == theirs.status, "\(arguments)", sourceLocation: location)
    #expect(ours.output == theirs.output, "\(arguments)", sourceLocation: location)
    if intoDirectory {
      #expect(
        try tree(folder.path("ours"), hasTimes: !arguments.contains("-DD"))
          == tree(folder.path("theirs"), hasTimes: !arguments.contains("-DD")), "\(arguments)",
        sourceLocation: location)
    }
  }

  private func run(
    _ side: String, _ arguments: [String], _ intoDirectory: Bool
  ) async throws -> (status: Int32, output: String) {
    var arguments = arguments
    let target = folder.path(side)
    if intoDirectory {
      try FileSystem.makeDirectories(target)
      arguments += ["-d", target]
    }
    let program = side == "ours" ? BuiltProgram.path("unzip") : Peer.path
    let ended = try await BuiltProgram.run(program, arguments)
    // The side's own directory is the only difference that is meant.
    return (ended.status, ended.output.replacing(target, with: "TARGET"))
  }

  // Without times where both programs leave those of their own running.
  private func tree(_ path: String, hasTimes: Bool) throws -> [String] {
    var result: [String] = []
    for name in try FileSystem.names(in: path).sorted() {
      let status = try FileSystem.status("\(path)/\(name)", followLinks: false)
      var line = "\(name) \(status.kind) \(String(status.mode, radix: 8))"
      if status.kind == .regular {
        line += " \(status.size) \(hasTimes ? status.modified.seconds : 0)"
        line +=
          " \(TestChecksum.crc32(try FileDescriptor.open("\(path)/\(name)").readToEnd(limit: 1 << 20)))"
      }
      result.append(line)
      if status.kind == .directory {
        result += try tree("\(path)/\(name)", hasTimes: hasTimes).map { "\(name)/\($0)" }
      }
    }
    return result
  }
}

enum Peer {
  static let path = "/usr/bin/unzip"
  static var exists: Bool { FileSystem.exists(path) }
}
