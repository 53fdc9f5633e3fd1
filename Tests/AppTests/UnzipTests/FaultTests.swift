import SystemIO
import TestSupport
import Testing

/// Every system call that places something comes back with an error once, at every place: whole files are
/// all that bears a name, and what is missing is named.
@Suite(
  "unzip and failing system calls", .timeLimit(.minutes(10)),
  .enabled(if: FailingCalls.isAvailable, "there is no strace that may join a program"))
struct FaultTests {
  /// One entry of each kind of placement.
  enum Content {
    static let large = [UInt8](repeating: 120, count: (4 << 20) + 600_000)
    static let files: [(name: String, content: [UInt8], method: UInt16, mode: UInt16)] = [
      ("stored", Array("stored".utf8), 0, 0o100644),
      ("deflated", [UInt8](repeating: 97, count: 9000), 8, 0o100600),
      ("old", Array("new".utf8), 0, 0o100644), ("large", large, 8, 0o100666),
      ("oldlarge", large, 0, 0o100644), ("d/exact", Array("exact".utf8), 0, 0o100666),
      ("d/sub/deep", Array("deep".utf8), 0, 0o100644), ("empty", [], 0, 0o100644),
    ]
    static let links = [("link", "stored"), ("oldlink", "old"), ("d/link", "sub")]

    static var entries: [ZipBuilder.Entry] {
      [.init("d/", mode: 0o040755)]
        + files.map {
          ZipBuilder.Entry(bytes: Array($0.name.utf8), $0.content, method: $0.method, mode: $0.mode)
        }
        + links.map { ZipBuilder.Entry($0.0, $0.1, mode: 0o120777) }
    }
  }

  /// A call, and the errors that it may come to.
  struct Case: Sendable, CustomTestStringConvertible {
    var call: String
    var errors: [String]
    var options: [String] = []
    /// Only calls on the target's directories.
    var isInTarget = false

    var testDescription: String { "\(call) \(options.joined(separator: " "))" }
  }

  static let cases: [Case] = [
    .init(
      call: "openat", errors: ["ENOSPC", "EIO", "EINTR", "EMFILE"], isInTarget: true),
    .init(call: "openat2", errors: ["EIO", "EINTR", "EMFILE", "ENOSYS"]),
    .init(call: "write", errors: ["ENOSPC", "EIO", "EINTR"]),
    .init(call: "pwrite64", errors: ["ENOSPC", "EIO", "EINTR"], options: ["--sparse"]),
    .init(call: "ftruncate", errors: ["ENOSPC", "EIO", "EINTR"], options: ["--sparse"]),
    .init(call: "fchmod", errors: ["EIO", "EPERM", "EINTR"]),
    .init(call: "utimensat", errors: ["EIO", "EPERM", "EINTR"]),
    .init(call: "close", errors: ["ENOSPC", "EIO", "EINTR"]),
    .init(call: "renameat", errors: ["ENOSPC", "EIO", "EINTR"], options: ["-B"]),
    .init(call: "renameat2", errors: ["ENOSPC", "EIO", "EINTR", "EINVAL"]),
    .init(call: "symlinkat", errors: ["ENOSPC", "EIO", "EINTR", "EDQUOT"]),
    .init(call: "mkdir", errors: ["ENOSPC", "EIO", "EINTR"]),
    .init(call: "mkdirat", errors: ["ENOSPC", "EIO", "EINTR", "EDQUOT"]),
    .init(call: "newfstatat", errors: ["EIO"], isInTarget: true),
    .init(call: "pread64", errors: ["EIO", "EINTR"]),
    .init(call: "mmap", errors: ["ENOMEM"]), .init(call: "clone3", errors: ["EAGAIN"]),
  ]

  @Test(arguments: cases)
  func `whole files only bear names, and what is missing is named`(of subject: Case) async throws {
    let folder = try TemporaryDirectory()
    let archive = try folder.write("a.zip", ZipBuilder(Content.entries).bytes())
    for error in subject.errors {
      var place = 1
      while place < 200, try await survives(subject, error, place, archive, in: folder) {
        place += 1
      }
      #expect(place > 1, "\(subject.call) is not called")
      #expect(place < 200)
    }
  }

