import CBzip2

/// libbz2, which packs the streams of these tests and gives a second opinion on damaged ones.
enum Libbz2 {
  /// A stream of blocks of up to `level` times 100 kB.
  static func pack(_ plain: [UInt8], level: Int32 = 9) -> [UInt8] {
    var count = UInt32(plain.count + plain.count / 50 + 1000)
    var stream = [UInt8](repeating: 0, count: Int(count))
    var source = plain.map { CChar(bitPattern: $0) }
    let status = unsafe stream.withUnsafeMutableBytes { target in
      unsafe BZ2_bzBuffToBuffCompress(
        target.baseAddress?.assumingMemoryBound(to: CChar.self), &count, &source,
        UInt32(source.count), level, 0, 0)
    }
    precondition(status == BZ_OK, "libbz2 has room for what it packs")
    return Array(stream[..<Int(count)])
  }

  /// What comes out of a stream; nil when libbz2 finds fault with it.
  static func unpack(_ stream: [UInt8], size: Int) -> [UInt8]? {
    var count = UInt32(size)
    var plain = [UInt8](repeating: 0, count: max(size, 1))
    var source = stream.map { CChar(bitPattern: $0) }
    let status = unsafe plain.withUnsafeMutableBytes { target in
      unsafe BZ2_bzBuffToBuffDecompress(
        target.baseAddress?.assumingMemoryBound(to: CChar.self), &count, &source,
        UInt32(source.count), 0, 0)
    }
    return status == BZ_OK ? Array(plain[..<Int(count)]) : nil
  }
}
