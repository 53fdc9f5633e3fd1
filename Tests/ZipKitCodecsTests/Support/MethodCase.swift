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

  static let own = [
    MethodCase("Deflate64", .deflate64, Recorded.deflate64),
    MethodCase("PPMd", .ppmd, Recorded.ppmd, hasEnd: false),
    MethodCase("shrink", .shrunk, shrink(Sample.bytes), hasEnd: false),
    MethodCase("reduce 1", .reduced1, reduce(Sample.bytes, factor: 1), hasEnd: false),
    MethodCase("reduce 2", .reduced2, reduce(Sample.bytes, factor: 2), hasEnd: false),
    MethodCase("reduce 3", .reduced3, reduce(Sample.bytes, factor: 3), hasEnd: false),
    MethodCase("reduce 4", .reduced4, reduce(Sample.bytes, factor: 4), hasEnd: false),
    imploded([]), imploded(.methodBit1), imploded(.methodBit2),
    imploded([.methodBit1, .methodBit2]), dclImploded(true, 4), dclImploded(true, 6),
    dclImploded(false, 5),
  ]

  /// Streams that fill tables and memory on the way.
  static let long = [
    MethodCase(
      "PPMd that restarts", .ppmd, RecordedPpmd.restart, plain: Sample.long, hasEnd: false),
    MethodCase("PPMd that cuts off", .ppmd, RecordedPpmd.cutOff, plain: Sample.long, hasEnd: false),
    MethodCase(
      "shrink with clears", .shrunk, shrink(Sample.long + Sample.bytes),
      plain: Sample.long + Sample.bytes, hasEnd: false),
  ]

  /// Streams of many blocks.
  static let blocks = [
    MethodCase("deflate", .deflated, deflateBlocks(Sample.bytes, each: 40)),
    MethodCase("Deflate64", .deflate64, deflateBlocks(Sample.bytes, each: 40)),
    MethodCase("Zstandard", .zstandard, zstandardBlocks(Sample.bytes, each: 40)),
  ]

  private static func dclImploded(_ codesLiterals: Bool, _ lowBits: Int) -> MethodCase {
    MethodCase(
      "DCL implode, literals \(codesLiterals ? "coded" : "plain"), \(lowBits) bits", .dclImploded,
      dclImplode(Sample.bytes, codesLiterals: codesLiterals, lowBits: lowBits))
  }

  private static func imploded(_ flags: EntryFlags) -> MethodCase {
    MethodCase(
      "implode with flags \(flags.rawValue)", .imploded,
      implode(
        Sample.bytes, hasLiteralTree: flags.contains(.methodBit2),
        hasLargeWindow: flags.contains(.methodBit1)),
      flags: flags, hasEnd: false)
  }

  static let all = library + own
}
