import SystemIO
import TestSupport
import Testing

/// Programs that call `unzip`, with ours first in their way.
@Suite("unzip in the place of Info-ZIP's") struct DropInTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try FileSystem.makeDirectories(folder.path("bin"))
    // What is called is written down, to prove that it was.
    try script(
      "bin/unzip",
      "echo \"$@\" >> '\(folder.path("calls"))'; exec '\(BuiltProgram.path("unzip"))' \"$@\"")
  }

  private func script(_ name: String, _ body: String) throws {
    let path = try folder.write(name, text: "#!/bin/sh\n\(body)\n")
    try FileDescriptor.open(path).setMode(0o755)
  }

  private var environment: [String] {
    ["PATH=\(folder.path("bin")):\(Environment["PATH"] ?? "/usr/bin:/bin")", "HOME=\(folder.path)"]
  }

  private func run(_ program: String, _ arguments: [String]) async throws -> BuiltProgram.Outcome {
    try await BuiltProgram.run("/usr/bin/env", environment + [program] + arguments)
  }

  private static var swift: String? {
    (Environment["PATH"] ?? "").split(separator: ":").map { "\($0)/swift" }
      .first { FileSystem.exists($0) }
  }

  @Test(.enabled(if: swift != nil, "no Swift toolchain in PATH"))
  func `SwiftPM unpacks a zipped binary artifact with it`() async throws {
    let swift = try #require(Self.swift)
    try folder.write(
      "app/Package.swift",
      text: """
        // swift-tools-version: 5.9
        import PackageDescription
        let package = Package(
          name: "app", targets: [.binaryTarget(name: "tool", path: "tool.artifactbundle.zip")])

        """)
    let information = """
      {"schemaVersion": "1.0", "artifacts": {"tool": {"type": "executable", "version": "1.0",
      "variants": [{"path": "tool", "supportedTriples": ["x86_64-unknown-linux-gnu",
      "aarch64-unknown-linux-gnu"]}]}}}
      """
    try folder.write(
      "app/tool.artifactbundle.zip",
      ZipBuilder([
        .init("tool.artifactbundle/", mode: 0o040755),
        .init("tool.artifactbundle/info.json", information, method: 8, mode: 0o100644),
        .init("tool.artifactbundle/tool", "#!/bin/sh\necho tool\n", mode: 0o100755),
      ]).bytes())
    let ended = try await run(
      swift, ["package", "--package-path", folder.path("app"), "resolve"])
    #expect(ended.status == 0, "\(ended.errors)")
    let calls = String(decoding: try folder.read("calls"), as: UTF8.self)
    #expect(calls.contains("tool.artifactbundle.zip -d "))
    let tool = "app/.build/artifacts/app/tool/tool.artifactbundle/tool"
    #expect(try FileSystem.status(folder.path(tool)).mode & 0o777 == 0o755)
  }

  /// What build scripts say.
  static let lines = [
    "unzip -q -o x.zip -d y && cat y/d/a", "unzip -qo x.zip -d y; cat y/d/a",
    "unzip -o -q x.zip 'd/*' -d y >/dev/null && cat y/d/a", "unzip -p x.zip d/a",
    "unzip -qq -j -o x.zip d/a -d y && cat y/a", "unzip -tqq x.zip && unzip -p x.zip d/a",
    "unzip -v >/dev/null && unzip -Z1 x.zip | grep -q '^d/a$' && unzip -cqq x.zip d/a",
    "test \"$(unzip -l x.zip | tail -1 | awk '{print $2}')\" = 1 && unzip -p x",
    "cat x.zip | unzip -p - d/a",
  ]

  @Test(arguments: lines)
  func `scripts that call it get what they want`(line: String) async throws {
    try folder.write("x.zip", ZipBuilder([.init("d/a", "content", method: 8)]).bytes())
    let ended = try await run("/bin/sh", ["-c", "cd '\(folder.path)' && \(line)"])
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output == "content")
  }
}
