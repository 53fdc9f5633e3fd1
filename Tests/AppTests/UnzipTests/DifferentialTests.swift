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
    var zip64 = Self.sample
    zip64.isZip64 = true
    try folder.write("zip64.zip", zip64.bytes())
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
    ["-Zv"], ["-Zvt"], ["-Zvh"], ["-Zvz"], ["-Z", "--t"], ["-Z", "--h"], ["-Zs--t"], ["-Zl--h"],
    ["-ll"], ["-llqq"], ["-lL"], ["-lLL"], ["-vL"], ["-vLLq"], ["-cLL"], ["-ac"], ["-acq"],
    ["-td", "d"],
    ["-ld", "d"], ["-zt"], ["-zl"],
    ["-ZW"], ["-Zlms"], ["-ZU"],
  ]

  @Test(arguments: lists, ["sample.zip", "empty.zip", "prefixed.zip", "zip64.zip"])
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
      ["-p"], ["-cq"], ["-Zv"], ["-ZW"], ["-Zvt"], ["-Z2hz"],
    ])
  func `selections of members`(members: [String], options: [String]) async throws {
    try await compare(options + [folder.path("sample.zip")] + members)
  }

  /// Entries of every system, and of every extra field that zipinfo names, with little and with much in it.
  static var odd: ZipBuilder {
    let attributes: [UInt32] = [
      0o100644 << 16, 0o040755 << 16 | 0x10, 0x21, 0xff, 0x8000, 0xc000 | 0o100644 << 16,
      0o107777 << 16, 0o107666 << 16,
    ]
    var zip = ZipBuilder()
    for host in Array(UInt16(0)...19) + [30, 31, 255] {
      for (number, value) in attributes.enumerated() {
        zip.entries.append(
          .init("h\(host)-\(number)", "1").with {
            $0.central = { fields in
              (fields.versionMadeBy, fields.externalAttributes) = (host << 8 | 31, value)
            }
            $0.comment = Array("comment\r\n".utf8)
          })
      }
    }
    let fields: [UInt16] = [
      0x0001, 0x0007, 0x0009, 0x000c, 0x000d, 0x000f, 0x0014, 0x0017, 0x07c8, 0x2605, 0x2705,
      0x334d, 0x4154, 0x4341, 0x4453, 0x4704, 0x470f, 0x4b46, 0x4c41, 0x4d49, 0x4d63, 0x5356,
      0x5455, 0x5855, 0x6542, 0x6854, 0x7441, 0x756e, 0x7855, 0x7875, 0x9901, 0xa220, 0xfb4a,
    ]
    for field in fields {
      for count in [UInt8(0), 5, 12, 60] {
        zip.entries.append(
          .init("f\(field)-\(count)", "1", mode: 0o100644).with {
            $0.extra = ZipBuilder.extra(field, [UInt8](1..<(1 + count)))
          })
      }
    }
    zip.comment = Array("a comment\r\nof lines\r\n".utf8)
    return zip
  }

  @Test(arguments: ["-Z", "-Zm", "-Zl", "-Zv", "-v", "-l", "-z", "-ZTt"])
  func `lists of odd entries`(option: String) async throws {
    try folder.write("odd.zip", Self.odd.bytes())
    try await compare([option, folder.path("odd.zip")])
  }

  @Test(arguments: [
    "-l", "-lq", "-lqq", "-t", "-tq", "-tqq", "-Z", "-Z1", "-Zt", "-Zv", "-p", "-c", "-cq", "-z",
    "-v", "-T",
  ])
  func `several archives have their lines between them and after them`(
    option: String
  ) async throws {
    for name in ["one", "two", "three"] {
      try folder.write("m/\(name).zip", Self.sample.bytes())
    }
    // Info-ZIP takes them in the order of the file system.
    let arguments = [option, folder.path("m/*.zip")]
    let ours = try await run("ours", arguments, false)
    let theirs = try await run("theirs", arguments, false)
    #expect(ours.status == theirs.status)
    #expect(
      ours.output.split(separator: "\n", omittingEmptySubsequences: false).sorted()
        == theirs.output.split(separator: "\n", omittingEmptySubsequences: false).sorted())
  }

  @Test(arguments: [
    "-l", "-v", "-lqq", "-t", "-tq", "-tqq", "-p", "-c", "-Z", "-Z1", "-Zv", "-Zm", "-Z2t", "-Zt",
  ])
  func `a Unicode name that was made for another name is told, and not used`(
    option: String
  ) async throws {
    func entry(_ name: String, version: UInt8, of plain: String) -> ZipBuilder.Entry {
      var field = [version]
      field.put(TestChecksum.crc32(Array(plain.utf8)))
      let extra = ZipBuilder.extra(0x7075, field + Array(plain.utf8))
      return .init(name, "1", mode: 0o100644).with { $0.central = { $0.extra = extra } }
    }
    var flagged = entry("flagged", version: 1, of: "other")
    flagged.flags = 1 << 11
    let zip = ZipBuilder([
      entry("good", version: 1, of: "good"), entry("renamed", version: 1, of: "other"),
      entry("new", version: 2, of: "new"), flagged,
    ])
    try folder.write("names.zip", zip.bytes())
    try await compare([option, folder.path("names.zip")])
    let ended = try await BuiltProgram.run("unzip", [option, folder.path("names.zip")])
    let told = (ended.output + ended.errors).split(separator: "\n")
    #expect(told.count { $0.contains("Unicode Path checksum invalid") } == 1)
    #expect(told.count { $0.contains("Unicode Path version > 1") } == 1)
  }

  @Test(arguments: ["-T", "-lT", "-tT", "-qT", "-Tqq"])
  func `a time stamp is that of the newest entry`(option: String) async throws {
    try await compare([option, folder.path("sample.zip")])
    #expect(try FileSystem.status(folder.path("sample.zip")).modified.seconds < 1_800_000_000)
  }

  @Test(arguments: [["-t"], ["-t", "-P", "no"], ["-tq", "-P", "no"]])
  func `what is locked is told`(options: [String]) async throws {
    // A head that the password does not fit, and six bytes.
    let locked: [UInt8] = [
      0xdc, 0xac, 0xe2, 0x0b, 0xed, 0xd7, 0xd1, 0x6a, 0x55, 0x36, 0xb4, 0x19, 0x8d, 0x50, 0x3c,
      0x27,
      0x90, 0x1a,
    ]
    let entry = ZipBuilder.Entry("a", "secret", mode: 0o100644).with {
      ($0.flags, $0.coded) = (9, locked)
      $0.descriptor = ZipBuilder.descriptor(Array("secret".utf8), compressedSize: 18)
      $0.local = { $0.time = 0 }
      $0.central = { $0.time = 0 }
    }
    try folder.write("locked.zip", ZipBuilder([entry]).bytes())
    try await compare(options + [folder.path("locked.zip")])
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
