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
    "unzip -oq x.zip -d y && cat y/d/a", "unzip -q -j -d y x.zip && cat y/a",
    "unzip -uoq x.zip -d y && cat y/d/a", "unzip -n -q x.zip -d y && cat y/d/a",
    "unzip -q x -d y && cat y/d/a", "unzip -qqo x.zip -x 'e/*' -d y; cat y/d/a",
    "unzip -hh | grep -q -e -d && unzip -p x.zip 'd/*'", "unzip -c -q x.zip d/a | cat",
    "unzip -lv x.zip | grep -q 'd/a' && unzip -ZT x.zip | grep -q 'd/a' && unzip -p x d/a",
    "unzip -Z -1 x.zip | while read name; do unzip -p x.zip \"$name\"; done",
    "for z in *.zip; do unzip -qo \"$z\" -d \"${z%.zip}\"; done; cat x/d/a",
    "UNZIP=-qqo unzip x.zip -d y && cat y/d/a", "unzip -qd y x.zip && cat y/d/a",
    "unzip -q -o \"$PWD/x.zip\" -d \"$PWD/y\" || exit 1; cat y/d/a",
    "if unzip -tq x.zip >/dev/null 2>&1; then unzip -p x.zip; fi",
    "unzip -l x.zip d/a >/dev/null && unzip -p x.zip d/a",
    "unzip -l x.zip no >/dev/null || unzip -p x.zip d/a",
    "zipinfo -1 x.zip 2>/dev/null | grep -c . >/dev/null; unzip -p x.zip",
  ]

  @Test func `a wheel that it unpacks is found by pip and imported by Python`() async throws {
    let python = try #require(
      (Environment["PATH"] ?? "").split(separator: ":").map { "\($0)/python3" }
        .first { FileSystem.exists($0) })
    let metadata = "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n"
    try folder.write(
      "demo-1.0-py3-none-any.whl",
      ZipBuilder([
        .init("demo/__init__.py", "value = 42\n", method: 8, mode: 0o100644),
        .init("demo-1.0.dist-info/METADATA", metadata, method: 8, mode: 0o100644),
        .init("demo-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"),
        .init("demo-1.0.dist-info/RECORD", "demo/__init__.py,,\n"),
      ]).bytes())
    let script = """
      cd '\(folder.path)' && unzip -q -o demo-1.0-py3-none-any.whl -d site &&
      PYTHONPATH=site '\(python)' -c 'import demo; print(demo.value)'
      if '\(python)' -m pip --version >/dev/null 2>&1
      then '\(python)' -m pip --disable-pip-version-check list --path site --format freeze
      else echo demo==1.0
      fi
      """
    let ended = try await run("/bin/sh", ["-c", script])
    #expect(ended.output == "42\ndemo==1.0\n", "\(ended.errors)")
    let calls = String(decoding: try folder.read("calls"), as: UTF8.self)
    #expect(calls == "-q -o demo-1.0-py3-none-any.whl -d site\n")
  }

  private static var npm: String? {
    (Environment["PATH"] ?? "").split(separator: ":").map { "\($0)/npm" }
      .first { FileSystem.exists($0) }
  }

  @Test(.enabled(if: npm != nil, "no npm in PATH"))
  func `npm's scripts unpack with it`() async throws {
    try folder.write("app/x.zip", ZipBuilder([.init("d/a", "content", method: 8)]).bytes())
    try folder.write(
      "app/package.json",
      text: """
        {"name": "app", "version": "1.0.0", "scripts": {"unpack": "unzip -q -o x.zip -d y"}}
        """)
    let ended = try await run(
      try #require(Self.npm), ["--prefix", folder.path("app"), "run", "--silent", "unpack"])
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try folder.read("app/y/d/a") == Array("content".utf8))
    #expect(try folder.read("calls") == Array("-q -o x.zip -d y\n".utf8))
  }

  @Test(arguments: lines)
  func `scripts that call it get what they want`(line: String) async throws {
    try folder.write("x.zip", ZipBuilder([.init("d/a", "content", method: 8)]).bytes())
    let ended = try await run("/bin/sh", ["-c", "cd '\(folder.path)' && \(line)"])
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output == "content")
  }
}
