/// Streams as encoders write them, with what a target takes before them.
extension CodecTarget {
  var seeds: [[UInt8]] {
    switch self {
    case .deflate: [stream(Recorded.deflate), stream(Written.blocks)]
    case .deflate64: [stream(Recorded.deflate64), stream(Written.blocks)]
    case .bzip2: [stream(Recorded.bzip2)]
    case .lzma:
      [stream(Recorded.lzma), stream(Recorded.lzmaWithEndMark, 2), stream(Recorded.lzmaOf7Zip, 2)]
    case .xz: [stream(Recorded.xz)]
    case .zstd:
      [stream(Recorded.zstandard), stream(zstandardBlocks(Sample.bytes, each: 40))]
    case .ppmd: [stream(Recorded.ppmd)]
    case .shrink: [stream(Written.shrunk)]
    case .implode: [0, 2, 4, 6].map { stream(Written.imploded($0), $0) }
    // 13 bytes, as descriptions of the format have them.
    case .dcl: [[0, 0, 13, 0x00, 0x04, 0x82, 0x24, 0x25, 0x8f, 0x80, 0x7f]]
    case .reduce1: [stream(Written.reduced(1))]
    case .reduce2: [stream(Written.reduced(2))]
    case .reduce3: [stream(Written.reduced(3))]
    case .reduce4: [stream(Written.reduced(4))]
    case .aes:
      [(1, Recorded.aes128), (2, Recorded.aes192), (3, Recorded.aes256)].map { strength, data in
        encrypted(data, [1, 0x99, 7, 0, 2, 0, 0x41, 0x45, strength, 8, 0])
      }
    case .zipcrypto: [encrypted(Recorded.zipCrypto, [])]
    case .names: Self.texts
    }
  }

  private func stream(_ data: [UInt8], _ flags: UInt8 = 0) -> [UInt8] {
    // The upper bits make pieces of a hundred bytes.
    [flags | 0x60, UInt8(Sample.bytes.count >> 8), UInt8(Sample.bytes.count & 0xff)] + data
  }

  private func encrypted(_ data: [UInt8], _ field: [UInt8]) -> [UInt8] {
    [9] + field + [UInt8](repeating: 0, count: Self.cipherStart - 1 - field.count) + data
  }

  // Of one language each, in an encoding of its own.
  private static let texts: [[UInt8]] = [
    Array("über/straße.txt\nöl.txt\n".utf8),
    [0x81, 0x62, 0x65, 0x72, 0x0a, 0x73, 0x74, 0x72, 0x61, 0xe1, 0x65],
    [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x0a, 0x93, 0xfa, 0x96, 0x7b],
    [0xb2, 0xe2, 0xca, 0xd4, 0x0a, 0xce, 0xc4, 0xbc, 0xfe],
    [0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0a, 0xec, 0xe8, 0xf0],
    [0xaf, 0xe0, 0xa8, 0xa2, 0xa5, 0xe2, 0x0a, 0xac, 0xa8, 0xe0],
  ]
}

/// What the tests' own writers make.
private enum Written {
  static let blocks = deflateBlocks(Sample.bytes, each: 40)
  static let shrunk = shrink(Sample.bytes)

  static func imploded(_ flags: UInt8) -> [UInt8] {
    implode(Sample.bytes, hasLiteralTree: flags & 4 != 0, hasLargeWindow: flags & 2 != 0)
  }

  static func reduced(_ factor: Int) -> [UInt8] { reduce(Sample.bytes, factor: factor) }
}