  @Test(
    arguments: [
      ("pread64", "EIO"), ("write", "ENOSPC"), ("write", "EIO"), ("mmap", "ENOMEM"),
      ("clone3", "EAGAIN"),
    ], [["-o"], ["-t"]])
  func `an entry on several threads is whole and told so, or is not there`(
    fault: (call: String, error: String), action: [String]
  ) async throws {
    let content = [UInt8](repeating: 7, count: 17 << 20)
    let folder = try TemporaryDirectory()
    let big = ZipBuilder.Entry(bytes: Array("big".utf8), content, method: 8).with {
      $0.coded = TestDeflate.stored(content)
    }
    let archive = try folder.write("a.zip", ZipBuilder([big, .init("b", "next")]).bytes())
    var strikes = 0
    for place in [1, 2, 3, 5, 8, 13, 21, 33] {
      let path = folder.path("t-\(place)")
      let target = action == ["-o"] ? ["-d", path] : []
      let ended = try await FailingCalls.run(
        "unzip", action + ["--json", "--jobs", "2", "--files-from", "-", archive] + target,
        input: "*\n", .init(fault.call, fault.error, at: place))
      let what = "\(fault) at \(place): \(ended.strikes) \(ended.errors)"
      strikes += ended.strikes.count
      #expect((0...82).contains(ended.status), "\(what)")
      // Without the first thread nothing is begun, without the others the work is done all the same.
      if ended.strikes.isEmpty { #expect(ended.status == 0, "\(what)") }
      let isTold = ended.output.contains("\"name\":\"big\"") && ended.output.contains("\"summary\"")
      #expect(isTold || ended.status > 1, "\(what)")
      guard action == ["-o"] else { continue }
      let verdict = FileContent.compare(path + "/big", with: content)
      #expect(verdict != .other, "\(what)")
      #expect(verdict == .same || ended.status > 1, "\(what)")
      let names = (try? FileSystem.names(in: path)) ?? []
      #expect(Set(names).isSubset(of: ["big", "b"]), "\(names) \(what)")
    }
    #expect(strikes > 0)
  }

  /// Calls that some file systems lack.
  static let poor: [[String: String]] = [
    ["renameat2": "EINVAL"], ["renameat2": "EINVAL", "linkat": "EPERM"],
    ["fchmod": "EPERM", "utimensat": "EPERM"], ["openat2": "ENOSYS"],
  ]

  @Test(arguments: poor)
  func `what a file system lacks costs no file`(lacking: [String: String]) async throws {
    let folder = try TemporaryDirectory()
    let archive = try folder.write("a.zip", ZipBuilder(Content.entries).bytes())
    let path = folder.path("out")
    try FileSystem.makeDirectories(path)
    try folder.write("out/old", text: "old")
    try folder.write("out/oldlarge", text: "old")
    var fault = FailingCalls.Fault("fsync", "EIO", at: 1)
    fault.lacking = lacking
    let ended = try await FailingCalls.run(
      "unzip", ["-o", "--json", "--files-from", "-", archive, "-d", path], input: "*\n", fault)
    #expect(!ended.strikes.isEmpty)
    #expect(ended.status == (lacking["fchmod"] == nil ? 0 : 1), "\(ended.errors)")
    #expect(try judge(path, ended, "\(lacking)").isEmpty)
  }

  /// Returns whether the fault struck.
  private func survives(
    _ subject: Case, _ error: String, _ place: Int, _ archive: String, in folder: TemporaryDirectory
  ) async throws -> Bool {
    let target = "t-\(error)-\(place)"
    let path = folder.path(target)
    try folder.write("\(target)/old", text: "old")
    try folder.write("\(target)/oldlarge", text: "old")
    let root = try FileDescriptor.open(path)
    try FileSystem.makeSymbolicLink("oldlink", to: "nowhere", in: root)
    let fault = FailingCalls.Fault(
      subject.call, error, at: place,
      on: subject.isInTarget ? [path, path + "/d", path + "/d/sub"] : [])
    let ended = try await FailingCalls.run(
      "unzip",
      ["-o", "--json", "--jobs", "1"] + subject.options + [
        "--files-from", "-", archive, "-d", path,
      ],
      input: "*\n", fault)
    defer { try? FileSystem.removeTree(path) }
    let what = "\(fault): \(ended.strikes) \(ended.errors)"
    #expect((0...82).contains(ended.status), "\(what)")
    let missing = try judge(path, ended, what)
    // What a signal interrupts is done again; what is closed is gone.
    if error == "EINTR", subject.call != "close" { #expect(ended.status == 0, "\(what)") }
    if ended.strikes.isEmpty {
      #expect(ended.status == 0, "\(what)")
      #expect(missing.isEmpty, "\(what)")
    }
    if missing.isEmpty { return !ended.strikes.isEmpty }
    let isFull = error == "ENOSPC" || error == "EDQUOT"
    #expect(isFull ? ended.status == 50 : ended.status > 1, "\(what)")
    return true
  }

  /// Looks at the tree and returns what is missing in it.
  private func judge(
    _ path: String, _ ended: FailingCalls.Outcome, _ what: String
  ) throws -> [String] {
    var missing: [String] = []
    // Where output itself could not be written, the status alone can tell.
    let isTold = !ended.strikes.contains { $0.contains("(1<") || $0.contains("(2<") }
    func expectTold(_ name: String, _ isThere: Bool) {
      if !isThere { missing.append(name) }
      guard isTold else { return }
      let record = ended.output.split(separator: "\n").first { $0.contains("\"name\":\"\(name)\"") }
      let isDone =
        record?.contains("\"status\":\"done\"") == true
        || record?.contains("\"status\":\"link\"") == true
      #expect(isDone == isThere, "\(name): \(record ?? "no record") \(what)")
      if !isThere, record?.contains("\"status\":\"cancelled\"") != true {
        #expect(ended.errors.contains(" \(name): ") || record == nil, "\(name): \(what)")
      }
    }
    for file in Content.files {
      let place = "\(path)/\(file.name)"
      let verdict = FileContent.compare(place, with: file.content)
      let isOld = file.name.hasPrefix("old")
      if verdict == .other {
        #expect(
          isOld && FileContent.compare(place, with: Array("old".utf8)) == .same,
          "\(file.name) is not whole: \(what)")
      }
      if isOld { #expect(verdict != .missing, "\(file.name) is gone: \(what)") }
      expectTold(file.name, verdict == .same)
    }
    for (name, target) in Content.links {
      let parts = name.split(separator: "/")
      let directory = parts.count > 1 ? "\(path)/\(parts[0])" : path
      let found = try? FileSystem.linkTarget(
        String(parts[parts.count - 1]), in: FileDescriptor.open(directory))
      let text = found.map { String(decoding: $0, as: UTF8.self) }
      if let text, text != target {
        #expect(name == "oldlink" && text == "nowhere", "\(name): \(what)")
      }
      expectTold(name, text == target)
    }
    let known = Set(Content.files.map(\.name) + Content.links.map(\.0) + ["d", "d/sub"])
    for name in try names(path) {
      #expect(
        known.contains(name) || name == "old~" || name == "oldlarge~" || name == "oldlink~",
        "\(name) was left: \(what)")
    }
    return missing
  }

  private func names(_ path: String) throws -> [String] {
    try FileSystem.names(in: path).flatMap { name -> [String] in
      guard try FileSystem.status("\(path)/\(name)", followLinks: false).kind == .directory else {
        return [name]
      }
      return [name] + (try names("\(path)/\(name)")).map { "\(name)/\($0)" }
    }
  }
}
