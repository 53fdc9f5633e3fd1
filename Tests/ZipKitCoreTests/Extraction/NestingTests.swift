import SystemIO
import TestSupport
import Testing
import ZipKitCore

/// An archive within an archive is a file like any other: only the caller opens it, by a call of its own.
@Suite("archives within archives") struct NestingTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let innermost = ZipBuilder([
    .init("deep", "x"), .init("../up", "evil"), .init("l", "/etc", mode: 0o120777),
  ]).bytes()
  private static let middle = ZipBuilder([.init(bytes: Array("inner.zip".utf8), innermost)]).bytes()

  @Test(arguments: [UInt16(0), 8], [false, true])
  func `three layers are opened by three calls`(method: UInt16, isRealOnly: Bool) async throws {
    let entry = ZipBuilder.Entry(bytes: Array("middle.zip".utf8), Self.middle, method: method)
    let archive = try ZipArchive(bytes: ZipBuilder([entry]).bytes())
    var options = ExtractionOptions()
    options.onlyRealFiles = isRealOnly
    // One file is all that there is.
    options.limits.files = 1
    options.limits.totalSize = UInt64(Self.middle.count)
    let target = directory.path("t")
    let report = try await archive.extract(to: target, options: options)
    #expect(report.outcomes.map(\.status) == [.done])
    #expect(report.allProblems.isEmpty)
    #expect(try FileSystem.names(in: target) == ["middle.zip"])
    #expect(try directory.read("t/middle.zip") == Self.middle)
    #expect(archive.inspect().isEmpty)
    #expect(try await archive.verify().bytes == UInt64(Self.middle.count))

    let second = try ZipArchive(path: directory.path("t/middle.zip"))
    #expect(try await second.extract(to: target).isComplete)
    #expect(try directory.read("t/inner.zip") == Self.innermost)
    // What the innermost holds is judged when it is opened, and no sooner.
    let third = try ZipArchive(path: directory.path("t/inner.zip"))
    let last = try await third.extract(to: target)
    #expect(last.allProblems.map(\.code) == [.nameEscapes, .linkEscapes])
    #expect(
      try FileSystem.names(in: target).sorted() == ["deep", "inner.zip", "middle.zip"])
    #expect(try FileSystem.names(in: directory.path) == ["t"])
  }

  @Test func `a bomb of layers costs what its first layer does`() async throws {
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    var layer = ZipBuilder([.init(bytes: Array("0".utf8), zeros, method: 8)]).bytes()
    for depth in 1...2 {
      layer =
        ZipBuilder(
          (0..<8).map { .init(bytes: Array("\(depth)-\($0)".utf8), layer, method: 8) }
        ).bytes()
    }
    let archive = try ZipArchive(bytes: layer)
    let report = try await archive.extract(to: directory.path("t"))
    #expect(report.isComplete)
    #expect(report.count(of: .done) == 8)
    #expect(report.bytes == archive.entries.reduce(0) { $0 + $1.size })
    // All that is inside would be 64 MiB.
    #expect(report.bytes < 1 << 20)
  }
}
