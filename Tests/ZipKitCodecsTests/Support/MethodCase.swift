import Testing
import ZipKitCore

/// One method with a stream of it that decodes to ``Sample``.
struct MethodCase: Sendable, CustomTestStringConvertible {
  var name: String
  var coding: EntryCoding
  var stream: [UInt8]
  var plain: [UInt8]
  /// Whether the stream itself says where it ends; other methods end with the declared size.
  var hasEnd: Bool

  init(
    _ name: String, _ method: CompressionMethod, _ stream: [UInt8], flags: EntryFlags = [],
    plain: [UInt8] = Sample.bytes, hasEnd: Bool = true
  ) {
    self.name = name
    self.stream = stream
    self.plain = plain
    self.hasEnd = hasEnd
    coding = EntryCoding(
      method: method, flags: flags, compressedSize: UInt64(stream.count), size: UInt64(plain.count))
  }

  var testDescription: String { name }

  static let library = [
    MethodCase("deflate", .deflated, Recorded.deflate),
    MethodCase("bzip2", .bzip2, Recorded.bzip2),
    MethodCase("LZMA with an end mark", .lzma, Recorded.lzmaWithEndMark, flags: .methodBit1),
    MethodCase("LZMA without an end mark", .lzma, Recorded.lzma),
    MethodCase("LZMA of 7-Zip", .lzma, Recorded.lzmaOf7Zip, flags: .methodBit1),
    MethodCase("XZ", .xz, Recorded.xz),
    MethodCase("Zstandard", .zstandard, Recorded.zstandard),
    MethodCase("Zstandard by its old number", .zstandardOld, Recorded.zstandard),
    MethodCase(
      "two Zstandard frames", .zstandard, Recorded.zstandard + Recorded.zstandard,
      plain: Sample.bytes + Sample.bytes),
  ]

  static let all = library
}
