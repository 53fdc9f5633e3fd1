import SystemIO
import Testing
import TestSupport
import ZipKitCore

/// Each hostile archive is unpacked beside a directory that must not change: the oracle.
@Suite("confinement") struct ConfinementTests {
  static let hostile: [(String, [ZipBuilder.Entry])] = [
    ("dots", [.init("../outside/file", "evil"), .init("a/../../outside/file", "evil")]),
    ("absolute", [.init("/outside/file", "evil")]),
    (
      "a link and a file through it",
      [.init("l", "../outside", mode: 0o120777), .init("l/file", "evil")]
    ),
    (
      "a file through a link of a later entry",
      [.init("l/file", "evil"), .init("l", "../outside", mode: 0o120777)]
    ),
    (
      "a link to a link",
      [
        .init("a", ".", mode: 0o120777), .init("b", "a/a/../../outside", mode: 0o120777),
        .init("b/file", "evil"),
      ]
    ),
    ("an absolute link", [.init("l", "/etc", mode: 0o120777), .init("l/file", "evil")]),
    (
      "a link behind a directory that is deep",
      [.init("d/e/", ""), .init("d/e/l", "../../../outside", mode: 0o120777)]
    ),
    (
      "a duplicate that is a link first",
      [.init("x", "../outside/file", mode: 0o120777), .init("x", "evil")]
    ),
    (
      "a directory that is a link",
      [.init("l", "../outside", mode: 0o120777), .init("l/", "", mode: 0o040777)]
    ),
    (
      "backslashes",
      [.init("..\\outside\\file", "evil").with { $0.central = { $0.versionMadeBy = 20 } }]
    ),
    (
      "a drive",
      [.init("C:..\\outside\\file", "evil").with { $0.central = { $0.versionMadeBy = 20 } }]
    ),
    // As a character, a slash takes the accent behind it along.
    (
      "accents behind slashes",
      [
        .init("l", "../\u{301}out", mode: 0o120777), .init("m", "../outside", mode: 0o120777),
        .init("m/\u{301}x", "evil"), .init("..//\u{301}y", "evil"),
      ]
    ),
    ("a pipe and a device", [.init("p", "", mode: 0o010644), .init("n", "", mode: 0o020644)]),
    ("an empty link", [.init("l", "", mode: 0o120777)]),
    ("a long link", [.init("l", String(repeating: "a/", count: 3000), mode: 0o120777)]),
  ]

  @Test(arguments: hostile, [false, true])
  func `nothing outside the target changes`(
    hostile: (String, [ZipBuilder.Entry]), walks: Bool
  ) throws {
    let directory = try TemporaryDirectory()
    try directory.write("outside/file", text: "innocent")
    try FileSystem.makeDirectories(directory.path("target"))
    try run(hostile.1, in: directory, walks: walks)
    #expect(try directory.read("outside/file") == Array("innocent".utf8))
    #expect(try FileSystem.names(in: directory.path).sorted() == ["outside", "target"])
    #expect(try FileSystem.names(in: directory.path("outside")) == ["file"])
    for name in try FileSystem.names(in: directory.path("target")) {
      let status = try FileSystem.status(directory.path("target/" + name), followLinks: false)
      #expect([.regular, .directory, .symbolicLink].contains(status.kind))
    }
  }

  @Test(arguments: [false, true])
  func `an existing link in the target is not followed`(walks: Bool) throws {
    let directory = try TemporaryDirectory()
    try directory.write("outside/file", text: "innocent")
    try FileSystem.makeDirectories(directory.path("target"))
    let target = try FileDescriptor.open(directory.path("target"))
    try FileSystem.makeSymbolicLink("l", to: "../outside", in: target)
    try FileSystem.makeSymbolicLink("dangling", to: "../outside/new", in: target)
    try FileSystem.makeSymbolicLink("whole", to: "../outside/file", in: target)
    let report = try run(
      [
        .init("l/file", "evil"), .init("l/\u{301}/x", "evil"), .init("l/sub/x", "evil"),
        .init("dangling", "kept inside"),
        .init("whole", "kept inside"),
      ], in: directory, walks: walks)
    #expect(report.outcome(of: 0).problems.map(\.code) == [.throughLink])
    #expect(try directory.read("outside/file") == Array("innocent".utf8))
    #expect(try FileSystem.names(in: directory.path("outside")) == ["file"])
    #expect(try directory.read("target/dangling") == Array("kept inside".utf8))
    #expect(try FileSystem.status("whole", in: target, followLinks: false).kind == .regular)
  }

  @Test(arguments: [
    ("x", "", true), ("../x", "d", true), ("../../x", "d", false), ("..", "", false),
    ("a/../b", "", false), ("d/../b", "", true), ("/x", "", false), ("", "", false),
    ("../\u{301}x", "", false), ("../\u{301}x", "d", true), ("../\u{301}x/../..", "d", false),
    ("d/../../x", "d", true), ("d/../../../x", "d", false), ("./././x", "", true),
  ])
  func `links are judged by their text`(target: String, place: String, isFine: Bool) {
    var isRefused = false
    do {
      try LinkPolicy.check(Array(target.utf8), in: place) { ["", "d", "d/d"].contains($0) }
    } catch {
      isRefused = true
    }
    #expect(isRefused != isFine)
  }

  @Test func `links out are made where that is allowed`() async throws {
    let directory = try TemporaryDirectory()
    var options = ExtractionOptions()
    options.allowsUnsafeLinks = true
    let report = try await ZipArchive(
      bytes: ZipBuilder([.init("l", "/etc", mode: 0o120777)]).bytes()
    ).extract(to: directory.path("t"), options: options)
    #expect(report.isComplete)
  }

  @discardableResult
  private func run(
    _ entries: [ZipBuilder.Entry], in directory: TemporaryDirectory, walks: Bool
  ) throws -> ExtractionReport {
    var options = ExtractionOptions()
    options.existing = .replace
    return try ZipArchive(bytes: ZipBuilder(entries).bytes()).extractBlocking(
      to: directory.path("target"), options: options, walks: walks)
  }
}
