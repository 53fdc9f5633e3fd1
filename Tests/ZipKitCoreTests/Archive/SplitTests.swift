import SystemIO
import TestSupport
import Testing
import ZipKitCore

@Suite("split archives") struct SplitTests {
  let folder: TemporaryDirectory
  private static let entries = (0..<6).map { number in
    ZipBuilder.Entry(
      bytes: Array("\(number)".utf8),
      (0..<400).map { UInt8(truncatingIfNeeded: $0 * (number + 3)) },
      method: number == 3 ? 8 : 0)
  }

  init() throws { folder = try TemporaryDirectory() }

  /// Writes a set of `a.z01`, `a.z02` … `a.zip`; returns the last part's path.
  private func write(_ size: Int, ending: String = "zip") throws -> String {
    let parts = SplitWriter.parts(Self.entries, size: size)
    let mark = ending == "ZIP" ? "Z" : ending == "zipx" ? "zx" : "z"
    for (number, part) in parts.dropLast().enumerated() {
      try folder.write("a.\(mark)\(number < 9 ? "0" : "")\(number + 1)", part)
    }
    return try folder.write("a.\(ending)", parts.last ?? [])
  }

  private func check(_ archive: ZipArchive, _ location: SourceLocation = #_sourceLocation) throws {
    #expect(archive.entries.count == 6, sourceLocation: location)
    #expect(archive.problems.isEmpty, sourceLocation: location)
    for (entry, written) in zip(archive.entries, Self.entries) {
      #expect(try entry.contents() == written.content, sourceLocation: location)
    }
  }

  @Test(arguments: [100, 257, 1000, 2500])
  func `a set is read whatever is cut`(size: Int) throws {
    let path = try write(size)
    try check(ZipArchive(path: path))
    #expect(try ZipArchive(path: path).inspect().isEmpty)
  }

  @Test(arguments: ["zip", "ZIP", "zipx"])
  func `parts are called after the last one`(ending: String) throws {
    try check(ZipArchive(path: write(1000, ending: ending)))
  }

  @Test func `any part opens the set`() throws {
    _ = try write(1000)
    try check(ZipArchive(path: folder.path("a.z01")))
    try check(ZipArchive(path: folder.path("a.z02")))
  }

  @Test func `a set is extracted and verified`() async throws {
    let archive = try ZipArchive(path: write(700))
    #expect(try await archive.verify().count(of: .done) == 6)
    let report = try await archive.extract(to: folder.path("out"))
    #expect(report.isComplete)
    #expect(try folder.read("out/4") == Self.entries[4].content)
  }

  @Test func `a missing part is named, and costs what lies in it`() throws {
    let path = try write(1000)
    try FileSystem.unlink(folder.path("a.z02"))
    let archive = try ZipArchive(path: path)
    #expect(archive.entries.count == 6)
    var missing = 0
    for (entry, written) in zip(archive.entries, Self.entries) {
      do {
        #expect(try entry.contents() == written.content)
      } catch {
        #expect(error.code == .partMissing)
        #expect(error.message.contains(folder.path("a.z02")))
        #expect(error.entry == entry.name)
        missing += 1
      }
    }
    #expect(missing > 0 && missing < 5)
  }

  @Test func `the last part alone lists everything and names the others`() async throws {
    let path = try write(1000)
    for name in ["a.z01", "a.z02"] { try FileSystem.unlink(folder.path(name)) }
    let archive = try ZipArchive(path: path)
    #expect(archive.problems.map(\.code) == [.multiDisk])
    #expect(archive.entries.map(\.name) == ["0", "1", "2", "3", "4", "5"])
    let report = try await archive.verify()
    #expect(Set(report.allProblems.map(\.code)) == [.partMissing])
    #expect(report.allProblems.first?.message.contains("a.z01") == true)
  }

  @Test func `without the last part there is no archive`() throws {
    let path = try write(1000)
    try FileSystem.unlink(path)
    let error = #expect(throws: ZipError.self) { try ZipArchive(path: folder.path("a.z01")) }
    #expect(error?.code == .partMissing)
    #expect(error?.message.contains("a.zip") == true)
  }

  @Test(arguments: [100, 999, 100_000])
  func `a plain cut is put together`(size: Int) throws {
    let bytes = ZipBuilder(Self.entries).bytes()
    for (number, start) in stride(from: 0, to: bytes.count, by: size).enumerated() {
      let digits = String(number + 1)
      let name = "a.zip." + String(repeating: "0", count: 3 - digits.count) + digits
      try folder.write(name, Array(bytes[start..<min(start + size, bytes.count)]))
    }
    try check(ZipArchive(path: folder.path("a.zip.001")))
    guard size == 999 else { return }
    try check(ZipArchive(path: folder.path("a.zip.003")))
    try FileSystem.unlink(folder.path("a.zip.002"))
    let error = #expect(throws: ZipError.self) {
      try ZipArchive(path: folder.path("a.zip.001")).entries[3].contents()
    }
    #expect(error?.code == .partMissing)
    #expect(error?.message.contains("a.zip.002") == true)
  }

  @Test func `a claim of parts that never were does no harm`() throws {
    var zip = ZipBuilder(Self.entries)
    zip.end = { $0.disk = 3 }
    let path = try folder.write("a.zip", zip.bytes())
    let archive = try ZipArchive(path: path)
    #expect(archive.problems.map(\.code) == [.multiDisk])
    for entry in archive.entries { _ = try entry.contents() }
  }

  // Names of four thousand million parts take more memory than there is.
  @Test func `a claim of more parts than anybody has is not followed`() throws {
    var zip = ZipBuilder(Self.entries)
    zip.isZip64 = true
    zip.zip64End = { $0.replaceSubrange(16..<20, with: [0x20, 0x4e, 0, 0]) }
    zip.end = { $0.disk = 0xffff }
    try folder.write("a.z01", [1])
    let path = try folder.write("a.zip", zip.bytes())
    #expect(try !(SplitSource.open(path: path) is SplitSource))
    let archive = try ZipArchive(path: path)
    for entry in archive.entries { _ = try entry.contents() }
  }

  @Test func `a mark of spanning in one file is no prefix`() throws {
    var zip = ZipBuilder(Self.entries)
    zip.prefix = Array("PK00".utf8)
    zip.countsPrefix = true
    try check(ZipArchive(bytes: zip.bytes()))
  }
}
