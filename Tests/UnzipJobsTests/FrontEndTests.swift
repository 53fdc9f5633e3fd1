import Dialogue
import InfoZipForms
import ProgressReporting
import SystemIO
import TestSupport
import Testing
import UnzipJobs
import ZipKitCore

/// The whole of `unzip` through a front end that is no terminal, beside what the program does on one.
@Suite("unzip through another front end") struct FrontEndTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("sample.zip", Self.sample.bytes())
    try folder.write("cut.zip", [UInt8](Self.sample.bytes().dropLast(200)))
    try folder.write("empty.zip", ZipBuilder().bytes())
    var locked = ZipBuilder([.init("open", "seen"), .init("dir/shut", "hidden")])
    locked.entries[1] = locked.entries[1].locked(with: "sesame")
    try folder.write("locked.zip", locked.bytes())
    for name in ["one", "two"] { try folder.write("many/\(name).zip", Self.sample.bytes()) }
    try folder.write("many/three.zip", text: "no archive")
  }

  static var sample: ZipBuilder {
    var zip = ZipBuilder([
      .init("dir/", mode: 0o040755).with { $0.central = { $0.externalAttributes |= 0x10 } },
      .init("dir/hello.txt", "hello\n", mode: 0o100644),
      .init("dir/zeros", String(repeating: "0", count: 3000), method: 8, mode: 0o100755),
      .init("link", "dir/zeros", mode: 0o120777),
      .init("../escape", "no", mode: 0o100644),
      .init("wrong", "1").with { $0.central = { $0.crc = 7 } },
      .init("last.txt", "text\r\n", mode: 0o100600),
    ])
    zip.comment = Array("of two\r\nlines\n".utf8)
    return zip
  }

  /// Arguments, and the request that they stand for.
  typealias Case = (arguments: [String], change: @Sendable (inout UnzipRequest) -> Void)

  static let plain: [Case] = [
    (["-l"], { $0.action = .list }), (["-v"], { $0.action = .verboseList }),
    (["-lqq"], { ($0.action, $0.quietness) = (.list, 2) }), (["-z"], { $0.action = .comment }),
    (["-t"], { $0.action = .test }), (["-tq"], { ($0.action, $0.quietness) = (.test, 1) }),
    (["-p"], { $0.action = .pipe }), (["-c"], { $0.action = .print }),
    (["-T"], { $0.action = .stamp }),
    (["--json", "-l"], { ($0.action, $0.isJSON) = (.list, true) }),
    (["--json", "-t"], { ($0.action, $0.isJSON) = (.test, true) }),
    (["--recover", "-t"], { ($0.action, $0.recovers) = (.test, true) }),
    (["--strict", "-t"], { ($0.action, $0.isStrict) = (.test, true) }),
    (["--json", "--recover", "-t"], { ($0.action, $0.recovers, $0.isJSON) = (.test, true, true) }),
  ]

  @Test(
    arguments: plain.indices,
    ["sample.zip", "cut.zip", "empty.zip", "locked.zip", "none", "many/*"])
  func `tells what the program tells`(number: Int, archive: String) async throws {
    let (arguments, change) = Self.plain[number]
    try await compare(arguments, [archive == "empty.zip" ? [] : ["dir/*", "no*"], []]) { request in
      request.archive = folder.path(archive)
      change(&request)
    }
  }

  static let lists: [(arguments: [String], options: ZipInfoRequest.Options, isDecimal: Bool)] = {
    func form(_ form: ZipInfoRequest.Form?) -> ZipInfoRequest.Options {
      var options = ZipInfoRequest.Options()
      options.form = form
      return options
    }
    return [
      (["-Z"], form(nil), false), (["-Z1"], form(.namesOnly), false),
      (["-Zv"], form(.verbose), false), (["-ZlT"], form(.table(.long)), true),
    ]
  }()

  @Test(arguments: lists.indices, ["sample.zip", "cut.zip", "empty.zip", "none", "many/*"])
  func `lists what zipinfo lists`(number: Int, archive: String) async throws {
    let (arguments, options, isDecimal) = Self.lists[number]
    for members in [[], ["dir/*", "no*"]] {
      let frontEnd = MemoryFrontEnd(name: "zipinfo")
      let job = ZipInfoJob(
        archive: folder.path(archive), members: members.map { NamePattern($0) }, excluded: [],
        request: ZipInfoRequest(options, isSelective: !members.isEmpty), hasDecimalTime: isDecimal,
        through: frontEnd)
      let status = try job.run()
      let ended = try await BuiltProgram.run(
        "unzip", arguments + [folder.path(archive)] + members)
      #expect(frontEnd.output == ended.output)
      #expect(frontEnd.errors == ended.errors)
      #expect(Int32(status.code) == ended.status)
    }
  }

  static let writing: [Case] = [
    ([], { _ in }), (["-q"], { $0.quietness = 1 }), (["--json"], { $0.isJSON = true }),
    (["--recover"], { $0.recovers = true }),
    (
      ["-n"],
      {
        $0.asksAboutExisting = false
        $0.extraction.existing = .skip
      }
    ),
  ]

  @Test(arguments: writing.indices, ["sample.zip", "cut.zip", "many/*"])
  func `writes what the program writes`(number: Int, archive: String) async throws {
    let (arguments, change) = Self.writing[number]
    try await compare(arguments, [[], ["dir/*"]]) { request in
      request.archive = folder.path(archive)
      change(&request)
    }
  }

  /// Answers to questions about three files that are there, the last one unanswered.
  static let answers: [[String]] = [
    ["y", "n", "A"], ["N"], ["maybe", "r", "other", "y"], ["r", "", "A"], ["n"], [],
  ]

  @Test(arguments: answers)
  func `asks what the program asks`(answers: [String]) async throws {
    for side in ["ours", "theirs"] {
      for name in ["dir/hello.txt", "dir/zeros", "last.txt"] {
        try folder.write("\(side)/\(name)", text: "old")
      }
    }
    try await compare([], [[]], answers: answers) { $0.archive = folder.path("sample.zip") }
  }

  @Test(arguments: [["sesame"], ["wrong"], []])
  func `asks for the password that is needed`(secrets: [String]) async throws {
    let frontEnd = MemoryFrontEnd(name: "unzip", secrets: secrets)
    var request = UnzipRequest(archive: folder.path("locked.zip"))
    request.directory = folder.path("ours")
    // One worker, so that lines come in one order.
    request.extraction.jobs = 1
    let status = try await UnzipJob(request, through: frontEnd).run()
    #expect(frontEnd.questions == ["[\(folder.path("locked.zip"))] dir/shut password: "])
    // The program asks on its terminal, which is not its standard output here.
    let program = try RunningProgram(
      "unzip", ["--jobs", "1", folder.path("locked.zip"), "-d", folder.path("theirs")],
      on: secrets.isEmpty ? .pipes : .errorsOnTerminal(columns: 200, rows: 40))
    if let secret = secrets.first {
      try await program.waitFor(frontEnd.questions[0])
      try program.type(secret + "\n")
    }
    #expect(try await program.finish() == .exited(status: Int32(status.code)))
    #expect(program.outputText.replacing("theirs", with: "ours") == frontEnd.output)
    #expect(try tree("ours") == tree("theirs"))
    #expect(try tree("ours").contains { $0.hasSuffix(" hidden") } == (secrets == ["sesame"]))
    #expect(try tree("ours").contains { $0.hasSuffix(" seen") })
  }

  @Test func `a job that is cancelled writes no file, and gives none`() async throws {
    let frontEnd = MemoryFrontEnd(name: "unzip")
    frontEnd.cancellation.cancel()
    var request = UnzipRequest(archive: folder.path("sample.zip"))
    request.directory = folder.path("ours")
    _ = try? await UnzipJob(request, through: frontEnd).run()
    #expect(try tree("ours").allSatisfy { $0.contains(" directory ") })
    request.action = .pipe
    await #expect(throws: CancellationError.self) {
      try await UnzipJob(request, through: frontEnd).run()
    }
  }

  // MARK: Comparing

  /// Does the same through both, with each list of members.
  private func compare(
    _ arguments: [String], _ members: [[String]], answers: [String] = [],
    _ change: (inout UnzipRequest) -> Void
  ) async throws {
    for members in members {
      var request = UnzipRequest(archive: "")
      change(&request)
      request.members = members.map { NamePattern($0) }
      request.extraction.jobs = 1
      let writes = request.action == .extract
      if writes { request.directory = folder.path("ours") }
      let frontEnd = MemoryFrontEnd(
        name: "unzip", isQuiet: request.quietness > 0, answers: answers)
      let status = try await UnzipJob(request, through: frontEnd).run()

      let place = writes ? ["-d", folder.path("theirs")] : []
      let program = try RunningProgram(
        "unzip", ["--jobs", "1"] + arguments + [request.archive] + members + place)
      if !answers.isEmpty { try program.type(answers.joined(separator: "\n") + "\n") }
      program.endInput()
      let ending = try await program.finish()
      #expect(ending == .exited(status: Int32(status.code)), "\(members)")
      #expect(program.outputText.replacing("theirs", with: "ours") == frontEnd.output)
      #expect(program.errorText.replacing("theirs", with: "ours") == frontEnd.errors)
      if writes { #expect(try tree("ours") == tree("theirs")) }
    }
  }

  /// Names, kinds, modes and contents below a directory.
  private func tree(_ place: String) throws -> [String] {
    guard FileSystem.exists(folder.path(place)) else { return [] }
    return try FileSystem.names(in: folder.path(place)).sorted().flatMap { name -> [String] in
      let path = "\(place)/\(name)"
      let status = try FileSystem.status(folder.path(path), followLinks: false)
      let content =
        status.kind == .regular ? String(decoding: try folder.read(path), as: UTF8.self) : ""
      let line = "\(name) \(status.kind) \(String(status.mode, radix: 8)) \(content)"
      return [line] + (status.kind == .directory ? try tree(path).map { "\(name)/\($0)" } : [])
    }
  }
}
