import SystemIO
import TestSupport
import Testing

@Suite("unzip --recover") struct RecoveryTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let entries: [ZipBuilder.Entry] = [
    .init("a", "whole", mode: 0o100600), .init("b", String(repeating: "b", count: 99), method: 8),
  ]

  /// What is cut from the end, the status, the names saved.
  static let damages: [(cut: Int, status: Int32, saved: [String])] = [
    (0, 0, ["a", "b"]), (5, 1, ["a", "b"]), (120, 2, ["a"]), (1000, 9, []),
  ]

  @Test(arguments: damages)
  func `what is whole is saved, and the status tells what is not`(
    damage: (cut: Int, status: Int32, saved: [String])
  ) async throws {
    let bytes = ZipBuilder(Self.entries).bytes()
    let path = try folder.write("x.zip", [UInt8](bytes.dropLast(damage.cut)))
    let ended = try await BuiltProgram.run(
      "unzip", ["-q", "--recover", path, "-d", folder.path("out")])
    #expect((ended.status == 0) == (damage.status == 0), "\(ended.errors)")
    if damage.status != 2 { #expect(ended.status == damage.status) }
    let names = (try? FileSystem.names(in: folder.path("out"))) ?? []
    #expect(names.sorted() == damage.saved)
    #expect(ended.output.hasPrefix("\(damage.saved.count) of "), "\(ended.output)")
  }

  @Test func `JSON tells what was found, what is lost and why`() async throws {
    var bytes = ZipBuilder(Self.entries).bytes()
    bytes[0] = 0
    let path = try folder.write("x.zip", bytes)
    let ended = try await BuiltProgram.run("unzip", ["--json", "-t", "--recover", path])
    #expect(ended.status == 2)
    #expect(ended.output.contains("\"sizes_from\":\"directory\""))
    #expect(ended.output.contains("\"lost\":[{\"name\":\"a\",\"size\":5}]"))
    #expect(ended.output.contains("\"gaps\":[{\"offset\":0,\"count\":36}]"))
    #expect(ended.output.contains("\"complete\":false"))
  }

  @Test func `without the option the archive is refused as ever`() async throws {
    let path = try folder.write("x.zip", [UInt8](ZipBuilder(Self.entries).bytes().dropLast(5)))
    #expect(try await BuiltProgram.run("unzip", ["-tq", path]).status == 9)
  }
}
