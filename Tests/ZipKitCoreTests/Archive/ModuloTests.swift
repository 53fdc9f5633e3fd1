import SystemIO
import TestSupport
import Testing
import ZipKitCore

@Suite("archives over 4 GiB without Zip64") struct ModuloTests {
  private static let unit: UInt64 = 1 << 32

  /// An archive of a small file, one of 4 GiB and ten zeros, which are a hole, and another small one; every
  /// number is written modulo 2³².
  private func write(_ folder: TemporaryDirectory) throws -> String {
    let zeros = Self.unit + 10
    let first = ZipBuilder.Entry("a", "first")
    let long = ZipBuilder.Entry("long").with {
      $0.local = { ($0.size, $0.compressedSize) = (10, 10) }
      $0.central = { ($0.size, $0.compressedSize) = (10, 10) }
    }
    let last = ZipBuilder.Entry("z", "last", method: 8).with {
      $0.central = { $0.offset &+= 10 }
    }
    var zip = ZipBuilder([first, long, last])
    zip.end = { $0.offset &+= 10 }
    let bytes = zip.bytes()
    // The hole belongs behind the second local header.
    let hole = 30 + 1 + 5 + 30 + 4
    let path = try folder.write("big.zip", Array(bytes[..<hole]))
    let file = try FileDescriptor.open(path, [.writeOnly])
    try unsafe Array(bytes[hole...]).withUnsafeBytes {
      try unsafe file.write($0, at: UInt64(hole) + zeros)
    }
    try file.close()
    return path
  }

  @Test func `offsets and sizes modulo 2³² are put right`() throws {
    let folder = try TemporaryDirectory()
    let archive = try ZipArchive(path: try write(folder))
    #expect(archive.problems.map(\.code) == [.zip64Differs])
    #expect(archive.entries.map(\.name) == ["a", "long", "z"])
    #expect(archive.entries.map(\.size) == [5, Self.unit + 10, 4])
    #expect(archive.entries[2].localHeaderOffset > Self.unit)
    #expect(try archive.entries[2].contents() == Array("last".utf8))
    #expect(try archive.entries[0].contents() == Array("first".utf8))
  }

  @Test func `a directory whose local headers are elsewhere is left as it is`() throws {
    let folder = try TemporaryDirectory()
    let path = try write(folder)
    let file = try FileDescriptor.open(path, [.writeOnly])
    try unsafe [UInt8](repeating: 0, count: 4).withUnsafeBytes { try unsafe file.write($0, at: 0) }
    try file.close()
    let archive = try ZipArchive(path: path)
    #expect(!archive.problems.contains { $0.code == .zip64Differs })
    #expect(archive.entries.count == 3)
  }
}
